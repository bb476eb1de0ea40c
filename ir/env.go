package ir

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// EnvCoreNames are the variables that "core" stands for, besides LC_*.
func EnvCoreNames() []string {
	return []string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "COLORTERM", "LANG", "LANGUAGE", "TZ", "TMPDIR",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO",
	}
}

// runsCode are names and prefixes ("*" at the end) of variables that make a
// child run code, or load it from another place.
var runsCode = []string{
	"LD_*", "DYLD_*", "GCONV_PATH", "BASH_ENV", "ENV", "BASH_FUNC_*", "SHELLOPTS", "BASHOPTS", "PS4", "PROMPT_COMMAND", "ZDOTDIR", "IFS",
	"NODE_OPTIONS", "NODE_PATH", "PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PYTHONUSERBASE", "PERL5OPT", "PERL5LIB", "PERLLIB",
	"RUBYOPT", "RUBYLIB", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "GOFLAGS", "GOTOOLCHAIN", "GIT_*", "SSH_ASKPASS",
	"MAKEFLAGS", "MFLAGS", "GNUMAKEFLAGS", "EDITOR", "VISUAL", "PAGER", "LESSOPEN", "LESSCLOSE", "MANPAGER", "BROWSER",
	"CC", "CXX", "GCC_EXEC_PREFIX", "COMPILER_PATH", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS", "CARGO_*",
	"PERL5DB", "PHPRC", "PHP_INI_SCAN_DIR", "LUA_INIT*", "LUA_PATH*", "LUA_CPATH*", "R_PROFILE*", "R_ENVIRON*", "ERL_*", "GEM_HOME", "GEM_PATH", "BUNDLE_GEMFILE",
	"CLASSPATH", "MAVEN_OPTS", "GRADLE_OPTS", "DOTNET_STARTUP_HOOKS", "CORECLR_*", "COR_PROFILER*", "GOCACHEPROG", "GOENV", "GOROOT", "RUSTC",
	"GTK_MODULES", "GIO_EXTRA_MODULES", "QT_PLUGIN_PATH", "OPENSSL_CONF", "OPENSSL_MODULES",
	"npm_config_*", "NPM_CONFIG_*", "PIP_*", "UV_*", "TCLLIBPATH", "AWKPATH", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS",
}

// EnvCodePatterns returns the names, "*" at the end standing for any rest, of
// variables that make a child run code. The core names are none of them.
func EnvCodePatterns() []string { return slices.Clone(runsCode) }

// EnvRunsCode reports whether a variable of the name makes a child run code.
func EnvRunsCode(name string) bool {
	return slices.ContainsFunc(runsCode, func(p string) bool {
		if prefix, ok := strings.CutSuffix(p, "*"); ok {
			return strings.HasPrefix(name, prefix)
		}
		return name == p
	}) && !slices.Contains(EnvCoreNames(), name)
}

const secretWords = `(^|_)(TOKEN|SECRET|SECRETS|PASS|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|APIKEY|ACCESS_?KEY|PRIVATE_?KEY|SIGNING_?KEY|ENCRYPTION_?KEY|CREDENTIALS?|AUTH|COOKIE|SESSION|DSN|CONNECTION_STRING|WEBHOOK|PAT|JWT|OAUTH)(_|[0-9]|$)` +
	`|(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|APIKEY|SSHPASS)(_|[0-9]|$)|_(PWD|KEY)$`

var secretWord = regexp.MustCompile(secretWords)

var secretPrefixes = []string{
	"AWS_", "AZURE_", "GOOGLE_", "GCP_", "GCLOUD_", "GH_", "GITHUB_", "GITLAB_", "CI_JOB_", "DATABASE_URL", "REDIS_URL", "MONGO", "VAULT_",
	"OPENAI_", "ANTHROPIC_", "HF_", "SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "DBUS_SESSION_BUS_ADDRESS", "DOCKER_HOST",
	"XAUTHORITY", "KUBECONFIG",
}

// EnvSecretPatterns returns beginnings, each with a "*" after it, of names that
// look secret, and a regular expression for words in such names, for RE2 and
// for POSIX. Both are for names in upper case.
func EnvSecretPatterns() (prefixes []string, word string) {
	for _, p := range secretPrefixes {
		prefixes = append(prefixes, p+"*")
	}
	return prefixes, secretWords
}

// EnvLooksSecret reports whether a variable of the name probably holds a
// secret, or leads to something that answers with one.
func EnvLooksSecret(name string) bool {
	up := strings.ToUpper(name)
	return secretWord.MatchString(up) || slices.ContainsFunc(secretPrefixes, func(p string) bool { return strings.HasPrefix(up, p) })
}

// Inherits reports whether a command inherits the caller's variable of the
// name. Deny beats pass. Names that make a child run code and names that look
// like secrets are denied unless a pass entry gives the full name. What Set
// says comes on top of this and always counts.
func (e *Env) Inherits(name string) bool {
	match := func(rules []EnvRule, full bool) bool {
		return slices.ContainsFunc(rules, func(r EnvRule) bool {
			if r.Pattern == name {
				return true
			}
			ok, err := path.Match(r.Pattern, name)
			return !full && err == nil && ok
		})
	}
	switch {
	case name == "" || match(e.Deny, false):
		return false
	case match(e.Pass, true):
		return true
	case EnvRunsCode(name) || EnvLooksSecret(name):
		return false
	case match(e.Pass, false):
		return true
	}
	switch e.Inherit.Value {
	case EnvAll:
		return true
	case EnvCore:
		return slices.Contains(EnvCoreNames(), name) || strings.HasPrefix(name, "LC_")
	case EnvNone:
	}
	return false
}
