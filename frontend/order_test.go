package frontend_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/frontend"
)

func TestDecisionList(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		src    string
		change func(*frontend.Options)
		files  memFiles
		diags  []string
		want   []string
	}{
		{
			name: "roots stand deepest first and closings above them",
			src: `filesystem {
  read  = ["/usr"]
  write = [workspace, "${user_cache}/go-build"]
  none  = ["~/Documents"]
  deny "dotenv" {
    paths  = ["**/.env"]
    except = ["**/.env.example"]
  }
  ask "npm token" { paths = ["~/.npmrc"] }
  deny "lock" {
    paths  = ["./go.sum"]
    access = "write"
  }
}`,
			want: []string{
				"deny: deny/deny glob /**/.env except /**/.env.example workspace filesystem.deny.dotenv",
				"deny: pass/deny subtree /w/go.sum workspace filesystem.deny.lock",
				"ask: ask/ask subtree /home/u/.npmrc workspace filesystem.ask.npm token",
				"root: allow/allow subtree /home/u/.cache/go-build workspace filesystem.write[${user_cache}/go-build]",
				"root: deny/deny subtree /home/u/Documents workspace filesystem.none[~/Documents]",
				"root: allow/deny subtree /usr workspace filesystem.read[/usr]",
				"root: allow/allow subtree /w workspace filesystem.write[workspace]",
			},
		},
		{
			name: "a slash at the end makes no bare name of a directory",
			src: `filesystem {
  deny "x" { paths = ["~/", "./", "../", "/opt/"] }
}`,
			want: []string{
				"deny: deny/deny subtree /home/u workspace filesystem.deny.x",
				"deny: deny/deny subtree /w workspace filesystem.deny.x",
				"deny: deny/deny subtree / workspace filesystem.deny.x",
				"deny: deny/deny subtree /opt workspace filesystem.deny.x",
			},
		},
		{
			name: "at one path the higher layer comes first, and none wins over write over read",
			src: `extends = ["./base.hcl"]
filesystem {
  read  = ["./a", "./b"]
  write = ["./a", "./c"]
  none  = ["./c"]
}`,
			files: memFiles{"/w/base.hcl": "version = 1\nfilesystem { write = [\"./b\"] }\n"},
			diags: []string{"SBC1002 warning policy.hcl:8:12", "SBC1002 warning policy.hcl:9:19"},
			want: []string{
				"root: allow/allow subtree /w/a workspace filesystem.write[./a]",
				"root: allow/deny subtree /w/b workspace filesystem.read[./b]",
				"root: allow/allow subtree /w/b profile filesystem.write[./b]",
				"root: deny/deny subtree /w/c workspace filesystem.none[./c]",
			},
		},
		{
			name: "the flat form of the design",
			src: `rules = [
  { path = "dist", access = "write", action = "allow" },
  { path = "~/notes", access = "write", action = "ask" },
  { path = "private-data", action = "deny" },
]`,
			want: []string{
				"root: pass/ask subtree /home/u/notes workspace rules[1]",
				"root: allow/allow subtree /w/dist workspace rules[0]",
				"root: deny/deny subtree /w/private-data workspace rules[2]",
			},
		},
		{
			name: "in a rule list the first match decides",
			src: `rules = [
  { path = "/w/secret/pub", access = "read", action = "allow" },
  { path = "/w/**/*.pem", action = "deny" },
  { path = "/w", access = "read", action = "allow" },
  { path = "/w/secret", action = "deny" },
  { path = "/w/secret/x", action = "deny" },
]`,
			diags: []string{"SBC1001 warning policy.hcl:11:12"},
			want: []string{
				`glob: deny/deny glob /w/**/*.pem except /w/secret/pub workspace rules[1]`,
				`glob: pass/deny glob /w/**/*.pem workspace rules[1]`,
				"root: allow/pass subtree /w/secret/pub workspace rules[0]",
				"root: pass/deny subtree /w/secret workspace rules[3]",
				"root: allow/pass subtree /w workspace rules[2]",
			},
		},
		{
			name: "a path under /tmp, /var or /etc is itself on linux and beneath /private on darwin",
			src:  `filesystem { read = ["/etc/hosts"] }`,
			want: []string{
				"root: allow/deny subtree /private/etc/hosts workspace filesystem.read[/etc/hosts] on darwin",
				"root: allow/deny subtree /etc/hosts workspace filesystem.read[/etc/hosts] on linux",
			},
		},
		{
			name: "target blocks hold on their target",
			src: `target "darwin" {
  filesystem { read = ["~/Library/Preferences"] }
}`,
			want: []string{"root: allow/deny subtree /home/u/Library/Preferences workspace target.darwin.filesystem.read[~/Library/Preferences] on darwin"},
		},
		{
			name: "a grant that answers no ask is a session root that never narrows",
			src:  `filesystem { write = ["."] }`,
			change: func(o *frontend.Options) {
				o.Read, o.Write = []string{"/w/sub", "~/notes"}, []string{"out"}
			},
			want: []string{
				"root: allow/pass subtree /home/u/notes session session.read[~/notes]",
				"root: allow/allow subtree /w/out session session.write[out]",
				"root: allow/pass subtree /w/sub session session.read[/w/sub]",
				"root: allow/allow subtree /w workspace filesystem.write[.]",
			},
		},
		{
			name: "a grant that answers an ask stands above the asks",
			src: `filesystem {
  ask "notes" { paths = ["~/notes"] }
}`,
			change: func(o *frontend.Options) { o.Read = []string{"~/notes/a", "~"} },
			want: []string{
				"grant: allow/pass subtree /home/u/notes/a session session.read[~/notes/a]",
				"ask: ask/ask subtree /home/u/notes workspace filesystem.ask.notes",
				"root: allow/pass subtree /home/u session session.read[~]",
			},
		},
		{
			name: "of a narrow layer only the closings count",
			src: `filesystem {
  read  = ["/"]
  write = ["."]
}`,
			change: func(o *frontend.Options) { o.Narrow = []string{"narrow.hcl"} },
			files: memFiles{"/w/narrow.hcl": `version = 1
extends = ["./more.hcl"]
guards {
  exclude = ["credentials"]
  reason  = "x"
}
filesystem {
  read  = ["./docs"]
  write = ["/home/u"]
  none  = ["./private"]
  deny "keys" {
    paths      = ["./keys"]
    on_missing = "refuse"
  }
  ask "notes" { paths = ["./notes"] }
}
network { mode = "full" }
env {
  pass = ["FOO"]
  deny = ["BAR"]
  set  = { A = "b" }
}
limits { wall = "1h" }
accept "SBC2101" {
  rule   = "filesystem"
  reason = "x"
}
`, "/w/more.hcl": "version = 1\nfilesystem { write = [\"/\"] }\n"},
			diags: []string{
				"SBC1003 warning more.hcl:2:23", "SBC1003 warning narrow.hcl:4:3", "SBC1003 warning narrow.hcl:9:12", "SBC1003 warning narrow.hcl:13:5",
				"SBC1003 warning narrow.hcl:17:11", "SBC1003 warning narrow.hcl:19:11", "SBC1003 warning narrow.hcl:21:12", "SBC1003 warning narrow.hcl:24:1",
			},
			want: []string{
				"deny: deny/deny subtree /w/keys workspace filesystem.deny.keys",
				"narrow ask: ask/ask subtree /w/notes workspace filesystem.ask.notes",
				"root: pass/deny subtree /w/docs workspace filesystem.read[./docs]",
				"root: deny/deny subtree /w/private workspace filesystem.none[./private]",
				"root: allow/allow subtree /w workspace filesystem.write[.]",
				"root: allow/deny subtree / workspace filesystem.read[/]",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			files := memFiles{"/w/policy.hcl": bare + tt.src}
			for k, v := range tt.files {
				files[k] = v
			}
			got := rules(t, files, tt.change, tt.diags...)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("rules (-want +got):\n%s", diff)
			}
		})
	}
}
