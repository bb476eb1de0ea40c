# A server in development: it serves on loopback, uses one secret variable and
# one unix socket of a database, and writes one directory.
version = 1
name    = "server"

variable "database" {
  env     = "PGSOCKET"
  default = "/run/postgresql/.s.PGSQL.5432"
}

filesystem {
  read = ["/", workspace]

  allow "data" {
    paths      = ["./var"]
    access     = "write"
    on_missing = "create"
  }
}

network {
  mode         = "none"
  loopback     = "sandbox"
  unix_sockets = [var.database]
}

env {
  pass = ["SERVICE_TOKEN"]
}

accept "SBC2127" {
  rule   = "network.loopback"
  target = "darwin"
  reason = "nothing else listens on the loopback of our laptops"
}

accept "SBC2114" {
  rule   = "network.loopback"
  target = "darwin"
  reason = "the server is told to listen on 127.0.0.1, and its port is closed by the firewall"
}

test "writes one directory" {
  deny  = { write = ["./src/**", "~/.ssh/**"], unlink = ["./var"] }
  allow = { read = ["./src/**"], write = ["./var/log/[a-z]*.log"] }
}
