# npm install: install scripts are strangers' code. They write the project but
# not its sources, and npm's cache; they see nothing else of the home directory
# and reach the registry through the proxy.
version = 1
name    = "npm install"

filesystem {
  read  = ["/"]
  write = [workspace]
  none  = [home]
  tmp   = "private"

  allow "npm" {
    paths      = ["~/.npm"]
    access     = "write"
    on_missing = "create"
    reason     = "npm's cache and logs"
  }
  deny "sources" {
    paths      = ["./src", "./package.json"]
    access     = "write"
    on_missing = "skip"
  }
}

network {
  mode  = "proxy"
  allow = ["registry.npmjs.org:443", "**.github.com:443"]
}

env {
  set = { npm_config_fund = "false", npm_config_audit = "false" }
}

limits {
  wall = "10m"
}

test "install scripts" {
  deny  = { read = ["~/.ssh/**", "~/Documents/**"], write = ["./src/**", "./package.json", "/usr/**"] }
  allow = { read = ["./src/[a-z]*.js"], write = ["./node_modules/.bin/[a-z]*.js", "~/.npm/_cacache/tmp/[0-9]*"] }
}
