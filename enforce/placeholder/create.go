package placeholder

// Create makes a directory and all that is missing above it, as mkdir -p does,
// for an opening whose rule says on_missing = "create". It stays after the run.
// Where a component is a symbolic link or no directory, the error is an [*Error].
func Create(path string) error { return create(path) }

// MaskFile makes the empty file without permissions that is bound over closed
// files, if it is missing, and the directories above it. What is there must be
// an empty regular file of this user; its permissions are taken away. Otherwise
// the error is an [*Error]. It stays after the run.
func MaskFile(path string) error { return maskFile(path) }
