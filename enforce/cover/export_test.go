package cover

// Decode reads what [Work.Order] wrote.
func Decode(data []byte) (bwrap string, argv, env []string, w *Work, err error) {
	o, err := decode(data)
	return o.Bwrap, o.Argv, o.Env, &Work{Paths: o.Paths, MaskFile: o.MaskFile}, err
}

// Failure and Read are the two ends of an answer.
var (
	Failure = failure
	Read    = read
)

// Changed is the error for a path that is not what it was.
func Changed(path, text string) error { return &pathError{path, text} }
