/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/domain.h"

#include "vm/domain_disks.h"
#include "vm/owner.h"
#include "vm/spec.h"
#include "vm/xml.h"

#include <stdio.h>
#include <string.h>

enum { DEFAULT_MEMORY_MIB = 512 };

static void add_boot(struct text *xml, const struct vm_spec *spec)
{
	text_add(xml, "<os><type arch='x86_64'");
	xml_attribute(xml, "machine", spec->machine ? spec->machine : "pc");
	text_add(xml, ">hvm</type>");
	xml_element(xml, "kernel", spec->kernel);
	if (spec->initrd)
		xml_element(xml, "initrd", spec->initrd);
	xml_element(xml, "cmdline", spec->cmdline ? spec->cmdline : "");
	text_add(xml, "</os><features><acpi/><apic/></features>");
	if (spec->accelerator == VM_KVM && !spec->cpu)
		text_add(xml, "<cpu mode='host-passthrough'/>");
	if (spec->icount.enabled)
		text_format(xml,
			    "<clock offset='absolute' start='%llu'>"
			    "<timer name='rtc' track='guest'/></clock>",
			    (unsigned long long)spec->icount.rtc_seconds);
	text_add(xml, "<on_poweroff>destroy</on_poweroff><on_reboot>destroy</on_reboot>"
		      "<on_crash>destroy</on_crash>");
}

static void add_pins(struct text *xml, const struct vm_spec *spec, unsigned vcpus)
{
	const struct vm_pins *pins = &spec->pins;

	if (spec->iothreads)
		text_format(xml, "<iothreads>%u</iothreads>", spec->iothreads);
	if (!pins->vcpus && !pins->emulator && !pins->iothreads)
		return;
	text_add(xml, "<cputune>");
	for (unsigned i = 0; pins->vcpus && i < vcpus; i++) {
		text_format(xml, "<vcpupin vcpu='%u'", i);
		xml_attribute(xml, "cpuset", pins->vcpus[i]);
		text_add(xml, "/>");
	}
	if (pins->emulator) {
		text_add(xml, "<emulatorpin");
		xml_attribute(xml, "cpuset", pins->emulator);
		text_add(xml, "/>");
	}
	for (unsigned i = 1; pins->iothreads && i <= spec->iothreads; i++) {
		text_format(xml, "<iothreadpin iothread='%u'", i);
		xml_attribute(xml, "cpuset", pins->iothreads);
		text_add(xml, "/>");
	}
	text_add(xml, "</cputune>");
}

static void add_size(struct text *xml, const struct vm_spec *spec)
{
	unsigned vcpus = spec->vcpus ? spec->vcpus : 1;

	text_format(xml, "<memory unit='MiB'>%u</memory><vcpu>%u</vcpu>",
		    spec->memory_mib ? spec->memory_mib : DEFAULT_MEMORY_MIB, vcpus);
	if (spec->huge_pages)
		text_add(xml, "<memoryBacking><hugepages/></memoryBacking>");
	add_pins(xml, spec, vcpus);
}

static void add_file_device(struct text *xml, const char *element, const char *path,
			    const char *target)
{
	text_format(xml, "<%s type='file'><source", element);
	xml_attribute(xml, "path", path);
	text_format(xml, " append='off'/>%s</%s>", target, element);
}

static void add_channels(struct text *xml, const struct vm_spec *spec)
{
	const char *second = spec->channel == VM_CHANNEL_SERIAL ? spec->results_path
								: spec->fallback_path;

	add_file_device(xml, "serial", spec->console_path,
			"<target type='isa-serial' port='0'/>");
	if (second)
		add_file_device(xml, "serial", second,
				"<target type='isa-serial' port='1'/>");
	if (spec->channel == VM_CHANNEL_VIRTIO)
		add_file_device(xml, "channel", spec->results_path,
				"<target type='virtio' name='" VM_RESULTS_PORT "'/>");
}

static void add_devices(struct text *xml, const struct vm_spec *spec,
			const char *emulator)
{
	text_add(xml, "<devices>");
	xml_element(xml, "emulator", emulator);
	text_add(xml, "<controller type='usb' model='none'/>");
	domain_add_disks(xml, spec);
	add_channels(xml, spec);
	for (size_t i = 0; i < spec->pci_count; i++)
		text_format(xml,
			    "<hostdev mode='subsystem' type='pci' managed='yes'><source>"
			    "<address domain='0x%04x' bus='0x%02x' slot='0x%02x' "
			    "function='0x%x'/></source></hostdev>",
			    spec->pci[i].domain, spec->pci[i].bus, spec->pci[i].slot,
			    spec->pci[i].function);
	text_add(xml, "<memballoon model='none'/></devices>");
}

static void add_argument(struct text *xml, const char *argument)
{
	text_add(xml, "<qemu:arg");
	xml_attribute(xml, "value", argument);
	text_add(xml, "/>");
}

static void add_pair(struct text *xml, const char *option, const char *value)
{
	add_argument(xml, option);
	add_argument(xml, value);
}

static void add_nvme(struct text *xml, const struct vm_disk *disk, size_t index)
{
	struct text drive = {0}, device = {0};

	domain_nvme_options(disk, index, &drive, &device);
	add_pair(xml, "-drive", text_string(&drive));
	add_pair(xml, "-device", text_string(&device));
	text_finish(&drive);
	text_finish(&device);
}

/* The guest can read the uuid: a random one would make each boot another one. */
static void add_icount(struct text *xml, const struct vm_icount *icount)
{
	char value[64];

	snprintf(value, sizeof(value), "shift=%u,sleep=off", icount->shift);
	add_pair(xml, "-icount", value);
	snprintf(value, sizeof(value), "%u", icount->seed);
	add_pair(xml, "-seed", value);
	add_pair(xml, "-uuid", "6b726567-7265-4373-8000-000000000001");
}

static void add_plugin(struct text *xml, const struct vm_plugin *plugin)
{
	struct text option = {0};

	domain_option_value(&option, plugin->file);
	text_add(&option, ",out=");
	domain_option_value(&option, plugin->output);
	add_pair(xml, "-plugin", text_string(&option));
	text_finish(&option);
}

static void add_qemu_arguments(struct text *xml, const struct vm_spec *spec)
{
	size_t nvme_count = 0;

	text_add(xml, "<qemu:commandline>");
	if (spec->cpu)
		add_pair(xml, "-cpu", spec->cpu);
	if (spec->icount.enabled)
		add_icount(xml, &spec->icount);
	for (size_t i = 0; i < spec->disk_count; i++)
		if (spec->disks[i].bus == VM_BUS_NVME)
			add_nvme(xml, &spec->disks[i], nvme_count++);
	if (spec->plugin)
		add_plugin(xml, spec->plugin);
	for (const char *const *item = spec->qemu_arguments; item && *item; item++)
		add_argument(xml, *item);
	text_add(xml, "</qemu:commandline>");
	/*
	 * With this capability libvirt asks for each of 400 CPU properties by itself,
	 * a tenth of a second for every start.
	 */
	text_add(xml, "<qemu:capabilities><qemu:del "
		      "capability='cpu-unavailable-features'/></qemu:capabilities>");
}

static void add_owner(struct text *xml, const struct vm_owner *owner)
{
	text_format(xml,
		    "<metadata><kregress:owner xmlns:kregress='" VM_OWNER_NAMESPACE
		    "' pid='%d' start='%llu'",
		    (int)owner->pid, (unsigned long long)owner->start);
	xml_attribute(xml, "boot", owner->boot_id);
	text_add(xml, "/></metadata>");
}

int vm_domain_xml(const struct vm_spec *spec, const char *emulator,
		  const struct vm_owner *owner, struct text *ret_xml, struct error *err)
{
	if (vm_spec_check(spec, err))
		return error_prefix(err, "guest");
	text_format(ret_xml,
		    "<domain type='%s' "
		    "xmlns:qemu='http://libvirt.org/schemas/domain/qemu/1.0'>",
		    spec->accelerator == VM_KVM ? "kvm" : "qemu");
	xml_element(ret_xml, "name", spec->name);
	add_owner(ret_xml, owner);
	add_size(ret_xml, spec);
	add_boot(ret_xml, spec);
	add_devices(ret_xml, spec, emulator);
	add_qemu_arguments(ret_xml, spec);
	text_add(ret_xml, "</domain>");
	return 0;
}
