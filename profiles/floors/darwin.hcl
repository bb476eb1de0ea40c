# What programs need to start at all on macOS. Roots and rules of a policy can
# close it; what is required here only a deny or an ask can.
version = 1
name    = "floor-darwin"

target "darwin" {
  filesystem {
    allow "root" {
      paths  = ["/"]
      kind   = "required"
      reason = "the dynamic loader opens the root directory; without it every program aborts"
    }
    allow "system" {
      paths  = ["/System/Library", "/System/Cryptexes", "/System/Volumes/Preboot/Cryptexes", "/usr/lib", "/usr/share", "/Library/Apple"]
      reason = "system libraries, frameworks and their data"
    }
    allow "loader" {
      paths  = ["/private/var/db/dyld", "/private/var/db/timezone", "/private/var/select", "/private/var/db/xcode_select_link"]
      reason = "the shared cache of libraries, the time zone, which shell /bin/sh is, where the developer tools are"
    }
    allow "devices" {
      paths  = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/ptmx", "/dev/dtracehelper", "/dev/fd", "/dev/fd/[0-9]*", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/ttys[0-9]*"]
      access = "write"
      kind   = "required"
      reason = "the null device, the terminal and the standard streams"
    }
    allow "entropy" {
      paths  = ["/dev/random", "/dev/urandom", "/dev/autofs_nowait", "/dev"]
      reason = "random numbers and the listing of /dev"
      kind   = "alone"
    }
  }
}
