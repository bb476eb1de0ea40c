# Settings of editors that name programs to run when a directory is opened.
version = 1
name    = "editor-config"

filesystem {
  deny "settings" {
    paths  = ["**/.vscode", "**/.idea", "**/.zed", "**/.fleet", "**/.devcontainer", "**/.exrc", "**/.nvimrc", "**/.nvim.lua", "**/.vimrc", "**/.dir-locals.el"]
    except = ["**/node_modules", "**/.cache", "**/.venv", "**/vendor"]
    access = "write"
    sweep  = "quarantine"
    reason = "tasks and plug-ins run when the editor opens the directory"
  }
}
