package classify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sandboxc/sbc/enforce/classify"
	"github.com/sandboxc/sbc/ir"
)

// rule makes a rule of a test's policy.
func rule(address, path string, read, write ir.Effect, group ir.Group) ir.FileRule {
	return ir.FileRule{
		Match: ir.Subtree(path), Read: read, Write: write, Group: group, Layer: ir.LayerWorkspace,
		Origin: ir.Origin{Address: address}, Reason: "reason of " + address,
	}
}

// policy is what the tests hold messages against: everything can be read, the
// workspace /w/ws can be written, /w/closed is denied, /w/key asks.
func policy() *ir.Policy {
	return &ir.Policy{
		Version: 1, Workspace: "/w/ws", Home: "/home/u",
		Files: []ir.FileRule{
			rule("filesystem.deny.closed", "/w/closed", ir.Deny, ir.Deny, ir.GroupDeny),
			rule("filesystem.deny.hooks", "/w/ws/.git/hooks", ir.Pass, ir.Deny, ir.GroupDeny),
			rule("filesystem.ask.key", "/w/key", ir.Ask, ir.Ask, ir.GroupAsk),
			rule("filesystem.ask.npmrc", "/home/u/.npmrc", ir.Ask, ir.Ask, ir.GroupAsk),
			rule("filesystem.write[workspace]", "/w/ws", ir.Allow, ir.Allow, ir.GroupRoot),
			rule("filesystem.none[/w/none]", "/w/none", ir.Deny, ir.Deny, ir.GroupRoot),
			rule("filesystem.read[/]", "/", ir.Allow, ir.Deny, ir.GroupRoot),
		},
	}
}

// input is a failed run with nothing said.
func input() classify.Input {
	return classify.Input{Exit: 1, Decider: ir.NewDecider(policy(), ir.Linux), Dir: "/w/ws"}
}

// short is a list of violations in a form for tables.
func short(vs []classify.Violation) string {
	var out []string
	for _, v := range vs {
		s := fmt.Sprintf("%s %s%s %s %s", v.Op, v.Path, v.Host, v.Effect, v.Confidence)
		if v.Missing {
			s += " missing"
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// said classifies a text that a command wrote which failed.
func said(text string) string {
	in := input()
	in.Stderr = text
	return short(classify.Classify(in))
}

const (
	key    = "read /w/key ask likely"
	wkey   = "write /w/key ask likely"
	closed = "read /w/closed deny likely"
)

// TestFileMessages: what programs say. Most texts are from runs of the programs
// where files were closed, and read-only; those of zsh, Rust, cargo, Ruby, PHP and
// npm before version 10 are in the form that these programs are known to use.
func TestFileMessages(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ text, want string }{
		// Shells.
		{"bash: line 1: ../ro/new: Read-only file system", "write /w/ro/new none likely"},
		{"bash: line 1: ../key: Permission denied", key},
		{"bash: line 1: cd: ../closed: Permission denied", closed},
		{"-bash: /w/key: Permission denied", key},
		{"dash: 1: cannot create ../ro/x: Read-only file system", "write /w/ro/x none likely"},
		{"dash: 1: cannot open ../key: Permission denied", key},
		{"sh: 1: .: cannot open ../key: Permission denied", key},
		{"zsh: permission denied: ../key", key},
		{"zsh:1: permission denied: /w/key", key},
		{"zsh:1: read-only file system: /w/ro/x y", "write /w/ro/x y none likely"},

		// GNU programs, in the C locale and in UTF-8.
		{"cat: ../key: Permission denied", key},
		{"cat: ../closed/sub/k: Permission denied", "read /w/closed/sub/k deny likely"},
		{"cp: cannot create regular file '../ro/n': Read-only file system", "write /w/ro/n none likely"},
		{"cp: cannot open '../key' for reading: Permission denied", key},
		{"mv: cannot remove '../ro/file': Read-only file system", "unlink /w/ro/file none likely"},
		{"mv: inter-device move failed: 'a' to '../ro/a'; unable to remove target: Read-only file system", "write /w/ro/a none likely"},
		{"mv: cannot move '../key' to 'z': Device or resource busy", "unlink /w/key ask likely"},
		{"rm: cannot remove '../ro/file': Read-only file system\nrm: cannot remove '../ro/dir': Read-only file system", "unlink /w/ro/dir none likely; unlink /w/ro/file none likely"},
		{"mkdir: cannot create directory ‘../ro/d’: Read-only file system", "write /w/ro/d none likely"},
		{"rmdir: failed to remove '../ro/dir': Read-only file system", "unlink /w/ro/dir none likely"},
		{`touch: cannot touch '../ro/a'$'\n''b': Read-only file system`, "write /w/ro/a\nb none likely"},
		{`touch: cannot touch "../ro/it's": Read-only file system`, "write /w/ro/it's none likely"},
		{`touch: cannot touch '../ro/it'\''s "x"': Read-only file system`, `write /w/ro/it's "x" none likely`},
		{"touch: cannot touch '../ro/a b': Read-only file system", "write /w/ro/a b none likely"},
		{`cat: "/w/closed/a\tb\303\251": Permission denied`, "read /w/closed/a\tbé deny likely"},
		{"ln: failed to create symbolic link '../ro/l': Read-only file system", "write /w/ro/l none likely"},
		{"ln: failed to create symbolic link '../ro/l' -> 'x': Read-only file system", "write /w/ro/l none likely"},
		{"ln: failed to create hard link 'l' => '../ro/file': Invalid cross-device link", "write /w/ro/file none likely"},
		{"chmod: changing permissions of '../ro/file': Read-only file system", "write /w/ro/file none likely"},
		{"ls: cannot open directory '../closed': Permission denied", closed},
		{"ls: cannot access '../closed/sub': Permission denied", "read /w/closed/sub deny likely"},
		{"find: ‘../closed’: Permission denied", closed},
		{"grep: ../closed: Permission denied", closed},
		{"sed: couldn't open temporary file ../ro/sedcaXNKR: Read-only file system", "write /w/ro/sedcaXNKR none likely"},
		{"sed: can't read ../key: Permission denied", key},
		{"awk: cannot open ../key (Permission denied)", key},
		{"awk: cannot open \"../key\" (Permission denied)", key},
		{"tee: ../ro/t: Read-only file system", "write /w/ro/t none likely"},
		{"dd: failed to open '../key': Permission denied", key},
		{"sort: open failed: ../ro/x: Read-only file system", "write /w/ro/x none likely"},
		{"shred: ../ro/file: failed to open for writing: Read-only file system", "write /w/ro/file none likely"},
		{"stat: cannot statx '../closed/x': Permission denied", "read /w/closed/x deny likely"},
		{"timeout: failed to run command ‘../key’: Permission denied", key},
		{"mktemp: failed to create file via template ‘../ro/tmp.XXXXXXXXXX’: Read-only file system", "write /w/ro/tmp.XXXXXXXXXX none likely"},
		{"gzip: ../ro/file.gz: Read-only file system", "write /w/ro/file.gz none likely"},
		{"tar: ../key: Cannot open: Permission denied\ntar: Error is not recoverable: exiting now", key},
		{"tar: ../ro/a.tar: Cannot open: Read-only file system", "write /w/ro/a.tar none likely"},
		{"tar: Removing leading `../' from member names\ntar: ../closed: Cannot open: Permission denied", closed},
		{"../ro/x: Read-only file system", "write /w/ro/x none likely"}, // wget
		{"unzip:  cannot find or open ../key\nerror:  cannot open zipfile [ ../key ]\n        Permission denied", key},
		{"\x1b[31mcat: \x1b[0m../key: Permission denied\r", key},

		// Other languages.
		{"cat: ../key: Keine Berechtigung", key},
		{"mkdir: das Verzeichnis „../ro/d“ kann nicht angelegt werden: Das Dateisystem ist nur lesbar", "write /w/ro/d none likely"},
		{"rm: das Entfernen von '../ro/file' ist nicht möglich: Das Dateisystem ist nur lesbar", "write /w/ro/file none likely"},
		{"bash: Zeile 1: ../ro/new: Das Dateisystem ist nur lesbar", "write /w/ro/new none likely"},
		{"mv: das Verschieben von '../key' nach 'z' ist nicht möglich: Das Gerät oder die Ressource ist belegt", "unlink /w/key ask likely"},
		{"sed: ../key kann nicht gelesen werden: Keine Berechtigung", key},
		{"mkdir: impossible de créer le répertoire « ../ro/d »: Système de fichiers accessible en lecture seulement", "write /w/ro/d none likely"},
		{"sed: impossible de lire ../key: Permission non accordée", key},
		{"env: «../key»: Permiso denegado", key},
		{"touch: no se puede efectuar `touch' sobre '../ro/a b': Sistema de ficheros de sólo lectura", "write /w/ro/a b none likely"},
		{"mkdir: ディレクトリ `../ro/d' を作成できません: 読み込み専用ファイルシステムです", "write /w/ro/d none likely"},
		{"sed: ../key を読み込めません: 許可がありません", key},
		{"rm: невозможно удалить '../ro/file': Файловая система доступна только для чтения", "write /w/ro/file none likely"},
		{"mkdir: 无法创建目录 \"../ro/d\": 只读文件系统", "write /w/ro/d none likely"},
		{"sed：无法读取 ../key：权限不够", key},
		{"致命错误：不能创建目录 ../ro/new: 只读文件系统", "write /w/ro/new none likely"},

		// Python, node, Go, Java, Rust, Ruby, Perl, PHP.
		{"Traceback (most recent call last):\n  File \"/w/ws/a.py\", line 3, in <module>\n    open('../key')\nPermissionError: [Errno 13] Permission denied: '../key'", key},
		{"OSError: [Errno 30] Read-only file system: '../ro/x'", "write /w/ro/x none likely"},
		{"OSError: [Errno 18] Invalid cross-device link: '../ro/file' -> 'x'", "unlink /w/ro/file none likely"},
		{"OSError: [Errno 16] Device or resource busy: 'a.go' -> '../key'", "write /w/key ask likely"},
		{"PermissionError: [Errno 13] Permission denied: b'../key'", key},
		{`PermissionError: [Errno 13] Permission denied: '../closed/a"b\'c'`, `read /w/closed/a"b'c deny likely`},
		{`PermissionError: [Errno 13] Permission denied: '../closed/a\nb` + "é" + `\udcff'`, "read /w/closed/a\nbé\xff deny likely"},
		{"python3: can't open file '/w/ws/../key': [Errno 13] Permission denied", key},
		{"Error: [Errno 30] Read-only file system: '/w/ro/v'", "write /w/ro/v none likely"},
		{"ERROR: Could not install packages due to an OSError: [Errno 30] Read-only file system: '/usr/lib/python3/x'", "write /usr/lib/python3/x none likely"},
		{"Error: EACCES: permission denied, open '../key'\n    at Object.open (node:fs:573:18) {\n  errno: -13,\n  code: 'EACCES',\n  syscall: 'open',\n  path: '../key'\n}", key},
		{"Error: EACCES: permission denied, open '../closed/it's' {", "read /w/closed/it's deny likely"},
		{"Error: EROFS: read-only file system, rmdir '../ro/dir'", "unlink /w/ro/dir none likely"},
		{"Error: EXDEV: cross-device link not permitted, rename '../ro/file' -> 'x'", "unlink /w/ro/file none likely"},
		{"Error: EROFS: read-only file system, copyfile '/etc/hostname' -> '../ro/x'", "write /w/ro/x none likely"},
		{"Error: spawn ../key EACCES\n    at ChildProcess", key},
		{"open ../key: permission denied", key},
		{"mkdir ../ro/x: read-only file system", "write /w/ro/x none likely"},
		{"remove ../ro/file: read-only file system", "unlink /w/ro/file none likely"},
		{"fork/exec ../key: permission denied", key},
		{"open ../closed/a b: permission denied", "read /w/closed/a b deny likely"},
		{"failed to initialize build cache at /w/ro/gc: mkdir /w/ro/gc: read-only file system", "write /w/ro/gc none likely"},
		{"command-line-arguments: go build command-line-arguments: copying /tmp/go-build1958995528/b001/exe/a.out: open ../ro/x: read-only file system", "write /w/ro/x none likely"},
		{"Exception in thread \"main\" java.io.FileNotFoundException: ../key (Permission denied)\n\tat java.base/java.io.FileInputStream.open0(Native Method)", key},
		{"Exception in thread \"main\" java.nio.file.AccessDeniedException: ../key", key},
		{"Exception in thread \"main\" java.nio.file.FileSystemException: ../ro/x: Read-only file system", "write /w/ro/x none likely"},
		{"Exception in thread \"main\" java.io.IOException: Cannot run program \"../key\": error=13, Permission denied\nCaused by: java.io.IOException: error=13, Permission denied", key},
		{"A.java:2: error: error while writing A: /w/ro/A.class: Read-only file system", "write /w/ro/A.class none likely"},
		{"thread 'main' panicked at src/main.rs:1: failed to open file `/w/key`: Permission denied (os error 13)", key},
		{`Error: Permission denied (os error 13) at path "/w/closed/.tmpAbC"`, "read /w/closed/.tmpAbC deny likely"},
		{"-e:1:in `initialize': Permission denied @ rb_sysopen - /w/key (Errno::EACCES)", key},
		{"-e:1:in `mkdir': Read-only file system @ dir_s_mkdir - /w/ro/d (Errno::EROFS)", "write /w/ro/d none likely"},
		{"a.rb:1:in `rename': Invalid cross-device link @ rb_file_s_rename - (/w/ro/file, x) (Errno::EXDEV)", "unlink /w/ro/file none likely"},
		{"cannot open ../key: Permission denied at -e line 1.", key},
		{`Can't open perl script "../key": Permission denied`, key},
		{"PHP Warning:  fopen(/w/key): Failed to open stream: Permission denied in /w/ws/a.php on line 3", key},

		// Build tools and package managers.
		{"/usr/bin/ld: cannot open output file ../ro/m: Read-only file system\ncollect2: error: ld returned 1 exit status", "write /w/ro/m none likely"},
		{"inc.c:1:10: fatal error: /w/key: Permission denied\n    1 | #include \"/w/key\"\ncompilation terminated.", key},
		{"cc1: fatal error: ../key: Permission denied\ncompilation terminated.", key},
		{"Assembler messages:\nFatal error: can't create ../ro/m.o: Read-only file system", "write /w/ro/m.o none likely"},
		{"cc1: fatal error: cannot open ‘../ro/m.s’ for writing: Read-only file system", "write /w/ro/m.s none likely"},
		{"mk2:1: ../key: Permission denied\nmake: *** No rule to make target '../key'.  Stop.", key},
		{"make: *** ../closed: Permission denied.  Stop.", closed},
		{"fatal: Unable to create '/w/ro/g/.git/index.lock': Read-only file system", "write /w/ro/g/.git/index.lock none likely"},
		{"fatal: cannot lock ref 'refs/heads/zz': Unable to create '/w/ro/g/.git/refs/heads/zz.lock': Read-only file system", "write /w/ro/g/.git/refs/heads/zz.lock none likely"},
		{"error: could not lock config file /w/ro/.gitconfig: Read-only file system", "write /w/ro/.gitconfig none likely"},
		{"fatal: cannot mkdir ../ro/new: Read-only file system", "write /w/ro/new none likely"},
		{"fatal: could not create work tree dir '../ro/cl': Read-only file system", "write /w/ro/cl none likely"},
		{"error: can't open patch '../key': Permission denied", key},
		{"fatal: cannot exec '.git/hooks/pre-commit': Permission denied", ""}, // reading it is permitted
		{"error: unable to create file .git/hooks/x: Read-only file system", "write /w/ws/.git/hooks/x deny likely"},
		{"npm error code EROFS\nnpm error syscall open\nnpm error path /w/ro/package-lock.json\nnpm error errno -30\nnpm error rofs EROFS: read-only file system, open '/w/ro/package-lock.json'", "write /w/ro/package-lock.json none likely"},
		{"npm ERR! code EACCES\nnpm ERR! syscall open\nnpm ERR! path /home/u/.npmrc\nnpm ERR! errno -13", "read /home/u/.npmrc ask likely"},
		{"npm ERR! code EXDEV\nnpm ERR! syscall rename\nnpm ERR! path /w/ro/a\nnpm ERR! dest /w/ws/b\nnpm ERR! errno -18", "unlink /w/ro/a none likely"},
		{"error: failed to open: /w/ro/t/.cargo-lock\n\nCaused by:\n  Read-only file system (os error 30)", "write /w/ro/t/.cargo-lock none likely"},
		{"error: failed to create directory `/w/ro/.cargo/registry`\n\nCaused by:\n  Read-only file system (os error 30)", "write /w/ro/.cargo/registry none likely"},
		{"Warning: Failed to open the file ../ro/x: Read-only file system\ncurl: (23) Failure writing output to destination", "write /w/ro/x none likely"},
		{"Can't open user config file ../key: Permission denied", key},
		{`Load key "/w/key": Permission denied`, key},
		{`Saving key "../ro/k" failed: Read-only file system`, "write /w/ro/k none likely"},

		// Errors that alone do not say it was the sandbox.
		{"chown: changing ownership of '../ro/file': Operation not permitted", "write /w/ro/file none possible"},
		{"touch: cannot touch '../ro/file': Permission denied", "write /w/ro/file none possible"},
		{"cat: /w/none/x: Permission denied", "read /w/none/x none likely"},
	} {
		if got := said(tc.text); got != tc.want {
			t.Errorf("%q:\n got %q\nwant %q", tc.text, got, tc.want)
		}
	}
}

// TestNoViolation: messages of commands that failed for reasons of their own.
func TestNoViolation(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"",
		"Permission denied",
		"permission denied\n",
		"cat: notes.txt: Permission denied", // in the workspace, which the policy opens
		"bash: line 1: ./run.sh: Permission denied",    // not executable
		"bash: line 1: /etc/passwd: Permission denied", // may be read
		"cat: /w/key: No such file or directory",       // nobody says that it exists
		"ls: cannot access 'gone': No such file or directory",
		"git@github.com: Permission denied (publickey).\r\nfatal: Could not read from remote repository.",
		"ERROR 1045 (28000): Access denied for user 'root'@'localhost' (using password: NO)",
		"error: permission denied for table users",
		"2026-01-01T00:00:00Z ERROR api: 403 permission denied: user u may not read project p",
		"rpc error: code = PermissionDenied desc = permission denied on /projects/x",
		"mount: /mnt: must be superuser to use mount.",
		"unshare: unshare failed: Operation not permitted",
		"bash: kill: (1) - Operation not permitted",
		"chown: changing ownership of 'a': Operation not permitted", // in the workspace
		"rm: cannot remove 'mnt': Device or resource busy",
		"mv: cannot move 'a' to 'b': Invalid cross-device link",
		"make: *** [Makefile:2: all] Error 1",
		"java.lang.SecurityException: Permission denied for reflection",
		"collect2: error: ld returned 1 exit status",
		"fatal: repository '../closed/sub' does not exist",
		"python3: can't open file '/w/ws/x.py': [Errno 2] No such file or directory",
		"PermissionError: [Errno 13] Permission denied",
		"Read-only file system at -e line 1.",
		"AssertionError: 'Permission denied' not found in 'ok'",
		`--- FAIL: TestX: got "permission denied", want "ok"`,
		"cat: /w/key: nopermission denied",
		"cat: /w/key: permission deniedness",
		"sh: 1: cannot create /w/ws/no/x: Directory nonexistent",
		"error[E0432]: unresolved import `closed::key`",
		"curl: (22) The requested URL returned error: 403",
		"npm ERR! code E403\nnpm ERR! 403 Forbidden - PUT https://registry.example.org/x\nnpm ERR! path /w/key",
		"npm ERR! code ELIFECYCLE\nnpm ERR! path /w/closed",
		"bash: line 3: read: read error: 0: Is a directory /w/key",
		strings.Repeat("x", 100000) + ": Permission denied",
	} {
		if got := said(text); got != "" {
			t.Errorf("%q: %s", text, got)
		}
	}
	// The name of the program is no path.
	in := input()
	in.Dir, in.Stderr = "/w/ro", "prog: Read-only file system\n"
	if got := short(classify.Classify(in)); got != "" {
		t.Errorf("the name of the program: %s", got)
	}
	in.Stderr = "prog: file: Read-only file system\n"
	if got := short(classify.Classify(in)); got != "write /w/ro/file none likely" {
		t.Errorf("the name of a file: %s", got)
	}
	// The same text that counts in a failed run does not in one that succeeded.
	in = input()
	in.Exit, in.Stderr = 0, "cat: ../key: Permission denied"
	if got := short(classify.Classify(in)); got != "" {
		t.Errorf("status 0: %s", got)
	}
}
