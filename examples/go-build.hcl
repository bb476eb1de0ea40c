# go build and go test without the network: modules come from the cache, which
# is only read.
version = 1
name    = "go build"
extends = ["workspace-write-no-network"]

filesystem {
  read = ["~/go/pkg/mod"]

  allow "build cache" {
    paths      = ["${user_cache}/go-build"]
    access     = "write"
    on_missing = "create"
  }
  deny "go.sum" {
    paths  = ["./go.mod", "./go.sum"]
    access = "write"
    reason = "a build does not choose its dependencies"
  }
}

network {
  loopback = "none"
}

env {
  set = { GOFLAGS = "-mod=readonly", GOPROXY = "off" }
}

limits {
  wall   = "20m"
  memory = "4GiB"
}

accept "SBC2110" {
  rule   = "limits.memory"
  reason = "where no cgroup holds the memory, the wall clock is enough"
}

test "a build does not choose its dependencies" {
  deny  = { write = ["./go.mod", "./go.sum", "~/go/pkg/mod/**"] }
  allow = { read = ["~/go/pkg/mod/**", "./go.mod"], write = ["./src/[a-z]*.go"] }
}
