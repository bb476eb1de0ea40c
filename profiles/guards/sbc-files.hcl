# sbc's own policies and configuration.
version = 1
name    = "sbc-files"

filesystem {
  deny "policies" {
    paths  = ["**/.sbc", "**/sbc.golden.hcl", "~/.config/sbc"]
    access = "write"
    sweep  = "quarantine"
    reason = "a command must not change the policy that confines the next one"
  }
}
