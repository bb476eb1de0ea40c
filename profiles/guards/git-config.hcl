# Git's configuration names programs that git runs. Ordinary git edits it too,
# so that a grant opens it.
version = 1
name    = "git-config"

filesystem {
  ask "repository" {
    paths  = concat(["**/.git/config"], [for d in git_dirs : "${d}/config"])
    access = "write"
    sweep  = "report"
    reason = "core.fsmonitor, core.hooksPath, filters and aliases run programs"
  }
  ask "user" {
    paths  = ["~/.gitconfig", "~/.config/git"]
    access = "write"
    reason = "it counts in every repository"
  }
}
