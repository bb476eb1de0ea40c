# What an AI agent may do in this checkout. It reads the system and the project,
# writes the project and temporary directories, and has no network. Keys, tokens,
# git hooks and the like are closed by the guards: `sbc profiles list`.
#
# `sbc explain` shows what becomes of each rule on macOS and on Linux,
# `sbc why write PATH` which rule decides about a path.
version = 1
name    = "agent"
extends = ["workspace-write-no-network"]

filesystem {
  # Folders of yours that no task needs.
  none = ["~/Documents", "~/Downloads", "~/Desktop", "~/Pictures"]

  # Caches outside of the project that tools write.
  # allow "caches" {
  #   paths      = ["${user_cache}/go-build", "~/.npm"]
  #   access     = "write"
  #   on_missing = "create"
  # }

  # Closed for good: no --read or --write opens it for a run. A name everywhere
  # is written "**/NAME", one in the project "./NAME".
  # deny "secrets" {
  #   paths = ["./secrets"]
  # }

  # Readable, but not to be changed.
  # deny "pipelines" {
  #   paths  = ["./.github"]
  #   access = "write"
  # }
}

# The network through a proxy that lets only these hosts pass.
# network {
#   mode  = "proxy"
#   allow = ["api.example.com:443"]
# }

env {
  # A few harmless variables are inherited. Name others that the agent needs; one
  # that looks like a secret has to be named in full.
  # pass = ["GOPROXY"]
  set = { GIT_TERMINAL_PROMPT = "0" }
}

limits {
  wall = "1h"
}

# What must hold, whatever else is changed above.
test "keeps secrets" {
  deny  = { read = ["~/.ssh/**", "./.env"], write = ["./.git/hooks/pre-commit"] }
  allow = { write = ["./README.md"] }
}
