# What the snapshots beside the policies depend on: sbc golden check examples
workspace = "/home/user/app"
host      = "host.json"
