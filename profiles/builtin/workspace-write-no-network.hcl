# Reads everything but what the guards close. Writes the workspace, its git
# directories and temporary directories. No network. The default of sbc run.
version = 1
name    = "workspace-write-no-network"

filesystem {
  read  = ["/"]
  write = [workspace, git_dirs]
}
network {
  mode = "none"
}
