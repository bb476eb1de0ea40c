package conformance_test

import (
	"fmt"
	"strings"
	"testing"
)

const noGuards = `version = 1
guards {
  exclude = ["credentials", "git-exec", "git-config", "shell-startup", "agent-config", "editor-config", "sbc-files"]
  reason  = "only what is written here"
}
`

// TestNamed: policies on which the kernel or a proof once disagreed with the
// report.
func TestNamed(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		tree   []string
		policy string
	}{
		{
			"a closed link that an opening passes can be replaced",
			[]string{"w/a", "w/.env->a"},
			`filesystem {
  read  = ["$D/w/.env"]
  write = ["$D/w"]
  deny "link" {
    paths  = ["$D/w/.env"]
    access = "write"
  }
}`,
		},
		{
			"an exception that leaves open all that a rule closes",
			[]string{"w/a/"},
			`filesystem {
  write = ["$D/w"]
  deny "dead" {
    paths      = ["$D/w/a/c/b"]
    except     = ["**/b"]
    on_missing = "skip"
  }
}`,
		},
		{
			"an exception for a link in a root that is closed",
			[]string{"w/a", "w/b->a"},
			`filesystem {
  write = ["$D/w"]
  ask "all" {
    paths  = ["$D/w"]
    access = "write"
    except = ["**/b"]
  }
}`,
		},
		{
			"an exception that does not exist in what a glob closes",
			[]string{"w/a"},
			`filesystem {
  write = ["$D/w"]
  deny "all" {
    paths  = ["$D/*"]
    access = "write"
    except = ["$D/w/b/x.key"]
  }
}`,
		},
		{
			"a placeholder beside a root that does not exist", nil,
			`filesystem {
  write = ["$D/w", "$D/w/conf/out"]
  deny "secret" {
    paths = ["$D/w/conf/secret"]
  }
}`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			for _, uid := range users() {
				t.Run(fmt.Sprint("uid ", uid), func(t *testing.T) {
					t.Parallel()
					w := newWorld(t, uid, append([]string{"r/"}, tc.tree...))
					defer w.remove()
					policy := strings.Replace(noGuards+tc.policy, "filesystem {\n", fmt.Sprintf("filesystem {\n  tmp = \"private\"\n  read = [%q]\n", scratch+"/bin"), 1)
					if strings.Contains(tc.policy, "read  = [") {
						policy = strings.Replace(noGuards+tc.policy, "read  = [", fmt.Sprintf("tmp = \"private\"\n  read  = [%q, ", scratch+"/bin"), 1)
					}
					s := w.compile(t, policy)
					if s == nil {
						t.Fatal("refused")
					}
					if bad, _ := s.disagreements(t); len(bad) > 0 {
						t.Errorf("%s\n%s\n%s", strings.Join(bad, "\n"), strings.Join(s.args, " "), s.verdicts())
					}
				})
			}
		})
	}
}
