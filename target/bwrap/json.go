package bwrap

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// The JSON form of an artefact. Strings that are not UTF-8 are written as bash
// reads them, $'...'; args0 and seccomp are exact, in base64.
type planJSON struct {
	Version       int         `json:"version"`
	Target        string      `json:"target"`
	Arch          string      `json:"arch"`
	Bwrap         string      `json:"bwrap,omitempty"`
	Mounts        []mountJSON `json:"mounts"`
	Seal          []string    `json:"seal"`
	HideRoot      bool        `json:"hide_root"`
	ShareNet      bool        `json:"share_net"`
	NewSession    bool        `json:"new_session"`
	DisableUserns bool        `json:"disable_userns"`
	Create        []string    `json:"create"`
	Placeholders  []string    `json:"placeholders"`
	MaskFile      string      `json:"mask_file,omitempty"`
	Supervise     *watchJSON  `json:"supervise,omitempty"`
	Writable      []string    `json:"writable"`
	FDs           []fdJSON    `json:"fds"`
	Tmp           string      `json:"tmp"`
	Env           envJSON     `json:"env"`
	Limits        limitsJSON  `json:"limits"`
	Argv          []string    `json:"argv"`
	Args0         []byte      `json:"args0"`
	Seccomp       []byte      `json:"seccomp"`
}

// watchJSON is what the launcher decides while the command runs.
type watchJSON struct {
	Mode     string `json:"mode"` // "create" or "open"
	Removals bool   `json:"removals"`
	Free     []int  `json:"free,omitempty"` // indices of rules that leave names free
}

type mountJSON struct {
	Kind        Kind   `json:"kind"`
	Path        string `json:"path"`
	Host        string `json:"host,omitempty"`
	Perm        string `json:"perm,omitempty"`
	Text        string `json:"text,omitempty"`
	FD          int    `json:"fd,omitempty"`
	Late        bool   `json:"late,omitempty"`
	Placeholder bool   `json:"placeholder,omitempty"`
	Optional    bool   `json:"optional,omitempty"`
	Rules       []int  `json:"rules,omitempty"`
}

type fdJSON struct {
	FD   int    `json:"fd"`
	Use  string `json:"use"` // "seccomp", "args" or "mask"
	Path string `json:"path,omitempty"`
}

type envJSON struct {
	Inherit string            `json:"inherit"`
	Pass    []string          `json:"pass"`
	Deny    []string          `json:"deny"`
	Set     map[string]string `json:"set"`
}

// Limits that are not set are left out.
type limitsJSON struct {
	WallMS    int64 `json:"wall_ms,omitempty"`
	CPUMS     int64 `json:"cpu_ms,omitempty"`
	Memory    int64 `json:"memory,omitempty"`
	Processes int64 `json:"processes,omitempty"`
	OpenFiles int64 `json:"open_files,omitempty"`
	FileSize  int64 `json:"file_size,omitempty"`
	Output    int64 `json:"output,omitempty"`
}

func (a *Artifact) json() ([]byte, error) {
	p := &a.Plan
	out := planJSON{
		Version: PlanVersion, Target: "linux", Arch: a.Arch, Bwrap: visible(a.Bwrap),
		Mounts: []mountJSON{}, Seal: allVisible(p.Seal), HideRoot: p.HideRoot, ShareNet: p.ShareNet,
		NewSession: p.NewSession, DisableUserns: p.DisableUserns, Create: allVisible(p.Create),
		Placeholders: allVisible(p.Placeholders), MaskFile: visible(p.MaskFile), Writable: allVisible(p.Writable),
		FDs: []fdJSON{{FD: SeccompFD, Use: "seccomp"}, {FD: ArgsFD, Use: "args"}},
		Tmp: p.TmpMode.String(),
		Env: envJSON{Inherit: p.Env.Inherit.Value.String(), Pass: []string{}, Deny: []string{}, Set: map[string]string{}},
		Limits: limitsJSON{
			WallMS: p.Wall.Milliseconds(), CPUMS: p.CPU.Milliseconds(), Memory: p.Memory, Processes: p.Procs,
			OpenFiles: p.Open, FileSize: p.FileSize, Output: p.Output,
		},
		Argv: allVisible(a.Args()), Args0: a.args0(), Seccomp: a.Seccomp,
	}
	if s := p.Supervise; s != nil {
		out.Supervise = &watchJSON{Mode: s.Mode.String(), Removals: s.Removals, Free: s.Free}
	}
	for _, m := range p.Mounts {
		j := mountJSON{
			Kind: m.Kind, Path: visible(m.Path), Host: m.Host, Text: visible(m.Text), FD: m.FD, Late: m.Late,
			Placeholder: m.Placeholder, Optional: m.Optional, Rules: m.Rules,
		}
		switch m.Kind {
		case ClosedDir, ClosedFile, EmptyDir, MadeDir, PrivateTmp:
			j.Perm = octal(m.Perm)
		case ReadOnlyBind, WritableBind, PinBind, DeviceBind, MadeLink, PrivateDev, PrivateProc:
		}
		out.Mounts = append(out.Mounts, j)
		if m.FD != 0 {
			out.FDs = append(out.FDs, fdJSON{FD: m.FD, Use: "mask", Path: visible(m.Path)})
		}
	}
	for _, r := range p.Env.Pass {
		out.Env.Pass = append(out.Env.Pass, r.Pattern)
	}
	for _, r := range p.Env.Deny {
		out.Env.Deny = append(out.Env.Deny, r.Pattern)
	}
	for _, v := range p.Env.Set {
		out.Env.Set[v.Name] = visible(v.Value)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(out); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// visible returns s if JSON can hold it, otherwise its quoted form.
func visible(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return Quote(s)
}

func allVisible(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = visible(s)
	}
	return out
}
