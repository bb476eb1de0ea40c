package frontend_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An exception is unused if it takes nothing from the paths of its block.
func TestUnusedExceptions(t *testing.T) {
	t.Parallel()
	unused := []string{"SBC1006 warning policy.hcl:6:15"}
	for _, tt := range []struct {
		name, paths, except string
		want                []string
	}{
		{"a path beneath a path", "./a", "./a/b", nil},
		{"the path itself", "./a", "./a", nil},
		{"a path above a path", "./a/b", "./a", nil},
		{"a path beside a path", "./a", "./ab", unused},
		{"a match of a glob", "**/*.pem", "./a/b.pem", nil},
		{"what lies beneath a match", "./*.pem", "./b.pem/c", nil},
		{"a directory that holds matches", "**/*.pem", "./certs/public", nil},
		{"a directory that holds matches, further down", "./certs/*/keys/*.pem", "./certs/public", nil},
		{"a directory that a segment matches not", "./certs/[a-c]*/*.pem", "./certs/public", unused},
		{"a directory that no match lies in", "./certs/*.pem", "./certs/public", unused},
		{"a directory above a glob", "./certs/public/*.pem", "./certs", nil},
		{"a directory beside the base of a glob", "./certs/**/*.pem", "./public", unused},
		{"one of two alternatives", "./{certs,keys}/**/*.pem", "./keys/public", nil},
		{"none of two alternatives", "./{certs,keys}/**/*.pem", "./other/public", unused},
		{"another case", "./certs/**/*.pem", "./Certs/public", nil},
		{"the root", "./certs/*.pem", "/", nil},
		{"a glob in a path", "./a", "./a/*.pem", nil},
		{"a glob beside a path", "./a", "./b/*.pem", unused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			src := fmt.Sprintf("version = 1\nfilesystem {\n  write = [workspace]\n  deny \"a\" {\n    paths  = [%q]\n    except = [%q]\n  }\n}\n", tt.paths, tt.except)
			_, ds := load(t, memFiles{"/w/policy.hcl": src}, nil)
			if diff := cmp.Diff(tt.want, codes(ds)); diff != "" {
				t.Errorf("diagnostics (-want +got):\n%s", diff)
			}
		})
	}
}
