package diag

import (
	"fmt"
	"io"
	"strings"
)

// GitHub prints a list as workflow commands, one line for each problem, sorted:
//
//	::error file=policy.hcl,line=4,col=10,endLine=4,title=SBC0002::unknown network mode "of"
//
// GitHub shows them as annotations of the files. It knows three levels: error,
// warning and notice, so a security problem is a warning whose title says so;
// and it knows columns only where a range is on one line. Detail, help, rule,
// target and related places follow the summary on lines of their own inside the
// message. The error is that of w.
func GitHub(w io.Writer, l List) error {
	var b strings.Builder
	for _, d := range l.Sorted() {
		b.WriteString("::" + githubLevel(d.Severity) + " ")
		if d.Subject != nil && d.Subject.File != "" {
			b.WriteString(githubRange(*d.Subject))
		}
		title := string(d.Code)
		if d.Severity == Security {
			title += " (security)"
		}
		b.WriteString("title=" + githubProperty(title) + "::" + githubMessage(d) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func githubLevel(s Severity) string {
	switch s {
	case Error:
		return "error"
	case Security, Warning:
		return "warning"
	case Note:
		return "notice"
	}
	return "error" // an invalid severity is a bug and must show
}

func githubRange(r Range) string {
	out := "file=" + githubProperty(r.File) + ","
	if r.Start.Line == 0 {
		return out
	}
	out += fmt.Sprintf("line=%d,", r.Start.Line)
	if r.lastLine() == r.Start.Line {
		out += fmt.Sprintf("col=%d,", r.Start.Column)
	}
	return out + fmt.Sprintf("endLine=%d,", r.lastLine())
}

func githubMessage(d Diagnostic) string {
	lines := []string{d.Summary}
	if d.Detail != "" {
		lines = append(lines, d.Detail)
	}
	for _, f := range [][2]string{{"help", d.Help}, {"rule", d.Rule}, {"target", d.Target}} {
		if f[1] != "" {
			lines = append(lines, f[0]+": "+f[1])
		}
	}
	for _, r := range d.Related {
		lines = append(lines, "note: "+r.Message+placeSuffix(r.Range))
	}
	for i, line := range lines {
		lines[i] = githubEscape(visible(line))
	}
	return strings.Join(lines, "%0A")
}

// placeSuffix is " (file:line:column)" as far as the parts are known.
func placeSuffix(r Range) string {
	switch {
	case r.File == "":
		return ""
	case r.Start.Line == 0:
		return fmt.Sprintf(" (%s)", r.File)
	}
	return fmt.Sprintf(" (%s:%d:%d)", r.File, r.Start.Line, r.Start.Column)
}

// githubEscape escapes what ends a message. CR and LF are gone already, since
// visible has written them as escapes.
func githubEscape(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// githubProperty escapes what ends a property, beside what ends a message.
func githubProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(githubEscape(visible(s)))
}
