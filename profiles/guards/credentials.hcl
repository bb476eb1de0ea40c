# Files that hold keys, tokens and passwords. Closed for reading and writing;
# a grant opens one of them for one run.
version = 1
name    = "credentials"

filesystem {
  ask "ssh" {
    paths  = ["~/.ssh"]
    reason = "private keys, and the hosts that they open"
  }
  ask "gnupg" {
    paths  = ["~/.gnupg"]
    reason = "private keys"
  }
  ask "cloud" {
    paths = [
      "~/.aws", "~/.azure", "~/.config/gcloud", "~/.oci", "~/.config/doctl", "~/.config/hcloud", "~/.fly",
      "~/.config/linode-cli", "~/.s3cfg", "~/.boto", "~/.config/rclone", "~/.bluemix", "~/.config/heroku",
    ]
    reason = "access keys of cloud accounts"
  }
  ask "clusters" {
    paths  = ["~/.kube", "~/.docker/config.json", "~/.config/containers/auth.json", "~/.config/helm", "~/.minikube"]
    reason = "tokens of clusters and image registries"
  }
  ask "command line tools" {
    paths = [
      "~/.config/gh", "~/.config/glab-cli", "~/.config/hub", "~/.git-credentials", "~/.config/git/credentials", "~/.vault-token",
      "~/.terraform.d/credentials.tfrc.json", "~/.terraformrc", "~/.pgpass", "~/.my.cnf", "~/.mylogin.cnf", "~/.config/sops",
    ]
    reason = "tokens and passwords that command line tools keep"
  }
  ask "package registries" {
    paths = [
      "~/.npmrc", "~/.yarnrc.yml", "~/.pypirc", "~/.cargo/credentials", "~/.cargo/credentials.toml", "~/.gem/credentials",
      "~/.m2/settings.xml", "~/.m2/settings-security.xml", "~/.gradle/gradle.properties", "~/.composer/auth.json",
      "~/.config/pypoetry/auth.toml", "~/.nuget/NuGet/NuGet.Config", "~/.config/NuGet/NuGet.Config",
    ]
    reason = "tokens that publish packages"
  }
  ask "assistants" {
    paths = [
      "~/.claude/.credentials.json", "~/.codex/auth.json", "~/.gemini/oauth_creds.json", "~/.config/github-copilot",
      "~/.local/share/opencode/auth.json",
    ]
    reason = "tokens of AI assistants"
  }
  ask "netrc" {
    paths  = ["~/.netrc", "~/_netrc", "~/.authinfo", "~/.authinfo.gpg"]
    reason = "passwords of hosts"
  }
  ask "password stores" {
    paths = [
      "~/.password-store", "~/.local/share/keyrings", "~/.local/share/kwalletd", "~/.config/Bitwarden", "~/.config/Bitwarden CLI",
      "~/.config/op", "~/.1password", "~/.config/keepassxc", "~/.config/1Password",
    ]
    reason = "passwords"
  }
  ask "browsers" {
    paths = [
      "~/.mozilla", "~/.config/google-chrome", "~/.config/chromium", "~/.config/BraveSoftware", "~/.config/microsoft-edge",
      "~/.config/vivaldi", "~/.config/opera", "~/.thunderbird", "~/snap/firefox", "~/snap/chromium", "~/.var/app/org.mozilla.firefox",
    ]
    reason = "cookies and saved passwords"
  }
  ask "histories" {
    paths  = ["~/.bash_history", "~/.zsh_history", "~/.local/share/fish/fish_history", "~/.python_history", "~/.node_repl_history", "~/.psql_history", "~/.mysql_history"]
    reason = "secrets that were typed once"
  }
  ask "dotenv" {
    paths  = ["~/.env", "**/.env", "**/.env.*", "**/.envrc"]
    except = ["**/.env.example", "**/.env.sample", "**/.env.template", "**/.env.dist", "**/.env.defaults"]
    reason = "settings of a project, passwords among them"
  }
  ask "project tokens" {
    paths  = ["**/.npmrc", "**/.netrc", "**/.pypirc", "**/.git-credentials"]
    reason = "tokens that a project keeps beside its code"
  }
}

target "linux" {
  filesystem {
    ask "system" {
      paths = [
        "/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d", "/etc/ssh/ssh_host_*_key",
        "/etc/ssl/private", "/etc/pki/tls/private", "/etc/letsencrypt/archive", "/etc/krb5.keytab", "/etc/wireguard",
      ]
      reason = "root without capabilities still owns and reads these"
    }
  }
}

target "darwin" {
  filesystem {
    ask "keychains" {
      paths  = ["~/Library/Keychains", "/Library/Keychains", "/private/var/db/SystemKey"]
      reason = "passwords and private keys"
    }
    ask "applications" {
      paths = [
        "~/Library/Application Support/Google/Chrome", "~/Library/Application Support/Chromium", "~/Library/Application Support/Firefox",
        "~/Library/Application Support/BraveSoftware", "~/Library/Application Support/Microsoft Edge", "~/Library/Application Support/Arc",
        "~/Library/Safari", "~/Library/Cookies", "~/Library/Containers/com.apple.Safari", "~/Library/HTTPStorages",
        "~/Library/Application Support/1Password", "~/Library/Group Containers/2BUA8C4S2C.com.1password", "~/Library/Application Support/Bitwarden",
      ]
      reason = "cookies and saved passwords"
    }
    ask "personal" {
      paths  = ["~/Library/Messages", "~/Library/Mail", "~/Library/Calendars", "~/Library/Application Support/AddressBook"]
      reason = "mail, messages and contacts"
    }
  }
}
