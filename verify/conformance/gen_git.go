package conformance

// commit commits in a repository without its settings.
const commit = "git -c user.name=n -c user.email=e@x -c commit.gpgsign=false commit -q --allow-empty -m m"

// git guards a checkout: a repository, a worktree of one, or one with a
// submodule. The guards deny what would run code later, and git works.
func (b *builder) git() {
	b.c.Needs = []string{"git"}
	b.c.Policy.Mandatory = true
	b.c.Policy.Write = Texts("W/p")
	b.c.Control = &Control{Policy: &Policy{Write: Texts("W/p"), Tmp: "private"}}
	closed := func(names ...string) { // these come last: where they succeed, git no longer works
		for _, name := range names {
			b.ask("write", name, "echo x >> "+at(name), No)
			b.ask("move", name, "mv "+at(name)+" "+at(name+".x")+" && mv "+at(name+".x")+" "+at(name), No)
		}
	}
	switch b.below(3) {
	case 0:
		b.c.About = "the hooks and the configuration of a repository are closed, and git works"
		b.step("git", "p")
		b.step("file", "p/.git/hooks/pre-commit", "#!/bin/sh\n")
		b.step("file", "p/.git/hooks/post-merge", "#!/bin/sh\n")
		b.askMove("p/.git/hooks", "p/.git/h", false)
		b.askMove("p/.git", "p/g", false)
		b.ask("commit in", "p", "cd "+at("p")+" && "+commit, Yes)
		b.ask("branch in", "p", "cd "+at("p")+" && git checkout -q -b other && git gc -q && test -z \"$(git status --porcelain)\"", Yes)
		closed("p/.git/hooks/pre-commit", "p/.git/hooks/post-merge", "p/.git/config")
	case 1:
		b.c.About = "in a worktree, the .git file and the hooks of the repository that it belongs to are closed"
		b.step("dir", "p/main")
		b.step("git", "p/main")
		b.step("file", "p/main/.git/hooks/pre-commit", "#!/bin/sh\n")
		b.step("sh", "git -C p/main worktree add -q ../tree")
		b.askMove("p/main/.git", "p/main/g", false)
		b.ask("commit in", "p/tree", "cd "+at("p/tree")+" && "+commit, Yes)
		closed("p/main/.git/hooks/pre-commit", "p/main/.git/config", "p/tree/.git")
	case 2:
		b.c.About = "the hooks and the configuration of a submodule are closed"
		b.step("file", "sub/f", secret)
		b.step("git", "sub")
		b.step("git", "p")
		b.step("sh", "cd p && git -c protocol.file.allow=always submodule add -q ../sub sub && "+commit)
		b.step("file", "p/.git/modules/sub/hooks/pre-commit", "#!/bin/sh\n")
		b.askMove("p/.git/modules/sub/hooks", "p/.git/modules/sub/h", false)
		b.askMove("p/.git/modules", "p/.git/m", false)
		b.ask("commit in", "p/sub", "cd "+at("p/sub")+" && "+commit, Yes)
		closed("p/.git/modules/sub/hooks/pre-commit", "p/.git/modules/sub/config", "p/sub/.git")
	}
}
