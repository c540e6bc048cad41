# SPDX-License-Identifier: GPL-2.0-or-later
# kregress. "make help" lists the targets. V=1 shows commands, DEV=1 builds with
# ASan, UBSan and -Werror into build/dev.
VERSION := 0.1.0
prefix  ?= /usr/local
bindir  ?= $(prefix)/bin
datadir ?= $(prefix)/share/kregress
mandir  ?= $(prefix)/share/man
unitdir ?= $(prefix)/lib/systemd/system
DESTDIR ?=
CC      ?= gcc
MUSL_CC ?= musl-gcc
Q       := $(if $(V),,@)
# On all processors.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += --jobs=$(shell nproc)
endif

DEV_LIBRARIES := libgit2 libvirt libvirt-qemu yaml-0.1 sqlite3 jansson smartcols libmd \
	blkid mount zlib libzstd liblzma libarchive
LAYERS  := base stats exchange guest profile history build scenario store disks vm bisect lab measure report cli
BUILD   := build/$(if $(DEV),dev,release)

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wpointer-arith -Wwrite-strings -Wvla -Wundef -Wformat=2 -Wno-missing-field-initializers
CFLAGS   ?= -O2 -g
ALL_CFLAGS := -std=gnu11 -D_GNU_SOURCE -Iharness -MMD -MP $(WARNINGS) \
	-DKREGRESS_VERSION='"$(VERSION)"' -DKREGRESS_DATADIR='"$(datadir)"' $(CFLAGS)
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
DEV_CFLAGS := -Og -Werror $(SANITIZE)
ifdef DEV
ALL_CFLAGS += $(DEV_CFLAGS)
LINK_FLAGS := $(SANITIZE)
endif
PKG_CFLAGS = $(eval PKG_CFLAGS := $$(shell pkg-config --cflags $(DEV_LIBRARIES)))$(PKG_CFLAGS)
PKG_LIBS   = $(eval PKG_LIBS := $$(shell pkg-config --libs $(DEV_LIBRARIES)))$(PKG_LIBS)

SOURCES := $(foreach layer,$(LAYERS),$(wildcard harness/$(layer)/*.c))
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o)
LIBRARY := $(filter-out %/cli/main.o,$(OBJECTS))
AGENT   := build/kregress-agent
AGENT_SOURCES := $(wildcard harness/guest/*.c harness/guest/agent/*.c)
AGENT_OBJECTS := $(AGENT_SOURCES:%.c=build/agent/%.o)
AGENT_LIBRARY := $(filter-out %/main.o,$(patsubst %.c,$(BUILD)/%.o,$(wildcard harness/guest/agent/*.c)))
PLUGIN  := build/kregress-blocks.so
PLUGIN_SOURCES := $(wildcard harness/plugin/*.c)
PLUGIN_OBJECTS := $(PLUGIN_SOURCES:%.c=build/plugin/%.o)
PLUGIN_ARCHIVE := $(BUILD)/plugin.a
UNIT    := $(patsubst harness/tests/unit/%.c,%,$(wildcard harness/tests/unit/test_*.c))

.PHONY: all help deps
all: kregress $(AGENT) $(PLUGIN)      ## Build ./kregress, the guest agent and the plugin for QEMU (default)

help:                                 ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|'
	@echo "  V=1 shows commands, DEV=1 builds with ASan, UBSan and -Werror; prefix=, DESTDIR= for install."

deps:                                 ## Name the missing packages; as root, install them
	$(Q)harness/tests/deps

kregress: $(BUILD)/kregress
	$(Q)ln -sf $< $@

$(BUILD)/kregress: $(OBJECTS)
	@$(if $(V),,echo "  LINK   $@")
	$(Q)$(CC) $(LDFLAGS) $(LINK_FLAGS) -o $@ $(OBJECTS) $(PKG_LIBS) -lm -lpthread

$(BUILD)/%.o: %.c | packages
	@mkdir -p $(@D)
	@$(if $(V),,echo "  CC     $<")
	$(Q)$(CC) $(ALL_CFLAGS) $(PKG_CFLAGS) -c -o $@ $<

# Its page carries the style sheet inside.
$(BUILD)/harness/report/html_pieces.o: harness/report/style.css

# The agent: static, libc only, so that it runs as PID 1 under any kernel.
$(AGENT): $(AGENT_OBJECTS)
	@$(if $(V),,echo "  LINK   $@")
	$(Q)$(MUSL_CC) -static -s -o $@ $(AGENT_OBJECTS)

build/agent/%.o: %.c | packages
	@mkdir -p $(@D)
	@$(if $(V),,echo "  MUSL   $<")
	$(Q)$(MUSL_CC) -std=gnu11 -D_GNU_SOURCE -Iharness -MMD -MP $(WARNINGS) $(if $(DEV),-Werror) \
		-O2 -g -idirafter /usr/include -idirafter /usr/include/$(shell $(CC) -dumpmachine) -c -o $@ $<

# The plugin that QEMU loads: for the interface of the installed header, where there is one.
$(PLUGIN): $(PLUGIN_OBJECTS)
	@$(if $(V),,echo "  LINK   $@")
	$(Q)$(CC) -shared -fPIC $(LDFLAGS) -o $@ $(PLUGIN_OBJECTS)

build/plugin/%.o: %.c | packages
	@mkdir -p $(@D)
	@$(if $(V),,echo "  PLUGIN $<")
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE -Iharness -MMD -MP $(WARNINGS) $(if $(DEV),-Werror) \
		$(PLUGIN_CFLAGS) -O2 -g -fPIC -fvisibility=hidden -c -o $@ $<
# Newer headers of QEMU want GLib's.
PLUGIN_CFLAGS = $(eval PLUGIN_CFLAGS := $$(shell pkg-config --cflags glib-2.0 2>/dev/null))$(PLUGIN_CFLAGS)

# One look for what is missing, before the compiler complains of a header.
.PHONY: packages
packages: $(if $(filter check demo,$(MAKECMDGOALS)),deps)
	$(Q)harness/tests/deps --check

.PHONY: check check-fast layers format format-check
check: all                            ## All tests, with real VM boots and a real kernel build
	$(Q)$(MAKE) --no-print-directory check-fast
	$(Q)harness/tests/run all

.PHONY: check-long
check-long: all                       ## What check leaves out: nights, the disk lab, planted faults (half an hour)
	$(Q)harness/tests/run long

check-fast:                           ## Unit tests (ASan, UBSan), layers, format; no VM
	$(Q)$(MAKE) --no-print-directory DEV=1 unit build/dev/kregress $(AGENT)
	$(Q)harness/tests/run fast

unit: $(UNIT:%=$(BUILD)/unit/%)

# The plugin as a test can link it: only where the test is the QEMU that it wants.
$(PLUGIN_ARCHIVE): $(PLUGIN_SOURCES:%.c=$(BUILD)/%.o)
	$(Q)rm -f $@ && $(AR) rc $@ $^

$(BUILD)/harness/plugin/%.o: ALL_CFLAGS += -DKREGRESS_OWN_PLUGIN_API
$(BUILD)/unit/test_counts: ALL_CFLAGS += -DKREGRESS_OWN_PLUGIN_API

$(BUILD)/unit/%: harness/tests/unit/%.c $(LIBRARY) $(AGENT_LIBRARY) $(PLUGIN_ARCHIVE)
	@mkdir -p $(@D)
	@$(if $(V),,echo "  TEST   $<")
	$(Q)$(CC) $(ALL_CFLAGS) $(PKG_CFLAGS) $(LDFLAGS) $(LINK_FLAGS) -MF $@.d -o $@ $< $(LIBRARY) \
		$(AGENT_LIBRARY) $(PLUGIN_ARCHIVE) \
		$(PKG_LIBS) -lcmocka -lm -lpthread

.PHONY: bench-verdicts
bench-verdicts: $(BUILD)/unit/test_rates  ## False alarms and power of the verdicts, at full size
	$(Q)KREGRESS_BENCH=full CMOCKA_MESSAGE_OUTPUT=TAP $<

.PHONY: bench-judging
bench-judging: kregress $(BUILD)/bench/cost  ## Time and memory for a million samples, and a long history
	$(Q)harness/tests/bench/judging.sh

$(BUILD)/bench/cost: harness/tests/bench/cost.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(LINK_FLAGS) -MF $@.d -o $@ $<

.PHONY: bench-search
bench-search: kregress               ## What searches cost and how often they are right
	$(Q)harness/tests/bench/search.sh

.PHONY: bench-dry-run
bench-dry-run: kregress              ## The first commit to test of large ranges, beside git
	$(Q)harness/tests/bench/dry-run.sh

.PHONY: bench-boot
bench-boot: all                       ## What the controller adds to a boot of KERNEL=FILE
	$(Q)harness/tests/bench/boot.sh "$(KERNEL)"

.PHONY: bench-report
bench-report: kregress $(BUILD)/bench/report_cost  ## What reports over a million samples cost
	$(Q)mkdir -p build/bench-report
	$(Q)$(BUILD)/bench/report_cost build/bench-report ./kregress

$(BUILD)/bench/report_cost: harness/tests/bench/report_cost.c $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(LINK_FLAGS) -MF $@.d -o $@ $< \
		$(filter $(BUILD)/harness/store/% $(BUILD)/harness/base/%,$(LIBRARY)) \
		$(PKG_LIBS) -lm -lpthread

.PHONY: bench-agent
bench-agent: $(BUILD)/bench/agent_cost  ## What the agent adds to each operation, in ns
	$(Q)$<

.PHONY: bench-fio
bench-fio: all $(BUILD)/bench/agent_fio  ## The agent's times against fio's in one guest of KERNEL=FILE
	$(Q)$(BUILD)/bench/agent_fio "$(KERNEL)"

$(BUILD)/bench/agent_fio: harness/tests/bench/agent_fio.c $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(PKG_CFLAGS) $(LDFLAGS) $(LINK_FLAGS) -MF $@.d -o $@ $< $(LIBRARY) \
		$(PKG_LIBS) -lm -lpthread

$(BUILD)/bench/agent_cost: harness/tests/bench/agent_cost.c $(LIBRARY) $(AGENT_LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(LINK_FLAGS) -MF $@.d -o $@ $< \
		$(filter $(BUILD)/harness/guest/%,$(LIBRARY) $(AGENT_LIBRARY)) -lm

layers:                               ## Prove that the layers keep their rules
	$(Q)harness/tests/check-layers

format:                               ## Let clang-format rewrite the sources
	$(Q)git ls-files -co --exclude-standard 'harness/*.[ch]' | xargs clang-format -i

format-check:                         ## Fail where clang-format would change something
	$(Q)git ls-files -co --exclude-standard 'harness/*.[ch]' | xargs clang-format --dry-run -Werror

# Programs that e2e scripts run.
$(BUILD)/e2e/%: harness/tests/e2e/%.c $(LIBRARY)
	@mkdir -p $(@D)
	@$(if $(V),,echo "  TEST   $<")
	$(Q)$(CC) $(ALL_CFLAGS) $(PKG_CFLAGS) $(LDFLAGS) $(LINK_FLAGS) -MF $@.d -o $@ $< $(LIBRARY) \
		$(PKG_LIBS) -lcmocka -lm -lpthread

.PHONY: demo
demo: all                             ## Find four regressions planted in a small kernel history
	$(Q)harness/demo/run

# The manual: written by hand, its lists of options from the program's tables.
build/kregress.1: harness/packaging/kregress.1.in harness/packaging/manual $(BUILD)/kregress
	$(Q)harness/packaging/manual $(BUILD)/kregress <$< >$@.new && mv $@.new $@

.PHONY: install deb clean
install: all build/kregress.1         ## Install below $(DESTDIR)$(prefix)
	install -D -m 755 $(BUILD)/kregress $(DESTDIR)$(bindir)/kregress
	install -D -m 755 $(AGENT) $(DESTDIR)$(datadir)/kregress-agent
	install -m 644 $(PLUGIN) $(DESTDIR)$(datadir)
	install -d $(DESTDIR)$(datadir)/scenarios/examples $(DESTDIR)$(datadir)/vm-images
	install -m 644 scenarios/*.yaml $(DESTDIR)$(datadir)/scenarios
	install -m 644 scenarios/examples/*.yaml $(DESTDIR)$(datadir)/scenarios/examples
	cp -R vm-images/. $(DESTDIR)$(datadir)/vm-images
	install -m 644 harness/report/report.schema.json $(DESTDIR)$(datadir)
	install -D -m 644 build/kregress.1 $(DESTDIR)$(mandir)/man1/kregress.1
	install -D -m 644 harness/packaging/kregress.bash \
		$(DESTDIR)$(prefix)/share/bash-completion/completions/kregress
	install -d $(DESTDIR)$(unitdir)
	sed 's|@bindir@|$(bindir)|' harness/systemd/kregress-nightly@.service.in \
		>$(DESTDIR)$(unitdir)/kregress-nightly@.service
	install -m 644 harness/systemd/kregress-nightly@.timer $(DESTDIR)$(unitdir)

deb:                                  ## Build a Debian package into build/deb
	$(Q)harness/packaging/make-deb

clean:                                ## Remove what make built
	rm -rf build kregress

-include $(OBJECTS:.o=.d) $(AGENT_OBJECTS:.o=.d) $(AGENT_LIBRARY:.o=.d) $(PLUGIN_OBJECTS:.o=.d) \
	$(PLUGIN_SOURCES:%.c=$(BUILD)/%.d)
