# What Node.js and npm may do in this project: write it and npm's cache, and reach
# the registry through a proxy. Install scripts are code of strangers; keys,
# tokens and git hooks are closed by the guards: `sbc profiles list`.
#
# `sbc explain` shows what becomes of each rule on macOS and on Linux,
# `sbc why write PATH` which rule decides about a path.
version = 1
name    = "node"
extends = ["workspace-proxy"]

filesystem {
  # Folders of yours that no package needs.
  none = ["~/Documents", "~/Downloads", "~/Desktop", "~/Pictures"]

  allow "npm" {
    paths      = ["~/.npm"]
    access     = "write"
    on_missing = "create"
    reason     = "the cache and the logs of npm"
  }

  # Where pnpm and yarn keep what they download.
  # allow "stores" {
  #   paths      = ["~/.local/share/pnpm", "${user_cache}/yarn"]
  #   access     = "write"
  #   on_missing = "create"
  # }
}

network {
  allow = ["registry.npmjs.org:443"]
}

# A private registry: npm reads its token from ~/.npmrc, which the guard
# "credentials" closes. Open it for one run with --read ~/.npmrc, or for all:
# guards {
#   except "credentials" {
#     paths  = ["~/.npmrc"]
#     access = "read"
#     reason = "the token reads packages and cannot publish"
#   }
# }

env {
  set = { npm_config_fund = "false", npm_config_audit = "false" }
}

limits {
  wall = "30m"
}

# What must hold, whatever else is changed above.
test "keeps secrets" {
  deny  = { read = ["~/.ssh/**", "./.env"], write = ["./.git/hooks/pre-commit"] }
  allow = { write = ["./node_modules/left-pad/index.js", "~/.npm/_cacache/index"] }
}
