# End-to-end tests in a headless browser: shared memory, loopback between the
# browser and the server, and its own profile directory.
version = 1
name    = "browser tests"
extends = ["workspace-write-no-network"]

filesystem {
  allow "browser" {
    paths      = ["${user_cache}/ms-playwright"]
    reason     = "the browser that the tests start"
  }
}

network {
  loopback = "sandbox"
}

env {
  set = { PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD = "1" }
}

target "darwin" {
  mach_services = ["com.apple.windowserver.active", "com.apple.fonts", "com.apple.FontObjectsServer"]
}

accept "SBC2127" {
  rule   = "network.loopback"
  target = "darwin"
  reason = "the tests need loopback, and the laptop's own services are harmless"
}

accept "SBC2114" {
  rule   = "network.loopback"
  target = "darwin"
  reason = "the server is told to listen on 127.0.0.1, and its port is closed by the firewall"
}
