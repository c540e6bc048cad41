/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernels that others built: packages and images. */
#include "build/image_file.h"
#include "build/package.h"
#include "build_fixture.h"

static void packages_and_images_enter_the_store(void **state)
{
	static const char lines[] =
		"mkdir -p p/boot p/lib/modules/6.1.0-test/kernel; cp store/*/image "
		"p/boot/vmlinuz-6.1.0-test\n"
		"echo x >p/boot/config-6.1.0-test; echo stub "
		">p/boot/System.map-6.1.0-test\n"
		"echo m >p/lib/modules/6.1.0-test/kernel/a.ko\n"
		": >p/lib/modules/6.1.0-test/modules.dep; echo out >evil; mkdir c\n"
		"echo 'Package: x' >c/control; tar czf control.tar.gz -C c ./control\n"
		"tar cJf data.tar.xz -P --transform "
		"'s,^evil,lib/modules/../../../../evil2,' "
		"-C p boot lib -C .. evil\n"
		"echo 2.0 >debian-binary; ar rc k.deb debian-binary control.tar.gz "
		"data.tar.xz 2>/dev/null\n"
		"head -c 3000 k.deb >cut.deb; echo no >text.deb; ar rc none.deb "
		"debian-binary\n";
	struct world *world = *state;
	struct kernel built = build(world, BUILD_DONE), kernel = {0};
	CLEANUP(cleanup_free) char *deb = fixture_path(world->fixture, "k.deb");
	CLEANUP(cleanup_free) char *modules = fixture_path(world->fixture, "p");
	struct error err = {0};

	fixture_shell(world->fixture, lines);
	if (package_kernel(world->store, "", deb, &kernel, &err))
		fail_msg("%s", err.text);
	assert_string_equal(kernel.release, "6.1.0-test");
	assert_non_null(kernel.modules);
	assert_non_null(kernel.config);
	assert_null(kernel.system_map);
	kernel_finish(&kernel);
	fixture_shell(world->fixture,
		      "test ! -e evil2; test -z \"$(find store -name evil2)\"");
	if (image_kernel(world->store, built.image, modules, &kernel, &err))
		fail_msg("%s", err.text);
	assert_non_null(kernel.modules);
	assert_string_equal(kernel.image_digest, built.image_digest);
	kernel_finish(&kernel);
	kernel_finish(&built);
}

/* The content of the modules counts, their folder does not. */
static void images_are_known_by_their_modules(void **state)
{
	struct world *world = *state;
	struct kernel built = build(world, BUILD_DONE), kernel = {0};
	static const char *const folders[] = {"a", "b", "c"};
	char keys[3][HASH_HEX_SIZE];
	struct error err = {0};

	fixture_shell(world->fixture,
		      "for f in a b c; do mkdir -p $f/lib/modules/6.1.0-test\n"
		      "cd $f/lib/modules/6.1.0-test; : >modules.dep\n"
		      "echo m >a.ko; cd ../../../..; done\n"
		      "echo n >c/lib/modules/6.1.0-test/a.ko");
	for (int i = 0; i < 3; i++) {
		CLEANUP(cleanup_free)
		char *folder = fixture_path(world->fixture, folders[i]);

		if (image_kernel(world->store, built.image, folder, &kernel, &err))
			fail_msg("%s", err.text);
		memcpy(keys[i], kernel.key, sizeof(keys[i]));
		kernel_finish(&kernel);
	}
	assert_string_equal(keys[0], keys[1]);
	assert_string_not_equal(keys[0], keys[2]);
	kernel_finish(&built);
}

static void bad_packages_are_refused(void **state)
{
	static const char *const names[] = {"cut.deb", "text.deb", "none.deb",
					    "nowhere.deb"};
	struct world *world = *state;

	fixture_shell(
		world->fixture,
		"echo 2.0 >debian-binary; ar rc none.deb debian-binary 2>/dev/null\n"
		"echo no >text.deb; (cat none.deb; head -c 60 none.deb) >cut.deb\n");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		CLEANUP(cleanup_free) char *path = fixture_path(world->fixture, names[i]);
		struct kernel kernel;
		struct error err = {0};

		assert_int_equal(package_kernel(world->store, "", path, &kernel, &err),
				 -1);
		assert_int_equal(err.kind, ERROR_USAGE);
		assert_non_null(strstr(err.text, names[i]));
	}
}

/* Whatever the bytes are: an answer, and nothing read outside (the sanitizers tell). */
static void damaged_images_are_survived(void **state)
{
	struct world *world = *state;
	struct kernel built = build(world, BUILD_DONE);
	CLEANUP(cleanup_free) char *path = fixture_path(world->fixture, "damaged");
	CLEANUP(text_finish) struct text good = {0};
	struct error err = {0};
	unsigned seed = 1;

	assert_int_equal(file_read(built.image, 1 << 20, &good, &err), 0);
	for (int i = 0; i < 300; i++) {
		CLEANUP(cleanup_free)
		char *bytes = memory_copy_bytes(good.data, good.size);
		size_t size = i % 3 ? good.size : (size_t)rand_r(&seed) % good.size;
		struct kernel kernel = {0};
		FILE *file = fopen(path, "w");

		for (int n = 0; n < 8; n++)
			bytes[(size_t)rand_r(&seed) % (n < 6 ? 400 : good.size)] =
				(char)rand_r(&seed);
		assert_non_null(file);
		fwrite(bytes, 1, size, file);
		fclose(file);
		if (image_kernel(world->store, path, NULL, &kernel, &err) == 0)
			assert_non_null(kernel.release);
		kernel_finish(&kernel);
	}
	kernel_finish(&built);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(packages_and_images_enter_the_store),
		TEST(images_are_known_by_their_modules),
		TEST(bad_packages_are_refused),
		TEST(damaged_images_are_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
