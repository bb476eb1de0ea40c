// Command line prints one line: the least that a Go program can do.
package main

import "fmt"

func main() { fmt.Println("a line") }
