# Files that a shell or a session runs when it starts.
version = 1
name    = "shell-startup"

filesystem {
  deny "shells" {
    paths = [
      "**/.bashrc", "**/.bash_profile", "**/.bash_login", "**/.bash_logout", "**/.bash_aliases", "**/.profile", "**/.zshrc", "**/.zshenv",
      "**/.zprofile", "**/.zlogin", "**/.zlogout", "**/.kshrc", "**/.cshrc", "**/.tcshrc", "**/.login", "**/.inputrc", "**/.xonshrc",
    ]
    access = "write"
    sweep  = "quarantine"
    reason = "the next shell runs it"
  }
  deny "sessions" {
    paths = [
      "~/.config/fish", "~/.config/autostart", "~/.config/systemd/user", "~/.local/share/systemd/user", "~/.config/environment.d",
      "~/.xprofile", "~/.xsession", "~/.xinitrc", "~/.pam_environment", "~/.Xresources", "~/.local/share/applications", "~/.config/nushell",
    ]
    access = "write"
    sweep  = "quarantine"
    reason = "the next login runs it"
  }
  deny "ssh" {
    paths  = ["~/.ssh/rc", "~/.ssh/environment", "~/.ssh/authorized_keys", "~/.ssh/config"]
    access = "write"
    reason = "the next ssh session runs it, or lets somebody in"
  }
}

target "darwin" {
  filesystem {
    deny "launch agents" {
      paths  = ["~/Library/LaunchAgents", "~/Library/LaunchDaemons", "/Library/LaunchAgents", "/Library/LaunchDaemons"]
      access = "write"
      sweep  = "quarantine"
      reason = "the next login runs it"
    }
  }
}
