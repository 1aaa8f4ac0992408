# What is needed beyond Debian's base is found or fetched by the scripts in tools/, into .tools/ (see there).
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAVEN := tools/mvn -B --no-transfer-progress
BUILT := target/quarkus-app/quarkus-run.jar
IMAGE := target/image/shardwright.tar
BENCHES := $(patsubst bench/%/run,bench-%,$(wildcard bench/*/run))

# The tests of node-mysql2 are in none of its packages: compat/mysql2/run wants a checkout.
SUITES := go-sql-driver pymysql mysql_client_test

.PHONY: help test demo e2e faults compat build image crds format clean $(BENCHES)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "%-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@for bench in $(BENCHES); do printf '%-14s a benchmark: see bench/%s\n' $$bench $${bench#bench-}; done

build: $(BUILT) ## compile and package, without tests, into target/quarkus-app

$(BUILT): pom.xml $(shell find src -type f 2>/dev/null)
	@echo "==> building Shardwright (usually a minute; the first time Maven also fetches the libraries)" >&2
	@$(MAVEN) -q package -DskipTests
	@touch $@

test: ## unit tests, and integration tests on real MySQL servers and a real API server
	@e2e/cluster/build apiserver
	@$(MAVEN) verify -Dchecks

faults: ## every fault at every step of a reshard, on real processes (two hours; FAULTS='KILL_.* at FLIP' takes some)
	@$(MAVEN) -q verify -Dit.test=FaultsIT,LifecycleIT -Dtest=NoSuch -Dsurefire.failIfNoSpecifiedTests=false "-Dfaults=$(or $(FAULTS),all)"

demo: build ## a keyspace on this machine: load it, split a shard under load, count what was lost (FAULT=... plants one)
	@tools/shardwright local demo

image: $(IMAGE) ## the container image, as target/image/shardwright.tar

$(IMAGE): $(BUILT) $(wildcard image/*)
	@image/app $@

e2e: image ## the end-to-end suite on $KUBECONFIG, or else on a Kubernetes that it starts on this machine (as root; KEEP=1 keeps it)
	@e2e/cluster/with e2e/run

$(BENCHES): bench-%: build
	@bench/$*/run

compat: build ## drivers' own tests, at MySQL itself and through the router (ten minutes; see docs/compatibility.md)
	@failed=0; for suite in $(SUITES); do compat/$$suite/run || failed=1; done; exit $$failed

crds: ## write the CRDs in crds/ and deploy/ anew from the Java types
	@SHARDWRIGHT_UPDATE=1 $(MAVEN) -q test -Dtest=CrdsTest

format: ## format the Java sources
	@$(MAVEN) -q spotless:apply

clean: ## remove what was built; .tools/ stays
	@rm -rf target
