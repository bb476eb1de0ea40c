# A monorepo in which one package is writable and the rest is read.
version = 1
name    = "monorepo"
extends = ["readonly"]

locals {
  package = "./packages/payments"
}

filesystem {
  write = [local.package, git_dirs]

  deny "owners" {
    paths  = ["**/CODEOWNERS"]
    access = "write"
  }
}

test "only payments" {
  deny  = { write = ["./packages/search/**", "**/CODEOWNERS"], unlink = ["./packages/payments"] }
  allow = { read = ["./packages/search/**"], write = ["./packages/payments/src/[a-z]*.js"] }
}
