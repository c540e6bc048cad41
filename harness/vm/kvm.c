/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/kvm.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "vm/mounts.h"
#include "vm/owner.h"

#include <fcntl.h>
#include <linux/kvm.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEVICE "/dev/kvm"

/*
 * A guest as a kernel is one: 64-bit, paging on, ring 0. It counts down a register,
 * which real virtualisation does in a blink; a KVM that emulates each instruction,
 * under which a kernel would need minutes to boot, does not get to the end in time.
 */
enum {
	PROBE_MILLISECONDS = 2000,
	PROBE_ROUNDS = 50 * 1000 * 1000,
	PROBE_PORT = 0x10,
	PROBE_ANSWER = 0x5a,
	GUEST_MEMORY = 0x5000,
	LEVEL_4_TABLE = 0x1000,
	LEVEL_3_TABLE = 0x2000,
	LEVEL_2_TABLE = 0x3000,
	GUEST_START = 0x4000,
	PAGE_PRESENT_WRITABLE = 0x3,
	PAGE_LARGE = 0x80,
	CR0_PE = 1 << 0,
	CR4_PAE = 1 << 5,
	EFER_LONG_MODE = 0x500,
	CODE_SELECTOR = 0x8,
	DATA_SELECTOR = 0x10,
	SEGMENT_CODE = 0xb,
	SEGMENT_DATA = 0x3,
};

#define CR0_PG (1U << 31)

int kvm_visible(void)
{
	CLEANUP(cleanup_fd) int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	return fd >= 0 && ioctl(fd, KVM_GET_API_VERSION, 0) >= 0;
}

static const uint8_t guest_code[] = {
	0xff, 0xc9,         /* again: dec %ecx */
	0x75, 0xfc,         /* jnz again */
	0xb0, PROBE_ANSWER, /* mov $PROBE_ANSWER, %al */
	0xe6, PROBE_PORT,   /* out %al, $PROBE_PORT */
	0xf4,               /* hlt */
};

static int give_memory(int machine)
{
	uint8_t *memory = mmap(NULL, GUEST_MEMORY, PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct kvm_userspace_memory_region region = {
		.memory_size = GUEST_MEMORY,
		.userspace_addr = (uintptr_t)memory,
	};

	if (memory == MAP_FAILED)
		return -1;
	*(uint64_t *)(memory + LEVEL_4_TABLE) = LEVEL_3_TABLE | PAGE_PRESENT_WRITABLE;
	*(uint64_t *)(memory + LEVEL_3_TABLE) = LEVEL_2_TABLE | PAGE_PRESENT_WRITABLE;
	*(uint64_t *)(memory + LEVEL_2_TABLE) = PAGE_LARGE | PAGE_PRESENT_WRITABLE;
	memcpy(memory + GUEST_START, guest_code, sizeof(guest_code));
	return ioctl(machine, KVM_SET_USER_MEMORY_REGION, &region);
}

static int start_in_long_mode(int vcpu)
{
	struct kvm_regs registers = {
		.rip = GUEST_START, .rcx = PROBE_ROUNDS, .rflags = 2};
	struct kvm_segment code = {.limit = UINT32_MAX,
				   .selector = CODE_SELECTOR,
				   .type = SEGMENT_CODE,
				   .present = 1,
				   .s = 1,
				   .l = 1,
				   .g = 1};
	struct kvm_segment data = {.limit = UINT32_MAX,
				   .selector = DATA_SELECTOR,
				   .type = SEGMENT_DATA,
				   .present = 1,
				   .s = 1,
				   .db = 1,
				   .g = 1};
	struct kvm_sregs special;

	if (ioctl(vcpu, KVM_GET_SREGS, &special))
		return -1;
	special.cs = code;
	special.ds = special.es = special.fs = special.gs = special.ss = data;
	special.cr3 = LEVEL_4_TABLE;
	special.cr4 = CR4_PAE;
	special.cr0 |= CR0_PE | CR0_PG;
	special.efer = EFER_LONG_MODE;
	if (ioctl(vcpu, KVM_SET_SREGS, &special))
		return -1;
	return ioctl(vcpu, KVM_SET_REGS, &registers);
}

/* 0 where the guest told the answer and halted. */
static int run_to_halt(int vcpu, const struct kvm_run *run)
{
	int told = 0;

	for (;;) {
		if (ioctl(vcpu, KVM_RUN, 0))
			return -1;
		if (run->exit_reason == KVM_EXIT_HLT)
			return told ? 0 : -1;
		if (run->exit_reason != KVM_EXIT_IO || run->io.port != PROBE_PORT)
			return -1;
		told = ((const uint8_t *)run)[run->io.data_offset] == PROBE_ANSWER;
	}
}

/* In the child: descriptors and memory go with it. */
static int run_guest(void)
{
	int device = open(DEVICE, O_RDWR | O_CLOEXEC);
	int machine = device < 0 ? -1 : ioctl(device, KVM_CREATE_VM, 0);
	int vcpu, size;
	struct kvm_run *run;

	if (machine < 0 || give_memory(machine))
		return -1;
	vcpu = ioctl(machine, KVM_CREATE_VCPU, 0);
	size = ioctl(device, KVM_GET_VCPU_MMAP_SIZE, 0);
	if (vcpu < 0 || size <= 0)
		return -1;
	run = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, vcpu, 0);
	if (run == MAP_FAILED || start_in_long_mode(vcpu))
		return -1;
	return run_to_halt(vcpu, run);
}

static enum kvm_verdict probe_now(void)
{
	pid_t pid = fork();
	CLEANUP(cleanup_fd) int fd = -1;
	struct pollfd ended;
	int status = -1;

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(run_guest() ? 1 : 0);
	}
	if (pid < 0)
		return KVM_DEAD;
	fd = pidfd_open(pid, 0);
	ended = (struct pollfd){.fd = fd, .events = POLLIN};
	if (fd < 0 || poll(&ended, 1, PROBE_MILLISECONDS) != 1)
		kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return status == 0 ? KVM_WORKS : KVM_DEAD;
}

/* What the verdict depends on: this boot of the host, the user, the device. */
static char *probe_key(void)
{
	struct vm_owner self;
	struct error unused;
	struct stat device;

	if (vm_owner_self(&self, &unused) || stat(DEVICE, &device))
		return NULL;
	return memory_format("%s %u %u %llu\n", self.boot_id, (unsigned)geteuid(),
			     (unsigned)device.st_mode,
			     (unsigned long long)device.st_rdev);
}

enum kvm_verdict kvm_probe(const char *cache_path)
{
	CLEANUP(cleanup_free) char *key = probe_key();
	CLEANUP(text_finish) struct text kept = {0};
	CLEANUP(cleanup_free) char *line = NULL;
	enum kvm_verdict verdict;
	struct error unused;

	if (!key || !kvm_visible())
		return KVM_ABSENT;
	if (file_read(cache_path, 4096, &kept, &unused) == 0 && kept.size > 2 &&
	    !strcmp(text_string(&kept) + 2, key))
		return kept.data[0] == 'y' ? KVM_WORKS : KVM_DEAD;
	verdict = probe_now();
	line = memory_format("%c %s", verdict == KVM_WORKS ? 'y' : 'n', key);
	/* Without the cache the next start probes again: no harm but two seconds. */
	(void)file_write(cache_path, line, strlen(line), &unused);
	return verdict;
}

int kvm_hide(const char *mask_path, struct error *err)
{
	CLEANUP(cleanup_fd)
	int mask = open(mask_path, O_RDONLY | O_CREAT | O_CLOEXEC, 0444);

	if (mask < 0)
		return error_system(err, "cannot create %s", mask_path);
	return mounts_cover(DEVICE, mask_path, err);
}
