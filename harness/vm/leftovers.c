/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm/leftovers.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "vm/owner.h"
#include "vm/pidfile.h"

#include <libvirt/libvirt.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>

#define SUFFIX ".xml"

enum { STATE_LIMIT = 1 << 20, END_MILLISECONDS = 5000, UUID_LENGTH = 36 };

/* The domain's uuid in libvirt's state file; -1 where there is none. */
static int find_uuid(const char *xml, char uuid[UUID_LENGTH + 1])
{
	static const char opening[] = "<uuid>";
	const char *found = strstr(xml, opening);

	if (!found)
		return -1;
	found += sizeof(opening) - 1;
	if (strspn(found, "0123456789abcdef-") != UUID_LENGTH)
		return -1;
	memcpy(uuid, found, UUID_LENGTH);
	uuid[UUID_LENGTH] = '\0';
	return 0;
}

static unsigned kill_held(int fd)
{
	struct pollfd ended = {.fd = fd, .events = POLLIN};

	if (pidfd_send_signal(fd, SIGKILL, NULL, 0))
		return 0;
	poll(&ended, 1, END_MILLISECONDS);
	return 1;
}

/* 1 where it ran and was ended. */
static unsigned end_process(pid_t pid, const char *name, const char *uuid)
{
	CLEANUP(cleanup_fd) int fd = pid > 0 ? pidfd_open(pid, 0) : -1;

	/* Looked at after it is held: what is checked is what is killed. */
	if (fd < 0 || !pidfile_is_guest(pid, name, uuid))
		return 0;
	return kill_held(fd);
}

/* A QEMU that libvirt was asking for its abilities when we were killed waits for ever. */
static void end_probe(const char *root, const char *name)
{
	CLEANUP(cleanup_free) char *path = memory_format("%s/lib/qemu/%s", root, name);
	CLEANUP(cleanup_free) char *pid_path = file_join(path, "qmp.pid");
	pid_t pid = pidfile_read(pid_path);
	CLEANUP(cleanup_fd) int fd = pid > 0 ? pidfd_open(pid, 0) : -1;
	struct error unused;

	/* The root may be seen under another name: only what is below it is compared. */
	if (fd >= 0 && pidfile_is_named(pid, pid_path + strlen(root)))
		kill_held(fd);
	(void)file_remove_tree(path, &unused);
}

static void end_probes(const char *root)
{
	CLEANUP(cleanup_free) char *folder = memory_format("%s/lib/qemu", root);
	CLEANUP(text_list_finish) struct text_list names = {0};
	struct error unused;

	if (!file_exists(folder) || file_list(folder, &names, &unused))
		return;
	for (size_t i = 0; i < names.count; i++)
		if (!strncmp(names.items[i], "qmp-", 4))
			end_probe(root, names.items[i]);
}

/* "domain-1-name": its folder for sockets, out of the monitor's path; NULL for none. */
static char *find_folder(const char *xml)
{
	static const char above[] = "/lib/qemu/domain-";
	const char *found = strstr(xml, above);

	if (!found)
		return NULL;
	found += sizeof("/lib/qemu/") - 1;
	return memory_copy_bytes(found, strcspn(found, "/'\""));
}

static void forget(const char *root, const char *name, const char *xml)
{
	CLEANUP(cleanup_free) char *folder = find_folder(xml);
	CLEANUP(cleanup_free)
	char *folder_path = memory_format("%s/lib/qemu/%s", root, folder ? folder : "");
	static const struct {
		const char *folder, *suffix;
	} files[] = {{"run/qemu", SUFFIX}, {"run/qemu", ".pid"}, {"log/qemu", ".log"}};
	CLEANUP(cleanup_free)
	char *channels = memory_format("%s/lib/qemu/channel/target/%s", root,
				       folder ? folder : "");
	struct error unused;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		CLEANUP(cleanup_free)
		char *path = memory_format("%s/%s/%s%s", root, files[i].folder, name,
					   files[i].suffix);

		unlink(path);
	}
	if (!folder)
		return;
	(void)file_remove_tree(folder_path, &unused);
	(void)file_remove_tree(channels, &unused);
}

static unsigned end_guest(const char *root, const char *name)
{
	CLEANUP(cleanup_free)
	char *state_path = memory_format("%s/run/qemu/%s" SUFFIX, root, name);
	CLEANUP(cleanup_free)
	char *pid_path = memory_format("%s/run/qemu/%s.pid", root, name);
	CLEANUP(text_finish) struct text state = {0};
	char uuid[UUID_LENGTH + 1];
	struct vm_owner owner;
	struct error unused;
	unsigned ended;

	if (file_read(state_path, STATE_LIMIT, &state, &unused) ||
	    vm_owner_find(text_string(&state), &owner) || vm_owner_alive(&owner) ||
	    find_uuid(text_string(&state), uuid))
		return 0;
	ended = end_process(pidfile_read(pid_path), name, uuid);
	forget(root, name, text_string(&state));
	return ended;
}

unsigned leftovers_end_in_root(const char *root)
{
	CLEANUP(cleanup_free) char *folder = memory_format("%s/run/qemu", root);
	CLEANUP(text_list_finish) struct text_list files = {0};
	struct error unused;
	unsigned ended = 0;

	end_probes(root);
	if (!file_exists(folder) || file_list(folder, &files, &unused))
		return 0;
	for (size_t i = 0; i < files.count; i++) {
		char *name = files.items[i];
		size_t length = strlen(name), suffix = strlen(SUFFIX);

		if (length <= suffix || strcmp(name + length - suffix, SUFFIX))
			continue;
		name[length - suffix] = '\0';
		ended += end_guest(root, name);
	}
	return ended;
}

static unsigned end_domain(virDomainPtr domain)
{
	CLEANUP(cleanup_free) char *xml = virDomainGetXMLDesc(domain, 0);
	struct vm_owner owner;

	if (!xml || vm_owner_find(xml, &owner) || vm_owner_alive(&owner))
		return 0;
	return virDomainDestroy(domain) == 0;
}

unsigned leftovers_end_on(struct _virConnect *connection)
{
	virDomainPtr *domains = NULL;
	int count = virConnectListAllDomains(connection, &domains,
					     VIR_CONNECT_LIST_DOMAINS_ACTIVE);
	unsigned ended = 0;

	for (int i = 0; i < count; i++) {
		ended += end_domain(domains[i]);
		virDomainFree(domains[i]);
	}
	free(domains);
	return ended;
}
