package dirfd

// Descend is [Open] where the kernel has no openat2(2).
func Descend(p string) (Dir, error) { return descend(p) }
