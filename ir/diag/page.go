package diag

import (
	"embed"
	"strings"
)

//go:embed pages/*.md
var pages embed.FS

// Page is what `sbc explain CODE` prints: what a code means, how to provoke it
// and what to do about it.
type Page struct {
	Code Code
	// Title is one line without a full stop.
	Title string
	// Meaning says what the code means, and what it means for safety.
	Meaning string
	// Example is the text of the section "Example", code fences included.
	Example string
	// Remedy is the text of the section "Remedy".
	Remedy string
	// Body is the whole page as Markdown, with one newline at its end.
	Body string
}

// PageOf returns the page of a code, and false for a code that does not exist.
func PageOf(c Code) (Page, bool) {
	raw, err := pages.ReadFile("pages/" + string(c) + ".md")
	if err != nil {
		return Page{}, false
	}
	body := string(raw)
	heading, rest, _ := strings.Cut(body, "\n")
	meaning, rest, _ := strings.Cut(rest, "\n## Example\n")
	example, remedy, _ := strings.Cut(rest, "\n## Remedy\n")
	return Page{
		Code:    c,
		Title:   strings.TrimPrefix(heading, "# "+string(c)+": "),
		Meaning: strings.TrimSpace(meaning),
		Example: strings.TrimSpace(example),
		Remedy:  strings.TrimSpace(remedy),
		Body:    body,
	}, true
}

// Codes returns every code in ascending order.
func Codes() []Code {
	entries, err := pages.ReadDir("pages") // sorted by name
	if err != nil {
		return nil // cannot happen: the folder is part of the program
	}
	var codes []Code
	for _, e := range entries {
		codes = append(codes, Code(strings.TrimSuffix(e.Name(), ".md")))
	}
	return codes
}

// Fence is a fenced block of a page.
type Fence struct {
	// Name is the file that holds the block, such as "policy.hcl"; it is empty
	// for a block of commands.
	Name string
	// Language is "hcl", "json" or "sh".
	Language string
	// Text is the content, with one newline at its end.
	Text string
}

// Fences returns the fenced blocks of the section "Example" in their order.
// The files come first and are written into an empty workspace; the last block
// is always of language "sh", and its last command provokes the code. A file is
// named by a line "`NAME`:" before its block; without one it is policy.hcl or
// policy.json.
func (p Page) Fences() []Fence {
	var (
		fences []Fence
		open   *Fence
		name   string
	)
	for line := range strings.Lines(p.Example + "\n") {
		text := strings.TrimSuffix(line, "\n")
		language, isFence := strings.CutPrefix(text, "```")
		switch {
		case open != nil && isFence:
			fences, open = append(fences, *open), nil
		case open != nil:
			open.Text += line
		case isFence:
			if name == "" && language != "sh" {
				name = "policy." + language
			}
			open, name = &Fence{Name: name, Language: language}, ""
		case strings.HasPrefix(text, "`") && strings.HasSuffix(text, "`:"):
			name = strings.Trim(text, "`:")
		}
	}
	return fences
}
