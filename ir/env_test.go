package ir_test

import (
	"testing"

	"github.com/sandboxc/sbc/ir"
)

// TestEnvInherits holds that names of secrets and names that make a child run
// code stay outside even if everything is inherited, and others do not.
func TestEnvInherits(t *testing.T) {
	t.Parallel()
	env := ir.Env{Inherit: ir.Setting[ir.EnvInherit]{Value: ir.EnvAll}, Pass: []ir.EnvRule{{Pattern: "*"}}}
	for _, name := range []string{
		"NPM_TOKEN", "PGPASSWORD", "MYSQL_PWD", "SSHPASS", "RAILS_MASTER_KEY", "SOPS_AGE_KEY", "AUTHTOKEN", "DBPASSWORD", "SENTRY_DSN",
		"aws_region", "LD_PRELOAD", "DOTNET_STARTUP_HOOKS", "LUA_INIT_5_4", "PERL5DB", "GOCACHEPROG", "OPENSSL_CONF", "MAVEN_OPTS",
	} {
		if env.Inherits(name) {
			t.Errorf("%s is inherited", name)
		}
	}
	for _, name := range []string{"PATH", "PWD", "OLDPWD", "TOKENIZERS_PARALLELISM", "KEYBOARD", "MONKEY", "PATTERN", "GOCACHE", "LUA", "PASSENGER"} {
		if !env.Inherits(name) {
			t.Errorf("%s is not inherited", name)
		}
	}
}
