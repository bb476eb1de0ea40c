# Like workspace-write-no-network, with the hosts that the policy which extends
# this one lists in network.allow, through the launcher's proxy.
version = 1
name    = "workspace-proxy"
extends = ["workspace-write-no-network"]

network {
  mode = "proxy"
}
