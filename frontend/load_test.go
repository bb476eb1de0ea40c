package frontend_test

import (
	"fmt"
	"io/fs"
	"testing"

	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

type memFiles map[string]string

func (m memFiles) ReadFile(path string) ([]byte, error) {
	s, ok := m[path]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return []byte(s), nil
}

func load(t *testing.T, files memFiles, change func(*frontend.Options)) (*ir.Policy, diag.List) {
	t.Helper()
	o := frontend.Options{
		Policy: "policy.hcl", Workspace: "/w", WorkDir: "/w", Host: host.Empty{}, Files: files,
		Facts: &host.Facts{OS: "linux", Home: "/home/u", Temp: "/tmp", Cache: "/home/u/.cache"},
	}
	if change != nil {
		change(&o)
	}
	return frontend.Load(o)
}

func TestSmoke(t *testing.T) {
	p, ds := load(t, memFiles{"/w/policy.hcl": `
version = 1
extends = ["workspace-write-no-network"]
filesystem {
  none = ["~/Documents"]
  deny "dotenv" {
    paths  = ["**/.env"]
    except = ["**/.env.example"]
  }
}
env { set = { CI = "1" } }
limits { memory = "2GiB" }
`}, nil)
	for _, d := range ds {
		fmt.Println(d)
	}
	for _, r := range p.Files {
		fmt.Println(r.Group, r.Read, r.Write, r.Match, r.Layer, r.Target, r.Origin.Address, r.OnMissing)
	}
}
