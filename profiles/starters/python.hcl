# What Python, uv and pip may do in this project: write it and their caches, and
# reach the package index through a proxy. Setup code is code of strangers; keys,
# tokens and git hooks are closed by the guards: `sbc profiles list`.
#
# `sbc explain` shows what becomes of each rule on macOS and on Linux,
# `sbc why write PATH` which rule decides about a path.
version = 1
name    = "python"
extends = ["workspace-proxy"]

filesystem {
  # Folders of yours that no package needs.
  none = ["~/Documents", "~/Downloads", "~/Desktop", "~/Pictures"]

  allow "caches" {
    paths      = ["${user_cache}/uv", "${user_cache}/pip"]
    access     = "write"
    on_missing = "create"
    reason     = "the caches of uv and pip"
  }

  # Interpreters that uv installs.
  # allow "interpreters" {
  #   paths      = ["~/.local/share/uv"]
  #   access     = "write"
  #   on_missing = "create"
  # }
}

network {
  allow = ["pypi.org:443", "files.pythonhosted.org:443"]
}

env {
  set = { PIP_DISABLE_PIP_VERSION_CHECK = "1" }
}

limits {
  wall = "30m"
}

# What must hold, whatever else is changed above.
test "keeps secrets" {
  deny  = { read = ["~/.ssh/**", "./.env"], write = ["./.git/hooks/pre-commit"] }
  allow = { write = ["./.venv/bin/python", "${user_cache}/pip/http"] }
}
