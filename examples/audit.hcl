# Reading a stranger's repository: nothing of the home directory, nothing
# written but a fresh temporary directory, no network.
version = 1
name    = "audit"
extends = ["strict"]

filesystem {
  read = [workspace]
}

target "linux" {
  filesystem {
    none = ["./.git/hooks"]
  }
}

limits {
  wall      = "5m"
  cpu       = "2m"
  processes = 64
  file_size = "256MiB"
}

accept "SBC2110" {
  rule   = "limits"
  reason = "the wall clock ends what the other limits do not hold"
}
