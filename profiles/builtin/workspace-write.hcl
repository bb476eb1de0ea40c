# Like workspace-write-no-network, with the whole network.
version = 1
name    = "workspace-write"
extends = ["workspace-write-no-network"]

network {
  mode = "full"
}
