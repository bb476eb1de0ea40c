# Git's configuration names programs that git runs. Ordinary git edits it too,
# so that a grant opens it. Git also writes it when it makes a repository: where
# a system tells what exists from what is new, a new one is reported and not
# refused, so that git init and git clone work.
version = 1
name    = "git-config"

filesystem {
  ask "repository" {
    paths      = concat(["**/.git/config"], [for d in git_dirs : "${d}/config"])
    access     = "write"
    on_missing = "skip"
    sweep      = "report"
    reason     = "core.fsmonitor, core.hooksPath, filters and aliases run programs"
  }
  ask "user" {
    paths  = ["~/.gitconfig", "~/.config/git"]
    access = "write"
    reason = "it counts in every repository"
  }
}
