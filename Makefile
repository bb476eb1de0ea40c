# The two commands to know: `make run` and `make test`. `make` alone lists all.
SHELL := bash
.DEFAULT_GOAL := help
.PHONY: help build run test lint golden fuzz bench soak cover tidy deps

# Packages that take values and return values; they must build for wasm too.
PURE := $(patsubst %,./%/...,$(wildcard ir frontend profiles host target verify))
# Packages where a wrong answer would open something; `make cover` gates these.
DECISIONS := $(patsubst %,./%/...,$(wildcard ir target verify))
# Packages whose tests define the flag -update.
GOLDEN = $(sort $(dir $(shell grep -rl --include='*_test.go' 'flag\.Bool.*"update"' .)))

EXAMPLE   ?= examples/agent.hcl
FUZZTIME  ?= 30s
COVER_MIN ?= 85

# Built from the hashes in tools/go.sum; the Go build cache keeps the result.
TOOL := go tool -modfile=tools/go.mod

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build bin/sbc
	CGO_ENABLED=0 go build -trimpath -o bin/sbc ./cmd/sbc

run: build ## build, then compile the example for both systems and run it here
	scripts/run.sh $(EXAMPLE)

test: deps ## install what is missing, then build, vet, lint, and run every test
	go build ./... && go vet ./...
	GOOS=js GOARCH=wasm CGO_ENABLED=0 go build $(PURE)
	GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 go vet ./...
	$(MAKE) --no-print-directory lint
	scripts/test.sh -race -count=1 ./...
	scripts/golden-check.sh

lint: ## golangci-lint with gofumpt, as .golangci.yml says
	$(TOOL) golangci-lint run ./...

golden: ## rewrite every golden file; read the diff before you commit it
	$(if $(GOLDEN),go test -p 1 -count=1 $(GOLDEN) -update,@echo "no package has goldens yet")

fuzz: ## run each fuzz target for FUZZTIME (30s)
	FUZZTIME=$(FUZZTIME) scripts/fuzz.sh

bench: ## run every benchmark, one package after the other; internal/bench has the figures side by side
	go test -run '^$$' -bench . -benchmem -p 1 ./...

soak: ## the long run: properties 100 times as deep, shuffled; every mutant; the kernel; random calls; then 10 minutes per fuzz target
	RAPID_CHECKS=10000 scripts/test.sh -race -count=3 -shuffle=on -timeout=2h ./...
	SBC_MUTANTS=all go test -count=1 -timeout=12h -v ./verify/mutation
	SBC_CONFORMANCE=3000 go test -count=1 -timeout=2h -v ./verify/conformance
	SBC_CONFORMANCE=3000 go test -count=1 -timeout=2h -run TestCases ./internal/e2e
	SBC_SOAK_CALLS=20000000 go test -count=1 -timeout=2h -v -run TestSameAsTheKernel ./enforce/supervise
	$(MAKE) --no-print-directory fuzz FUZZTIME=10m

cover: ## coverage of the packages that decide; fails under COVER_MIN per cent
	@mkdir -p bin && go test -coverprofile=bin/cover.out $(DECISIONS)
	@go tool cover -func=bin/cover.out | awk -v min=$(COVER_MIN) '/^total:/ { print "total", $$3; exit ($$3 + 0 < min) }'

tidy: ## format the code, tidy both modules
	$(TOOL) golangci-lint fmt ./...
	go mod tidy && cd tools && go mod tidy

deps: ## install what the tests run, through apt-get as root; else say what is missing
	@scripts/deps.sh
