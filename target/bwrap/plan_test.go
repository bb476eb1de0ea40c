package bwrap_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/target"
)

// TestPlan holds small policies to the mounts and verdicts that they become.
func TestPlan(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		host     string
		rules    string
		mounts   string
		verdicts string
	}{
		{
			name:  "everything readable, one root writable",
			host:  "d /w\nd /etc",
			rules: "write /w\nread /",
			mounts: `
--ro-bind / /
--bind /w /w
--remount-ro /`,
			verdicts: `
write[/w] exact
read[/] exact`,
		},
		{
			name:     "everything writable",
			host:     "d /w",
			rules:    "write /",
			mounts:   "--bind / /",
			verdicts: "write[/] exact",
		},
		{
			name:  "two writable roots: a rename between them fails",
			host:  "d /w\nd /tmp",
			rules: "write /w\nwrite /tmp\nread /",
			mounts: `
--ro-bind / /
--bind /tmp /tmp
--bind /w /w
--remount-ro /`,
			verdicts: `
write[/w] exact SBC2112
write[/tmp] exact SBC2112
read[/] exact`,
		},
		{
			name:  "nothing but what is named: made parents cannot be listed",
			host:  "d /usr\nd /home/u/w\nf /home/u/.gitconfig\nf /home/u/x",
			rules: "write /home/u/w\nread /home/u/.gitconfig\nread /usr",
			mounts: `
--perms 0111 --dir /home
--perms 0111 --dir /home/u
--ro-bind /home/u/.gitconfig /home/u/.gitconfig
--bind /home/u/w /home/u/w
--ro-bind /usr /usr
--chmod 0111 /
--remount-ro /`,
			verdicts: `
write[/home/u/w] exact
read[/home/u/.gitconfig] exact
read[/usr] exact`,
		},
		{
			name:  "links of a merged /usr and links that an opening was written through are made again",
			host:  "d /usr/bin\nd /usr/lib\nl /bin -> usr/bin\nl /lib -> usr/lib\nl /sbin -> usr/sbin\nd /data/real\nl /data/cur -> real",
			rules: "read /data/real written=/data/cur\nread /usr",
			mounts: `
--symlink usr/bin /bin
--perms 0111 --dir /data
--symlink real /data/cur
--ro-bind /data/real /data/real
--symlink usr/lib /lib
--ro-bind /usr /usr
--chmod 0111 /
--remount-ro /`,
			verdicts: `
read[/data/real] exact
read[/usr] exact`,
		},
		{
			name:  "a closed directory, a closed file and a file closed for writing",
			host:  "d /w/secret\nf /w/key\nf /w/lock",
			rules: "deny /w/secret\ndeny /w/key\nprotect /w/lock\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--bind /w /w
--perms 0000 --ro-bind-data 5 /w/key
--ro-bind /w/lock /w/lock
--perms 0000 --tmpfs /w/secret --remount-ro /w/secret
--remount-ro /`,
			verdicts: `
deny[/w/secret] exact
deny[/w/key] exact
protect[/w/lock] exact
write[/w] exact
read[/] exact`,
		},
		{
			name:  "an opening inside a closed directory inside a writable one",
			host:  "d /w/secret/pub/in\nd /w/secret/other",
			rules: "write /w/secret/pub/in\nnone /w/secret\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--bind /w /w
--perms 0111 --tmpfs /w/secret
--perms 0111 --dir /w/secret/pub
--bind /w/secret/pub/in /w/secret/pub/in
--remount-ro /w/secret
--remount-ro /`,
			verdicts: `
write[/w/secret/pub/in] exact SBC2112
none[/w/secret] exact
write[/w] exact SBC2112
read[/] exact`,
		},
		{
			name:  "closed inside open inside closed, three deep",
			host:  "d /w/a/b/c/d",
			rules: "none /w/a/b/c\nread /w/a/b\nnone /w/a\nwrite /w",
			mounts: `
--bind /w /w
--perms 0111 --tmpfs /w/a
--ro-bind /w/a/b /w/a/b
--perms 0000 --tmpfs /w/a/b/c --remount-ro /w/a/b/c
--chmod 0111 /
--remount-ro /w/a
--remount-ro /`,
			verdicts: `
none[/w/a/b/c] exact
read[/w/a/b] exact
none[/w/a] exact
write[/w] exact`,
		},
		{
			name:  "directories above something closed are pinned",
			host:  "f /w/a/b/key\nd /w/c",
			rules: "protect /w/a/b/key\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--bind /w /w
--bind /w/a /w/a
--bind /w/a/b /w/a/b
--ro-bind /w/a/b/key /w/a/b/key
--remount-ro /`,
			verdicts: `
protect[/w/a/b/key] exact
write[/w] exact
read[/] exact`,
		},
		{
			name:  "a glob: matches are closed, exceptions are not, what comes later is not covered",
			host:  "f /w/.env\nf /w/a/.env\nf /w/a/.env.example\nd /w/b/.env.d\nf /w/b/x",
			rules: "deny /w/**/.env* except /w/**/.env.example\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--bind /w /w
--perms 0000 --ro-bind-data 5 /w/.env
--perms 0000 --ro-bind-data 6 /w/a/.env
--perms 0000 --tmpfs /w/b/.env.d --remount-ro /w/b/.env.d
--remount-ro /`,
			verdicts: `
deny[/w/**/.env*] snapshot SBC2101
write[/w] exact
read[/] exact`,
		},
		{
			name:  "an exception inside a matched directory is open",
			host:  "f /w/x/secrets/pub.txt\nf /w/x/secrets/key\nf /w/x/secrets/d/pub.txt",
			rules: "deny /w/**/secrets except /w/**/pub.txt\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--bind /w /w
--perms 0111 --tmpfs /w/x/secrets
--perms 0111 --dir /w/x/secrets/d
--bind /w/x/secrets/d/pub.txt /w/x/secrets/d/pub.txt
--bind /w/x/secrets/pub.txt /w/x/secrets/pub.txt
--remount-ro /w/x/secrets
--remount-ro /`,
			verdicts: `
deny[/w/**/secrets] snapshot SBC2101
write[/w] exact SBC2112
read[/] exact`,
		},
		{
			name:  "a glob of several names: leading directories are pinned, planting is named",
			host:  "f /w/.git/hooks/x\nf /w/.git/hooks/y.sample\nf /w/sub/.git/hooks/z\nd /w/other/hooks",
			rules: "protect /w/**/.git/hooks/* except /**/.git/hooks/*.sample\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--bind /w /w
--bind /w/.git /w/.git
--bind /w/.git/hooks /w/.git/hooks
--ro-bind /w/.git/hooks/x /w/.git/hooks/x
--bind /w/sub/.git /w/sub/.git
--bind /w/sub/.git/hooks /w/sub/.git/hooks
--ro-bind /w/sub/.git/hooks/z /w/sub/.git/hooks/z
--remount-ro /`,
			verdicts: `
protect[/w/**/.git/hooks/*] snapshot SBC2101
protect[/w/**/.git/hooks/*] wider SBC2103
write[/w] exact
read[/] exact`,
		},
		{
			name:  "a guard's: the directory is closed as a whole, whatever the exception leaves open",
			host:  "f /w/.git/hooks/x\nf /w/.git/hooks/y.sample\nf /w/sub/.git/hooks/z\nd /w/other/hooks",
			rules: "protect /w/**/.git/hooks/* except /**/.git/hooks/*.sample guard=git\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--bind /w /w
--bind /w/.git /w/.git
--ro-bind /w/.git/hooks /w/.git/hooks
--bind /w/sub/.git /w/sub/.git
--ro-bind /w/sub/.git/hooks /w/sub/.git/hooks
--remount-ro /`,
			verdicts: `
guards.git snapshot SBC2101
guards.git narrower SBC2131
guards.git wider SBC2103
write[/w] exact
read[/] exact`,
		},
		{
			name:  "but what a root opens in it",
			host:  "f /w/.git/hooks/x\nf /w/.git/hooks/y.sample",
			rules: "protect /w/**/.git/hooks/* except /**/.git/hooks/*.sample guard=git\nwrite /w/.git/hooks/y.sample\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--bind /w /w
--bind /w/.git /w/.git
--ro-bind /w/.git/hooks /w/.git/hooks
--bind /w/.git/hooks/y.sample /w/.git/hooks/y.sample
--remount-ro /`,
			verdicts: `
guards.git snapshot SBC2101
guards.git narrower SBC2131
guards.git wider SBC2103
write[/w/.git/hooks/y.sample] narrower SBC2111
write[/w] exact SBC2112
read[/] exact`,
		},
		{
			name:  "every name of a directory: one mount, and exact",
			host:  "f /w/d/a\nf /w/d/b\nf /w/e/c",
			rules: "deny /w/d/*\nprotect /w/e/*\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--bind /w /w
--perms 0555 --tmpfs /w/d --remount-ro /w/d
--ro-bind /w/e /w/e
--remount-ro /`,
			verdicts: `
deny[/w/d/*] exact
protect[/w/e/*] exact
write[/w] exact
read[/] exact`,
		},
		{
			name:  "every name of a directory but one that a root opens again",
			host:  "f /w/d/a\nd /w/d/b",
			rules: "write /w/d/b\ndeny /w/d/*\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--bind /w /w
--perms 0555 --tmpfs /w/d
--bind /w/d/b /w/d/b
--remount-ro /w/d
--remount-ro /`,
			verdicts: `
write[/w/d/b] exact SBC2112
deny[/w/d/*] exact
write[/w] exact SBC2112
read[/] exact`,
		},
		{
			name:  "a glob where nothing can be written",
			host:  "f /data/a.key\nf /data/x/b.key\nd /w",
			rules: "deny /data/**/*.key\nprotect /data/**/*.lock\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--perms 0000 --ro-bind-data 5 /data/a.key
--perms 0000 --ro-bind-data 6 /data/x/b.key
--bind /w /w
--remount-ro /`,
			verdicts: `
deny[/data/**/*.key] exact SBC2101
protect[/data/**/*.lock] exact
write[/w] exact
read[/] exact`,
		},
		{
			name:  "what does not exist: placeholders on the first missing name",
			host:  "d /w",
			rules: "deny /w/key\nprotect /w/cfg\nprotect /w/x/y/z\nprotect /w/x/q\nprotect /etc/no\ndeny /etc/no2\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--bind /w /w
--perms 0555 --tmpfs /w/cfg --remount-ro /w/cfg
--perms 0000 --tmpfs /w/key --remount-ro /w/key
--perms 0555 --tmpfs /w/x --remount-ro /w/x
--remount-ro /`,
			verdicts: `
deny[/w/key] exact SBC2109
protect[/w/cfg] exact SBC2109
protect[/w/x/y/z] narrower SBC2109
protect[/w/x/q] narrower SBC2109
protect[/etc/no] exact
deny[/etc/no2] exact SBC2109
write[/w] exact
read[/] exact`,
		},
		{
			name:  "what does not exist and is skipped, by a rule and by a guard",
			host:  "d /w\nd /etc",
			rules: "deny /w/key missing=skip\nprotect /w/cfg guard=g\nread /opt\nwrite /w/new\nwrite /srv missing=create\nwrite /w\nread /etc",
			mounts: `
--ro-bind /etc /etc
--bind /srv /srv
--bind /w /w
--chmod 0111 /
--remount-ro /`,
			verdicts: `
deny[/w/key] snapshot SBC2109
guards.g snapshot SBC2125
read[/opt] narrower SBC2108
write[/w/new] exact
write[/srv] exact SBC2108
write[/w] exact SBC2112
read[/etc] exact`,
		},
		{
			name:  "a closing through a link, and of a link",
			host:  "d /w/real\nf /w/real/f\nl /w/ln -> real\nl /w/dl -> gone\nl /etc/ln -> x\nf /etc/x",
			rules: "protect /w/ln/f\nprotect /w/real/f written=/w/ln/f\nprotect /w/dl\nprotect /w/gone written=/w/dl\ndeny /etc/ln\ndeny /etc/x written=/etc/ln\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--perms 0000 --ro-bind-data 5 /etc/x
--bind /w /w
--perms 0555 --tmpfs /w/gone --remount-ro /w/gone
--bind /w/real /w/real
--ro-bind /w/real/f /w/real/f
--remount-ro /`,
			verdicts: `
protect[/w/ln/f] snapshot SBC2107
protect[/w/real/f] exact
protect[/w/dl] wider SBC2107
protect[/w/gone] exact SBC2109
deny[/etc/ln] snapshot SBC2107
deny[/etc/x] exact
write[/w] exact
read[/] exact`,
		},
		{
			name:  "a glob that matches links: what they lead to is closed too, unless it is opened by name",
			host:  "l /w/.env -> conf/dev\nf /w/conf/dev\nl /w/a/.env -> ../.env.example\nf /w/.env.example\nl /w/b/.env -> nowhere",
			rules: "deny /w/**/.env* except /w/**/.env.example\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--bind /w /w
--perms 0000 --ro-bind-data 5 /w/conf/dev
--remount-ro /`,
			verdicts: `
deny[/w/**/.env*] snapshot SBC2101
deny[/w/**/.env*] wider SBC2107
deny[/w/**/.env*] exact SBC2106
deny[/w/**/.env*] wider SBC2106
write[/w] exact
read[/] exact`,
		},
		{
			name:  "hard links of what lies in a closed directory are closed too, or reported",
			host:  "f /w/keys/a #7\nf /w/keys/d/b #8+1\nf /w/keys/open/c #9\nf /w/other/a2 #7\nf /w/other/c2 #9\nf /opt/x",
			rules: "read /w/keys/open\nnone /w/keys\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--bind /w /w
--perms 0111 --tmpfs /w/keys
--ro-bind /w/keys/open /w/keys/open
--perms 0000 --ro-bind-data 5 /w/other/a2
--remount-ro /w/keys
--remount-ro /`,
			verdicts: `
read[/w/keys/open] exact
none[/w/keys] exact
none[/w/keys] exact SBC2106
none[/w/keys] wider SBC2106
write[/w] exact
read[/] exact`,
		},
		{
			name:  "hard links are closed too, or reported",
			host:  "f /w/a #7\nf /w/sub/h #7\nf /w/b #8+1\nf /etc/c #9\nf /etc/c2 #9",
			rules: "protect /w/a\ndeny /w/b\nprotect /etc/c\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--bind /w /w
--ro-bind /w/a /w/a
--perms 0000 --ro-bind-data 5 /w/b
--ro-bind /w/sub/h /w/sub/h
--remount-ro /`,
			verdicts: `
protect[/w/a] exact
protect[/w/a] exact SBC2106
deny[/w/b] exact
deny[/w/b] wider SBC2106
protect[/etc/c] exact
write[/w] exact
read[/] exact`,
		},
		{
			name:  "a second mount of something closed is closed",
			host:  "d /w/data/secret\nd /mnt/w/data/secret\nd /srv/s\nm / 8:1 / ext4\nm /proc 0:5 / proc\nm /mnt/w 8:1 /w ext4\nm /srv/s 8:1 /w/data/secret ext4",
			rules: "deny /w/data/secret\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--perms 0000 --tmpfs /mnt/w/data/secret --remount-ro /mnt/w/data/secret
--perms 0000 --tmpfs /srv/s --remount-ro /srv/s
--bind /w /w
--bind /w/data /w/data
--perms 0000 --tmpfs /w/data/secret --remount-ro /w/data/secret
--remount-ro /`,
			verdicts: `
deny[/w/data/secret] exact
deny[/w/data/secret] exact SBC2106
write[/w] exact
read[/] exact`,
		},
		{
			name:  "a second mount of what is mounted beneath something closed is closed",
			host:  "d /w/d/sub\nd /w/d/open\nd /mnt/e\nd /mnt/o\nm / 8:1 / ext4\nm /w/d/sub 8:2 / ext4\nm /mnt/e 8:2 / ext4\nm /w/d/open 8:3 / ext4\nm /mnt/o 8:3 / ext4",
			rules: "read /w/d/open\nnone /w/d\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--perms 0000 --tmpfs /mnt/e --remount-ro /mnt/e
--bind /w /w
--perms 0111 --tmpfs /w/d
--ro-bind /w/d/open /w/d/open
--remount-ro /w/d
--remount-ro /`,
			verdicts: `
read[/w/d/open] exact
none[/w/d] exact
none[/w/d] exact SBC2106
write[/w] exact
read[/] exact`,
		},
		{
			name:  "a private tmp with a root inside",
			host:  "d /tmp/x/work\nd /tmp/y\nd /etc",
			rules: "deny /tmp/y\nwrite /tmp/x/work\nprivate /tmp\nprivate /var/tmp\nread /",
			mounts: `
--ro-bind / /
--perms 1777 --tmpfs /tmp
--perms 0755 --dir /tmp/x
--bind /tmp/x/work /tmp/x/work
--remount-ro /`,
			verdicts: `
deny[/tmp/y] exact
write[/tmp/x/work] exact
private[/tmp] exact
private[/var/tmp] narrower SBC2117
read[/] exact`,
		},
		{
			name:  "roots that are files",
			host:  "f /w/conf\nf /etc/hosts",
			rules: "write /w/conf\nread /etc/hosts",
			mounts: `
--perms 0111 --dir /etc
--ro-bind /etc/hosts /etc/hosts
--perms 0111 --dir /w
--bind /w/conf /w/conf
--chmod 0111 /
--remount-ro /`,
			verdicts: `
write[/w/conf] narrower SBC2111
read[/etc/hosts] exact`,
		},
		{
			name:  "rules on what is not a directory",
			host:  "f /w/a/.git\nd /w/b/.git\nl /w/c/.git -> ../b/.git",
			rules: "protect /w/**/.git nondir guard=git\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--bind /w /w
--ro-bind /w/a/.git /w/a/.git
--remount-ro /`,
			verdicts: `
guards.git snapshot SBC2101
guards.git wider SBC2107
write[/w] exact
read[/] exact`,
		},
		{
			name:  "a directory that may be listed though nothing in it is open",
			host:  "d /w\nd /opt/a",
			rules: "read / alone\nread /opt alone\nread /opt/a\nwrite /w",
			mounts: `
--perms 0555 --dir /opt
--ro-bind /opt/a /opt/a
--bind /w /w
--remount-ro /`,
			verdicts: `
read[/] exact
read[/opt] exact
read[/opt/a] exact
write[/w] exact`,
		},
		{
			name:  "a closed directory with exceptions by name: what exists is open, nothing can be made",
			host:  "f /h/.ssh/id\nf /h/.ssh/known_hosts\nd /w/keys",
			rules: "deny /h/.ssh except /h/.ssh/known_hosts\ndeny /w/keys except /w/keys/pub\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--perms 0111 --tmpfs /h/.ssh
--ro-bind /h/.ssh/known_hosts /h/.ssh/known_hosts
--bind /w /w
--perms 0000 --tmpfs /w/keys --remount-ro /w/keys
--remount-ro /h/.ssh
--remount-ro /`,
			verdicts: `
deny[/h/.ssh] exact
deny[/w/keys] narrower SBC2108
write[/w] exact
read[/] exact`,
		},
		{
			name:  "names in the sandbox's own /dev and /proc",
			host:  "f /dev/null\nd /dev/shm\nd /dev/hugepages\nl /proc/self -> 7\nd /proc/7/fd\nd /proc/sys\nf /proc/keys",
			rules: "deny /dev/shm\ndeny /proc/keys\ndeny /proc/7\nprotect /proc/sys\ndeny /proc/*/environ\nread /dev/null\nread /proc/self/fd\nwrite /dev/hugepages\nread /",
			mounts: `
--ro-bind / /
--bind /dev/hugepages /dev/hugepages
--perms 0000 --tmpfs /dev/shm --remount-ro /dev/shm
--perms 0000 --ro-bind-data 5 /proc/keys
--remount-ro /`,
			verdicts: `
deny[/dev/shm] exact
deny[/proc/keys] exact
deny[/proc/7] wider SBC2128
protect[/proc/sys] wider SBC2128
deny[/proc/*/environ] dropped SBC2128
read[/dev/null] exact
read[/proc/self/fd] exact
write[/dev/hugepages] exact
read[/] exact`,
		},
		{
			name:  "an exception in one place only: what is moved there is open afterwards",
			host:  "f /w/a/.env\nf /w/fixtures/.env",
			rules: "deny /w/**/.env except /w/fixtures/**\nwrite /w\nread /",
			mounts: `
--ro-bind / /
--bind /w /w
--perms 0000 --ro-bind-data 5 /w/a/.env
--remount-ro /`,
			verdicts: `
deny[/w/**/.env] snapshot SBC2101
deny[/w/**/.env] wider SBC2102
write[/w] exact
read[/] exact`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			art, rep := compile(t, policy(tt.rules), view(tt.host+"\nd /dev\nd /proc"), target.Options{})
			if diff := cmp.Diff(lines(tt.mounts), mountLines(art)); diff != "" {
				t.Errorf("mounts (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(lines(tt.verdicts), verdicts(rep)); diff != "" {
				t.Errorf("verdicts (-want +got):\n%s", diff)
			}
		})
	}
}

func lines(s string) []string { return strings.Split(strings.TrimSpace(s), "\n") }
