# What git would run, or follow to other configuration, the next time somebody
# uses the checkout outside the sandbox.
version = 1
name    = "git-exec"

filesystem {
  deny "hooks" {
    paths = concat(
      ["**/.git/hooks/*", "**/.git/modules/**/hooks/*", "**/.git/worktrees/*/modules/**/hooks/*"],
      [for d in git_dirs : "${d}/hooks/*"],
      [for d in git_dirs : "${d}/modules/**/hooks/*"],
      [for d in git_dirs : "${d}/worktrees/*/modules/**/hooks/*"],
    )
    except = concat(
      ["**/.git/hooks/*.sample", "**/.git/modules/**/hooks/*.sample", "**/.git/worktrees/*/modules/**/hooks/*.sample"],
      [for d in git_dirs : "${d}/hooks/*.sample"],
      [for d in git_dirs : "${d}/modules/**/hooks/*.sample"],
      [for d in git_dirs : "${d}/worktrees/*/modules/**/hooks/*.sample"],
    )
    access = "write"
    sweep  = "quarantine"
    reason = "git runs hooks"
  }
  deny "in samples" {
    paths = concat(
      ["**/.git/hooks/*.sample/*", "**/.git/modules/**/hooks/*.sample/*", "**/.git/worktrees/*/modules/**/hooks/*.sample/*"],
      [for d in git_dirs : "${d}/hooks/*.sample/*"],
    )
    access = "write"
    sweep  = "quarantine"
    reason = "a sample is a file; another checkout within one would have hooks of its own"
  }
  deny "hook directories" {
    paths = concat(
      ["**/.git/hooks", "**/.git/modules/**/hooks", "**/.git/worktrees/*/modules/**/hooks"],
      [for d in git_dirs : "${d}/hooks"],
      [for d in git_dirs : "${d}/modules/**/hooks"],
      [for d in git_dirs : "${d}/worktrees/*/modules/**/hooks"],
    )
    only   = "nondirectory"
    access = "write"
    sweep  = "quarantine"
    reason = "a link would lead git to other hooks"
  }
  # git worktree add and git submodule add make these. A new one counts in the
  # directory that it is made for; what exists stays as it is.
  deny "pointers" {
    paths      = ["**/.git"]
    only       = "nondirectory"
    access     = "write"
    on_missing = "skip"
    sweep      = "quarantine"
    reason     = "a .git file or link leads git to another repository"
  }
  deny "worktrees" {
    paths = concat(
      ["**/.git/worktrees/*/commondir", "**/.git/worktrees/*/gitdir"],
      [for d in git_dirs : "${d}/worktrees/*/commondir"],
      [for d in git_dirs : "${d}/worktrees/*/gitdir"],
    )
    access     = "write"
    on_missing = "skip"
    sweep      = "quarantine"
    reason     = "git follows these from a worktree to its configuration and hooks"
  }
  deny "indirections" {
    paths = concat(
      [
        "**/.git/commondir", "**/.git/gitdir", "**/.git/config.worktree",
        "**/.git/worktrees/*/config.worktree",
        "**/.git/modules/**/commondir", "**/.git/modules/**/config.worktree",
        "**/.git/worktrees/*/modules/**/commondir", "**/.git/worktrees/*/modules/**/config.worktree",
      ],
      [for d in git_dirs : "${d}/commondir"],
      [for d in git_dirs : "${d}/config.worktree"],
      [for d in git_dirs : "${d}/worktrees/*/config.worktree"],
    )
    access = "write"
    sweep  = "quarantine"
    reason = "git follows these to other configuration and hooks"
  }
  deny "submodule configuration" {
    paths = concat(
      ["**/.git/modules/**/config", "**/.git/worktrees/*/modules/**/config"],
      [for d in git_dirs : "${d}/modules/**/config"],
      [for d in git_dirs : "${d}/worktrees/*/modules/**/config"],
    )
    access     = "write"
    on_missing = "skip"
    sweep      = "quarantine"
    reason     = "configuration names programs that git runs"
  }
  deny "bare repository" {
    paths  = ["./HEAD"]
    access = "write"
    sweep  = "quarantine"
    reason = "with HEAD, objects and refs the workspace itself becomes a repository, and its config and hooks count"
  }
}
