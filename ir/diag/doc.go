// Package diag holds problems with a policy as values: a stable code, a
// severity, a place in a file and a remedy. Frontends, the lowering and the
// command build them; the renderers in this package print them as text, JSON,
// SARIF or GitHub annotations.
//
// Two channels exist in sbc: a [List] for what is wrong with the user's policy,
// and error for everything else. A function may return both.
//
//	var ds diag.List
//	ds.Add(diag.Diagnostic{
//		Code:     diag.CodeUnknownName,
//		Severity: diag.Error,
//		Summary:  `unknown network mode "of"`,
//		Detail:   `The mode is one of "none", "proxy" and "full".`,
//		Subject:  &rng,
//	})
//
// [Source] turns byte offsets into places. [Text], [JSON], [SARIF] and [GitHub]
// print a list; all sort it first and treat its texts as untrusted.
//
// The package imports nothing else of sbc.
//
// # Adding a code
//
// Append a constant to code.go, write pages/CODE.md in the form of its
// neighbours, and run the tests with -update, which rewrites the index in
// docs/codes. The tests hold every page to the form.
//
// # Stability
//
// Codes are never renumbered or reused. Summaries and details may change.
package diag
