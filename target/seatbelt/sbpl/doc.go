// Package sbpl is the part of the Sandbox Profile Language that sbc writes: a
// small typed tree, and the one place that prints it.
//
//	p := sbpl.Profile{Sections: []sbpl.Section{{
//		Title: "reading",
//		Rules: []sbpl.Rule{{
//			Action:  sbpl.Allow,
//			Ops:     []sbpl.Op{"file-read*"},
//			Clauses: []sbpl.Clause{{Filter: sbpl.Subpath("/usr")}},
//		}},
//	}}}
//	text := p.Print(sbpl.Plain)
//
// A rule with several operations is one rule for each of them, and its clauses
// are alternatives. Rules keep their order: for one operation the last rule
// whose clauses match decides.
//
// The package knows no policy. It never writes a bare quote inside #"...", and
// it writes no params, imports or definitions.
//
// # Stability
//
// The JSON form of a profile is versioned. The Go types may still change.
package sbpl
