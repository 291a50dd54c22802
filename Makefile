# SPDX-License-Identifier: BSD-2-Clause
# Thin: what meson and the scripts do, under the names that people try first.
BUILD ?= build
MESON_OPTIONS ?=
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

# What Debian 12 needs: to build, to test, for the simulated fabric, for a virtual machine with Soft RoCE, and for many hosts.
PACKAGES = gcc meson ninja-build pkg-config libc6-dev \
	libuv1-dev libyaml-dev libcyaml-dev libjansson-dev libzstd-dev libxml2-dev libibumad-dev libibmad-dev libibverbs-dev \
	libmnl-dev libcmocka-dev bats valgrind libxml2-utils python3 python3-jsonschema python3-yaml jq procps perl cmark-gfm zstd prometheus \
	ibsim-utils opensm infiniband-diags \
	qemu-system-x86 linux-image-amd64 kmod busybox-static cpio iproute2 ethtool perftest ibverbs-utils iperf3 iputils-ping
PACKAGES += chromium chromium-driver fonts-dejavu-core
PACKAGES += openssh-server openssh-client slurm-wlm
BENCH_PACKAGES = kyua libtest-harness-perl
LINT_PACKAGES = clang-format clang clang-tidy
FUZZ_PACKAGES = clang libclang-rt-14-dev

.PHONY: all setup build demo test docs bench lint asan valgrind fuzz clean
all: build

# apt is asked only for what is missing, so that this runs without rights where everything is there.
define install
	@missing=$$(for p in $(1); do dpkg-query -W -f '$${db:Status-Status}\n' $$p 2>/dev/null | grep -qx installed || echo $$p; done); \
	[ -z "$$missing" ] || { $(SUDO) apt-get update && $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $$missing; }
endef

setup:
	$(call install,$(PACKAGES))

build: setup
	@[ -f $(BUILD)/build.ninja ] || meson setup $(BUILD) $(MESON_OPTIONS)
	@meson compile -C $(BUILD)

demo: build
	@scenarios/demo $(BUILD)

test: build
	@tests/all $(BUILD)

# Documents that the program makes: the reference, the schema of scenarios, what README and tutorial show.
docs: build
	@docs/make $(BUILD)

bench: build
	$(call install,$(BENCH_PACKAGES))
	@tests/bench/all $(BUILD)

lint: setup
	$(call install,$(LINT_PACKAGES))
	@tests/lint

# libasan is linked statically: loaded as a library it does not come first where umad2sim is preloaded, and gives up.
asan: setup
	@[ -f $(BUILD)-asan/build.ninja ] || meson setup $(BUILD)-asan -Db_sanitize=address,undefined -Db_lundef=false \
		-Dc_link_args=-static-libasan $(MESON_OPTIONS)
	@meson compile -C $(BUILD)-asan
	@tests/all $(BUILD)-asan

valgrind: build
	@tests/valgrind $(BUILD)

fuzz: setup
	$(call install,$(FUZZ_PACKAGES))
	@[ -f $(BUILD)-fuzz/build.ninja ] || CC=clang meson setup $(BUILD)-fuzz -Dfuzz=true -Dtests=false -Db_lundef=false
	@meson compile -C $(BUILD)-fuzz
	@tests/fuzz/all $(BUILD)-fuzz

clean:
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-fuzz
