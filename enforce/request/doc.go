// Package request turns what a user asks for into what will run: the program by
// the path that it has inside the sandbox, its arguments, and the directory. A
// request has a hash, so that what was approved can be compared with what runs.
package request
