package document

import "slices"

// Kind is the exact type of an attribute. Nothing is converted: "1" is no
// number and 7 is no string.
type Kind uint8

// The kinds.
const (
	String    Kind = iota + 1
	Strings        // a list of strings; lists within it are flattened one level
	Paths          // Strings that are paths or globs
	Bool           // true or false
	Int            // a whole number
	Size           // a string with a unit: "512MiB"
	Duration       // a string with units: "1h30m"
	StringMap      // an object with string values
	PathsByOp      // an object: read, write and unlink, each a list of paths
	Rules          // a list of objects: path, access, action
	Any            // whatever an expression gives
)

// Attr describes an attribute.
type Attr struct {
	Name     string
	Kind     Kind
	Required bool
	Enum     []string // the permitted strings; nil means any
	Doc      string   // one sentence for the language reference
}

// BlockType describes a block.
type BlockType struct {
	Name string
	// Label names the one label, or is empty. A block with a label may be
	// repeated with another label.
	Label     string
	LabelEnum []string // the permitted labels; nil means any
	Repeat    bool     // may be repeated with the same label too
	Free      bool     // takes any attributes (locals)
	Attrs     []Attr
	Blocks    []BlockType
	Doc       string
}

// Schema returns the schema of a policy document.
func Schema() BlockType {
	fs := filesystemBlock()
	return BlockType{
		Doc: "A policy.",
		Attrs: []Attr{
			{Name: "version", Kind: Int, Required: true, Doc: "The version of the policy language: 1."},
			{Name: "name", Kind: String, Doc: "A name for messages and reports."},
			{Name: "extends", Kind: Strings, Doc: "Built-in profiles by name, or policy files that start with ./, ../, ~/ or /. The first is nearest."},
			{Name: "rules", Kind: Rules, Doc: "The flat form: entries that are read from the top, the first match decides."},
		},
		Blocks: []BlockType{
			{
				Name: "variable", Label: "name", Doc: "A value that comes from outside; used as var.NAME.",
				Attrs: []Attr{
					{Name: "env", Kind: String, Doc: "The environment variable that holds the value."},
					{Name: "default", Kind: Any, Doc: "The value if nothing else gives one."},
					{Name: "description", Kind: String, Doc: "What the value is for."},
				},
			},
			{Name: "locals", Free: true, Doc: "Names for expressions; used as local.NAME."},
			fs,
			{
				Name: "guards", Doc: "Which built-in guards do not apply.",
				Attrs: []Attr{
					{Name: "exclude", Kind: Strings, Doc: "Guards that are switched off as a whole."},
					{Name: "reason", Kind: String, Doc: "Why; required with exclude."},
				},
				Blocks: []BlockType{{
					Name: "except", Label: "guard", Doc: "Single paths that a guard leaves open.",
					Attrs: []Attr{
						{Name: "paths", Kind: Paths, Required: true, Doc: "Literal paths."},
						{Name: "access", Kind: String, Enum: []string{"read", "write"}, Doc: `What is left open: "read" (the default) or "write", which includes reading.`},
						{Name: "reason", Kind: String, Required: true, Doc: "Why."},
					},
				}},
			},
			{
				Name: "network", Doc: "What a command can reach. Absent means nothing.",
				Attrs: []Attr{
					{Name: "mode", Kind: String, Enum: []string{"none", "proxy", "full"}, Doc: `"none" (the default), "proxy" (by the host rules) or "full".`},
					{Name: "allow", Kind: Strings, Doc: `Host rules that permit, such as "*.example.com:443".`},
					{Name: "deny", Kind: Strings, Doc: "Host rules that refuse; they win over allow."},
					{Name: "loopback", Kind: String, Enum: []string{"none", "sandbox", "host"}, Doc: "What 127.0.0.1 is: nothing of the host, the sandbox's own, or the host's."},
					{Name: "unix_sockets", Kind: Paths, Doc: "Unix sockets that the command may connect to."},
				},
			},
			{
				Name: "env", Doc: "The environment of the command.",
				Attrs: []Attr{
					{Name: "inherit", Kind: String, Enum: []string{"none", "core", "all"}, Doc: `Where it starts from: "core" is the default.`},
					{Name: "pass", Kind: Strings, Doc: "Variables to hand through, by name or glob."},
					{Name: "deny", Kind: Strings, Doc: "Variables to remove, by name or glob; beats pass."},
					{Name: "set", Kind: StringMap, Doc: "Variables with fixed values; beats both."},
				},
			},
			{
				Name: "process", Doc: "What a command may do to processes and devices. All is closed by default.",
				Attrs: []Attr{
					{Name: "ptrace", Kind: Bool, Doc: "It may trace its own processes."},
					{Name: "namespaces", Kind: Bool, Doc: "It may make nested namespaces."},
					{Name: "terminal", Kind: Bool, Doc: "It keeps the caller's session and controlling terminal."},
					{Name: "devices", Kind: Paths, Doc: "Device nodes that stay usable."},
					{
						Name: "supervise", Kind: String, Enum: []string{"create", "open", "off"},
						Doc: `What is decided while the command runs, on linux: names that it makes, renames or removes ("create", the default), opening too ("open"), or nothing ("off").`,
					},
				},
			},
			{
				Name: "limits", Doc: "Bounds on the command.",
				Attrs: []Attr{
					{Name: "wall", Kind: Duration, Doc: "Elapsed time."},
					{Name: "cpu", Kind: Duration, Doc: "Processor time of one process."},
					{Name: "memory", Kind: Size, Doc: "Memory."},
					{Name: "processes", Kind: Int, Doc: "Processes and threads."},
					{Name: "open_files", Kind: Int, Doc: "Open files of one process."},
					{Name: "file_size", Kind: Size, Doc: "Size of a file that is written."},
					{Name: "output", Kind: Size, Doc: "How much of stdout and of stderr a capture keeps."},
				},
			},
			{
				Name: "target", Label: "target", LabelEnum: []string{"darwin", "linux"}, Doc: "What holds on one target only.",
				Attrs:  []Attr{{Name: "mach_services", Kind: Strings, Doc: "Mach services that may be looked up; darwin only."}},
				Blocks: []BlockType{fs},
			},
			{
				Name: "accept", Label: "code", Repeat: true, Doc: "A loss that the author knows of and takes.",
				Attrs: []Attr{
					{Name: "rule", Kind: String, Required: true, Doc: "The address of the rule, or of the list or block that holds it."},
					{Name: "target", Kind: String, Enum: []string{"darwin", "linux"}, Doc: "The target; absent means every target."},
					{Name: "reason", Kind: String, Required: true, Doc: "Why."},
				},
			},
			{
				Name: "test", Label: "name", Doc: "What the policy must permit and refuse.",
				Attrs: []Attr{
					{Name: "allow", Kind: PathsByOp, Doc: "What must be permitted."},
					{Name: "deny", Kind: PathsByOp, Doc: "What must be refused; a glob is proved for every path."},
				},
			},
		},
	}
}

// FloorSchema returns the schema of a floor: of a policy document whose allow
// blocks also say of what kind their paths are.
func FloorSchema() BlockType { return withKind(Schema()) }

func withKind(b BlockType) BlockType {
	if b.Name == "allow" {
		b.Attrs = append(slices.Clip(b.Attrs), Attr{
			Name: "kind", Kind: String, Enum: []string{"tree", "alone", "required", "private"},
			Doc: `The path and all beneath ("tree", the default), the path alone, the path alone and above every root, or storage of the sandbox's own.`,
		})
	}
	b.Blocks = slices.Clone(b.Blocks)
	for i, c := range b.Blocks {
		b.Blocks[i] = withKind(c)
	}
	return b
}

func filesystemBlock() BlockType {
	closing := []Attr{
		{Name: "paths", Kind: Paths, Required: true, Doc: "Paths or globs; each covers what it matches and all beneath."},
		{Name: "except", Kind: Paths, Doc: "Paths or globs that the rule leaves out, with all beneath."},
		{Name: "access", Kind: String, Enum: []string{"all", "write"}, Doc: `What is closed: "all" (the default) or "write".`},
		{Name: "only", Kind: String, Enum: []string{"nondirectory"}, Doc: `"nondirectory" restricts the rule to what is not a directory.`},
		{Name: "on_missing", Kind: String, Enum: []string{"reserve", "skip", "refuse"}, Doc: `What to do if a literal path does not exist at the start; with a glob "skip" leaves the names free that do not.`},
		{Name: "sweep", Kind: String, Enum: []string{"report", "quarantine"}, Doc: "What the launcher does with a name that appeared during the run."},
		{Name: "reason", Kind: String, Doc: "Why; shown by explain."},
	}
	return BlockType{
		Name: "filesystem", Doc: "Which paths a command may read and write.",
		Attrs: []Attr{
			{Name: "read", Kind: Paths, Doc: "Roots that may be read."},
			{Name: "write", Kind: Paths, Doc: "Roots that may be read and written."},
			{Name: "none", Kind: Paths, Doc: "Roots that are closed; a deeper root may reopen."},
			{Name: "tmp", Kind: String, Enum: []string{"shared", "private"}, Doc: `Temporary directories: "shared" (the default) or "private", fresh for each run.`},
		},
		Blocks: []BlockType{
			{
				Name: "allow", Label: "name", Doc: "Roots with a name; what the lists are short for.",
				Attrs: []Attr{
					{Name: "paths", Kind: Paths, Required: true, Doc: "Literal paths."},
					{Name: "access", Kind: String, Enum: []string{"read", "write"}, Doc: `"read" (the default) or "write".`},
					{Name: "on_missing", Kind: String, Enum: []string{"create", "skip", "refuse"}, Doc: "What to do if a path does not exist at the start."},
					{Name: "reason", Kind: String, Doc: "Why; shown by explain."},
				},
			},
			{Name: "deny", Label: "name", Doc: "Absolute: no grant opens it.", Attrs: closing},
			{Name: "ask", Label: "name", Doc: "Closed, but a grant may open it for one run.", Attrs: closing},
		},
	}
}
