// Package docs holds the documentation. It has tests only: every policy in a
// page is loaded, and the reference in language.md is made from the schema that
// decodes policies. With -update they rewrite the reference instead.
//
// Nobody imports it.
//
// # Stability
//
// None.
package docs
