# An AI agent that works in a git checkout, worktrees included. It reads the
# system and the project, writes the project, and reaches no network.
version = 1
name    = "agent"
extends = ["workspace-write-no-network"]

filesystem {
  none = ["~/Documents", "~/Downloads", "~/Desktop", "~/Pictures"]

  allow "go caches" {
    paths      = ["${user_cache}/go-build", "~/go/pkg/mod"]
    access     = "write"
    on_missing = "create"
  }
  # Absolute, unlike the credentials guard, which a grant opens for one run.
  deny "deployment" {
    paths = ["./secrets"]
  }
  deny "pipelines" {
    paths  = ["./.github", "./.gitlab-ci.yml"]
    access = "write"
    reason = "what runs on our servers is changed by people"
  }
}

env {
  pass = ["GOPROXY", "GOPRIVATE"]
  set  = { GIT_TERMINAL_PROMPT = "0" }
}

limits {
  wall = "30m"
}

test "keeps secrets" {
  deny = {
    read  = ["~/.ssh/**", "./.env", "./secrets/**"]
    write = ["./.git/hooks/pre-commit", "./.github/**", "**/.bashrc"]
  }
  allow = {
    read  = ["/usr/bin/env"]
    write = ["./main.go", "~/go/pkg/mod/cache/lock"]
  }
}
