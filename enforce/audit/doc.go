// Package audit writes what sbc ran, one line of JSON a run, to a file that only
// grows.
package audit
