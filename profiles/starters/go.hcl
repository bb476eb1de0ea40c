# What Go may do in this module: write it and Go's caches, and reach the module
# proxy through a proxy of its own. Keys, tokens and git hooks are closed by the
# guards: `sbc profiles list`.
#
# `sbc explain` shows what becomes of each rule on macOS and on Linux,
# `sbc why write PATH` which rule decides about a path.
version = 1
name    = "go"
extends = ["workspace-proxy"]

filesystem {
  # Folders of yours that no build needs.
  none = ["~/Documents", "~/Downloads", "~/Desktop", "~/Pictures"]

  allow "caches" {
    paths      = ["${user_cache}/go-build", "~/go/pkg/mod"]
    access     = "write"
    on_missing = "create"
    reason     = "built packages and downloaded modules"
  }

  # A build that does not choose its dependencies.
  # deny "dependencies" {
  #   paths  = ["./go.mod", "./go.sum"]
  #   access = "write"
  # }
}

network {
  allow = ["proxy.golang.org:443", "sum.golang.org:443"]
}

env {
  # Settings of private modules.
  # pass = ["GOPRIVATE", "GOPROXY"]
  set = { GOTOOLCHAIN = "local" }
}

limits {
  wall = "30m"
}

# What must hold, whatever else is changed above.
test "keeps secrets" {
  deny  = { read = ["~/.ssh/**", "./.env"], write = ["./.git/hooks/pre-commit"] }
  allow = { write = ["./main.go", "${user_cache}/go-build/00"] }
}
