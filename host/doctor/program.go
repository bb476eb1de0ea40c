package doctor

import (
	"fmt"
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir/diag"
)

// oldest is the first bubblewrap that has every option that is needed.
const oldest = "0.5.0"

// NeededFlags lists the options of bubblewrap that compiled policies and
// `sbc run` rely on, in the order of its manual.
func NeededFlags() []string {
	return []string{
		"--args", "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
		"--chdir", "--bind", "--dev-bind", "--ro-bind", "--remount-ro", "--proc", "--dev", "--tmpfs", "--dir", "--ro-bind-data", "--symlink",
		"--seccomp", "--new-session", "--die-with-parent", "--cap-drop", "--perms", "--chmod",
	}
}

// optional lists the options that make sandboxes better where they exist.
func optional() []struct{ flag, use string } {
	return []struct{ flag, use string }{
		{"--disable-userns", "nested user namespaces are refused by the seccomp program alone"},
		{"--size", "a private directory may take half of the memory"},
		{"--json-status-fd", "a command that fails cannot be told from a sandbox that does not start"},
	}
}

func present(b *host.Bwrap) Check {
	if b == nil {
		return Check{
			Name: "bubblewrap", Status: Fail, Code: diag.CodeBinaryMissing,
			Detail: "There is no program bwrap in the absolute directories of PATH.",
			Remedy: `Install the package "bubblewrap": apt install bubblewrap, dnf install bubblewrap, or pacman -S bubblewrap.`,
		}
	}
	return Check{Name: "bubblewrap", Status: OK, Detail: "It is " + b.Path + "."}
}

// version judges by the options, too: distributions add them to old versions.
func version(b *host.Bwrap) Check {
	c := Check{Name: "version", Status: OK, Detail: "It is bubblewrap " + b.Version + "."}
	switch {
	case b.Version == "" && len(b.Flags) == 0:
		c.Status, c.Code = Fail, diag.CodeStartFailed
		c.Detail = b.Path + " answers neither --version nor --help."
		c.Remedy = "See what it prints, and install bubblewrap again."
	case b.Version == "":
		c.Status, c.Code = Warn, diag.CodeVersionTooOld
		c.Detail = b.Path + " --version does not say which bubblewrap it is."
		c.Remedy = "Install bubblewrap " + oldest + " or newer."
	case b.Before(oldest) && len(lacking(b)) > 0:
		c.Status, c.Code = Fail, diag.CodeVersionTooOld
		c.Detail = fmt.Sprintf("It is bubblewrap %s; %s is the oldest that will do.", b.Version, oldest)
		c.Remedy = "Install bubblewrap " + oldest + " or newer."
	}
	return c
}

func lacking(b *host.Bwrap) []string {
	var lacks []string
	for _, f := range NeededFlags() {
		if !b.Has(f) {
			lacks = append(lacks, f)
		}
	}
	return lacks
}

func flags(b *host.Bwrap) Check {
	if lacks := lacking(b); len(lacks) > 0 {
		return Check{
			Name: "options", Status: Fail, Code: diag.CodeFeatureMissing,
			Detail: "bwrap --help does not list " + strings.Join(lacks, ", ") + ".",
			Remedy: "Install bubblewrap " + oldest + " or newer.",
		}
	}
	return Check{Name: "options", Status: OK, Detail: "It has every option that is needed."}
}

func optionalFlags(b *host.Bwrap) Check {
	var lacks []string
	for _, o := range optional() {
		if !b.Has(o.flag) {
			lacks = append(lacks, fmt.Sprintf("without %s %s", o.flag, o.use))
		}
	}
	if len(lacks) > 0 {
		text := strings.Join(lacks, "; ")
		return Check{
			Name: "optional options", Status: Warn, Code: diag.CodeFeatureMissing,
			Detail: strings.ToUpper(text[:1]) + text[1:] + ".",
			Remedy: "Install bubblewrap 0.8.0 or newer.",
		}
	}
	return Check{Name: "optional options", Status: OK, Detail: "It has every option that makes sandboxes better."}
}
