package json

// WithoutComments is withoutComments for tests.
var WithoutComments = withoutComments
