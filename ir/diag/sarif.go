package diag

import (
	"io"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// What viewers do with the output, as far as it decided its form:
//   - GitHub shows the message, the range, and of the rule the short
//     description and the help; it drops results without a place. It ranks a
//     rule that has the property security-severity by that number alone.
//   - Columns are read as UTF-16 code units unless the run says otherwise, and
//     not every viewer honours what the run says. So they are UTF-16 units.
const (
	sarifSchema  = "https://json.schemastore.org/sarif-2.1.0.json"
	sarifProject = "https://github.com/sandboxc/sbc"
	sarifPages   = sarifProject + "/blob/main/ir/diag/pages/"
	// securitySeverity is "medium" on the scale of CVSS, which GitHub uses. The
	// next class, "high", would fail pull requests by default, although sbc
	// itself lets the policy pass.
	securitySeverity = "6.0"
)

// SARIF prints a list in the Static Analysis Results Interchange Format 2.1.0,
// sorted, with the code pages of the codes that occur as the rules of the tool.
// The version is that of sbc and may be empty; sources returns the text of a
// file, nil when it is not known, and may be nil.
//
// Columns count UTF-16 code units and are computed from byte offsets; they are
// left out where the source is not known. A relative file becomes a relative
// URI with slashes, an absolute one a file URI, so callers make files relative
// to the root of the repository.
//
// An error has level "error", a warning "warning", a note "note". A [Security]
// problem has level "warning", because sbc does not stop for it and "error"
// would contradict its exit status; its rule has the property
// "security-severity" so that viewers show it as a matter of security.
//
// The error is that of w.
func SARIF(w io.Writer, l List, version string, sources func(file string) []byte) error {
	sorted := l.Sorted()
	var codes []Code
	for _, d := range sorted {
		codes = append(codes, d.Code)
	}
	slices.Sort(codes)
	codes = slices.Compact(codes)

	run := sarifRun{
		Tool: sarifTool{Driver: sarifDriver{
			Name: "sbc", Version: version, InformationURI: sarifProject, Rules: []sarifRule{},
		}},
		ColumnKind: "utf16CodeUnits",
		Results:    []sarifResult{},
	}
	for _, c := range codes {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, newSARIFRule(c, sorted))
	}
	index := newSourceIndex(sources)
	for _, d := range sorted {
		r := newSARIFResult(d, index)
		r.RuleIndex, _ = slices.BinarySearch(codes, d.Code)
		run.Results = append(run.Results, r)
	}
	return writeJSON(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

func newSARIFRule(c Code, l List) sarifRule {
	page, ok := PageOf(c)
	if !ok { // a code without a page: the tests do not let it happen
		page = Page{Title: string(c), Meaning: string(c), Remedy: string(c), Body: string(c)}
	}
	rule := sarifRule{
		ID:               c,
		ShortDescription: sarifText{Text: page.Title},
		FullDescription:  sarifText{Text: page.Meaning},
		Help:             sarifText{Text: page.Remedy, Markdown: page.Body},
		HelpURI:          sarifPages + url.PathEscape(string(c)) + ".md",
	}
	has := func(s Severity) bool {
		return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Code == c && d.Severity == s })
	}
	// The number outranks the level of every result of the rule, so a code
	// that is also an error here keeps its levels.
	if has(Security) && !has(Error) {
		rule.Properties = &sarifRuleProperty{Tags: []string{"security"}, SecuritySeverity: securitySeverity}
	}
	return rule
}

func newSARIFResult(d Diagnostic, x sourceIndex) sarifResult {
	lines := []string{d.Summary}
	if d.Detail != "" {
		lines = append(lines, d.Detail)
	}
	if d.Help != "" {
		lines = append(lines, "help: "+d.Help)
	}
	for _, rel := range d.Related {
		if rel.Range.File == "" { // it has no place to carry its message
			lines = append(lines, "note: "+rel.Message)
		}
	}
	r := sarifResult{
		RuleID:     d.Code,
		Level:      sarifLevel(d.Severity),
		Message:    sarifText{Text: sarifMessage(strings.Join(lines, "\n"))},
		Locations:  []sarifLocation{},
		Properties: sarifResultProperty{Severity: d.Severity.String(), Rule: d.Rule, Target: d.Target},
	}
	if d.Subject != nil && d.Subject.File != "" {
		r.Locations = append(r.Locations, sarifLocation{PhysicalLocation: x.physical(*d.Subject)})
	}
	for _, rel := range d.Related {
		if rel.Range.File == "" {
			continue
		}
		r.RelatedLocations = append(r.RelatedLocations, sarifLocation{
			ID:               len(r.RelatedLocations) + 1,
			PhysicalLocation: x.physical(rel.Range),
			Message:          &sarifText{Text: sarifMessage(rel.Message)},
		})
	}
	return r
}

func sarifLevel(s Severity) string {
	switch s {
	case Error:
		return "error"
	case Security, Warning:
		return "warning"
	case Note:
		return "note"
	}
	return "error" // an invalid severity is a bug and must show
}

func (x sourceIndex) physical(r Range) sarifPhysical {
	src, r := x.place(r)
	p := sarifPhysical{ArtifactLocation: sarifArtifact{URI: fileURI(r.File)}}
	switch {
	case src != nil:
		p.Region = &sarifRegion{
			StartLine: r.Start.Line, StartColumn: src.utf16Column(r.Start),
			EndLine: r.End.Line, EndColumn: src.utf16Column(r.End),
		}
	case r.Start.Line > 0:
		p.Region = &sarifRegion{StartLine: r.Start.Line, EndLine: r.lastLine()}
	}
	return p
}

// utf16Column returns the 1-based column of a place in UTF-16 code units. A
// byte that is not UTF-8 counts as the one unit that editors replace it by.
func (s *Source) utf16Column(p Pos) int {
	column := 1
	for line := s.text[s.LineStart(p.Line):p.Byte]; len(line) > 0; {
		r, n := utf8.DecodeRune(line)
		column++
		if r > 0xffff {
			column++
		}
		line = line[n:]
	}
	return column
}

// fileURI returns the URI reference for a file name: relative names stay
// relative.
func fileURI(file string) string {
	u := url.URL{Path: filepath.ToSlash(file)}
	if strings.HasPrefix(u.Path, "/") {
		u.Scheme = "file"
	}
	return u.String()
}

// sarifPlaceholder is what a reader may replace in a message (SARIF 2.1.0,
// 3.11.5).
var sarifPlaceholder = regexp.MustCompile(`\{(\d+)\}`)

// sarifMessage keeps text from being read as more than text: a placeholder is
// doubled, and the brackets of what looks like a link are escaped (3.11.6).
// Other braces and brackets stay as they are, since globs are full of them and
// many viewers do not undo the escapes.
func sarifMessage(s string) string {
	s = sarifPlaceholder.ReplaceAllString(s, "{{$1}}")
	if strings.Contains(s, "](") {
		s = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(s)
	}
	return s
}
