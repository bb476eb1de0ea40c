# What programs need to start at all on Linux. All are storage of the sandbox's
# own: a root above them does not close them, one at the same path or a deny does.
version = 1
name    = "floor-linux"

target "linux" {
  filesystem {
    allow "devices" {
      paths  = ["/dev"]
      access = "write"
      kind   = "private"
      reason = "a private /dev with null, zero, full, random, urandom, tty, pts, shm and the standard streams"
    }
    allow "kernel settings" {
      paths  = ["/proc/sys"]
      access = "read"
      kind   = "private"
      reason = "what is written there changes the whole machine"
    }
    allow "processes" {
      paths  = ["/proc"]
      access = "write"
      kind   = "private"
      reason = "a private /proc that shows the sandbox's own processes; the Go runtime, shells and node read it"
    }
  }
}
