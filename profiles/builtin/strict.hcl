# Reads only the system directories that tools need, and the workspace. Writes
# the workspace and a fresh temporary directory. No network.
version = 1
name    = "strict"

filesystem {
  write = [workspace, git_dirs]
  tmp   = "private"
}

target "linux" {
  filesystem {
    allow "system" {
      paths      = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"]
      on_missing = "skip"
      reason     = "programs and their libraries"
    }
    allow "system configuration" {
      paths = [
        "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/passwd", "/etc/group",
        "/etc/nsswitch.conf", "/etc/hosts", "/etc/host.conf", "/etc/resolv.conf", "/etc/localtime", "/etc/timezone",
        "/etc/services", "/etc/protocols", "/etc/mime.types", "/etc/gitconfig", "/etc/os-release",
      ]
      on_missing = "skip"
      reason     = "user names, name resolution, time zone and the dynamic loader"
    }
    allow "certificates" {
      paths      = ["/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs", "/etc/pki/ca-trust", "/etc/ca-certificates"]
      on_missing = "skip"
      reason     = "certificate authorities for TLS"
    }
  }
}

target "darwin" {
  filesystem {
    allow "system" {
      paths = [
        "/System/Library", "/System/Cryptexes", "/System/iOSSupport", "/usr", "/bin", "/sbin",
        "/Library/Apple", "/Library/Developer/CommandLineTools", "/opt/homebrew", "/nix/store",
      ]
      on_missing = "skip"
      reason     = "programs and their libraries"
    }
    allow "system configuration" {
      paths = [
        "/private/etc/passwd", "/private/etc/group", "/private/etc/hosts", "/private/etc/resolv.conf", "/private/etc/services",
        "/private/etc/protocols", "/private/etc/localtime", "/private/etc/gitconfig", "/private/etc/ssl", "/private/var/db/timezone",
        "/private/var/db/xcode_select_link", "/private/var/select",
      ]
      on_missing = "skip"
      reason     = "user names, name resolution, time zone, and where the developer tools are"
    }
  }
}

network {
  mode = "none"
}
