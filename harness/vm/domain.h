/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a guest is made of, and its libvirt domain XML.
 *
 * A spec is plain data of the caller's: all strings are borrowed and must live until
 * vm_start() returns. Zero means the default named at each field, so that
 * "struct vm_spec spec = {.name = ..., .kernel = ...}" is a bare guest: kernel,
 * console, results channel, nothing else. No graphics, USB, balloon, watchdog or
 * network exist.
 *
 * Every string is escaped; one that XML or libvirt cannot carry (control characters,
 * bad UTF-8, a relative path) is an ERROR_USAGE that names the field.
 */
#ifndef VM_DOMAIN_H
#define VM_DOMAIN_H

#include "base/error.h"
#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

/* The name of the virtio-serial port that carries results. */
#define VM_RESULTS_PORT "org.kregress.results"

enum vm_accelerator { VM_TCG, VM_KVM };

enum vm_disk_kind { VM_DISK_FILE, VM_DISK_BLOCK };

enum vm_bus { VM_BUS_VIRTIO, VM_BUS_SCSI, VM_BUS_SATA, VM_BUS_IDE, VM_BUS_NVME };

enum { VM_IDE_DISKS_MAX = 4, VM_SATA_DISKS_MAX = 6, VM_NVME_DISKS_MAX = 15 };

struct vm_disk {
	const char *source; /* absolute path, raw content */
	enum vm_disk_kind kind;
	enum vm_bus bus; /* SCSI is virtio-scsi; see the limits above */
	const char
		*serial; /* how the guest finds it; letters, digits, - and _; 20 bytes */
	const char *cache; /* "none", "directsync", "writeback", ...; NULL: "none" */
	const char *io;    /* "native", "io_uring", "threads"; NULL: QEMU's choice */
	int read_only;
	unsigned queues;   /* request queues of virtio and SCSI; 0: QEMU's choice */
	unsigned iothread; /* 1...vm_spec.iothreads; 0: none. Virtio and SCSI only */
	/* Sectors as the guest sees them, in bytes; 0: QEMU's choice. Not IDE, SATA. */
	unsigned logical_block, physical_block;
};

/* A whole PCI function handed to the guest (managed: given back at the end). */
struct vm_pci {
	unsigned domain, bus, slot, function;
};

/* Guest thread to host cpus, in libvirt's notation ("2", "2-3,7"). */
struct vm_pins {
	const char *const *vcpus; /* one entry a vcpu; NULL: no pins */
	const char *emulator;     /* NULL: none */
	const char *iothreads;    /* for all of them; NULL: none */
};

enum vm_channel {
	VM_CHANNEL_SERIAL, /* the second serial port, COM2 at 0x2f8 */
	VM_CHANNEL_VIRTIO, /* virtio-serial port VM_RESULTS_PORT, and COM2 as fallback */
};

/*
 * Exact guest time: QEMU counts instructions and the guest clock is the count.
 * One vcpu, TCG only.
 */
struct vm_icount {
	int enabled;
	unsigned shift;       /* one instruction is 2^shift ns; 0...10 */
	unsigned seed;        /* of everything random in QEMU */
	uint64_t rtc_seconds; /* the wall clock at power-on, since 1970, in UTC */
};

/* A plugin of QEMU's translator; TCG only. */
struct vm_plugin {
	const char *file;   /* absolute path of the shared object */
	const char *output; /* absolute path, given to it as "out=PATH" */
};

struct vm_spec {
	const char *name;    /* unique on this host; vm_name_check() */
	const char *kernel;  /* vmlinux (PVH) or bzImage */
	const char *initrd;  /* NULL: none */
	const char *cmdline; /* NULL: empty */
	unsigned memory_mib; /* 0: 512 */
	unsigned vcpus;      /* 0: 1 */
	const char *machine; /* NULL: "pc" */
	const char *cpu;     /* QEMU's -cpu text; NULL: QEMU's default, host with KVM */
	enum vm_accelerator accelerator;
	enum vm_channel channel;
	const char *console_path; /* first serial port, ttyS0; created or emptied */
	const char *results_path; /* the channel; created or emptied */
	/* COM2 where the channel is virtio, the same frames; NULL: none */
	const char *fallback_path;
	struct vm_icount icount;
	const struct vm_disk *disks;
	size_t disk_count;
	const struct vm_pci *pci;
	size_t pci_count;
	unsigned iothreads;
	struct vm_pins pins;
	int huge_pages;
	const struct vm_plugin *plugin; /* NULL: none */
	const char *const
		*qemu_arguments; /* added as they are; NULL: none; ends with NULL */
};

/* Fails on a name that is not 1...48 letters, digits, '.', '-' and '_'. */
int vm_name_check(const char *name, struct error *err);

/*
 * The domain XML, added to ret_xml. emulator is QEMU's path; owner is what
 * vm_owner_describe() made, the tag by which leftovers of a dead controller are known.
 */
struct vm_owner;
int vm_domain_xml(const struct vm_spec *spec, const char *emulator,
		  const struct vm_owner *owner, struct text *ret_xml, struct error *err);

#endif
