/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Versions by their text, and configurations. */
#include "build/config.h"
#include "build/version.h"
#include "build_fixture.h"

static void versions_are_taken_apart(void **state)
{
	struct version version;
	struct error err = {0};

	(void)state;
	assert_int_equal(version_parse("v6.1-rc1~3+revert:abc+patch:../a+b.patch+config:"
				       "CONFIG_HZ=250",
				       &version, &err),
			 0);
	assert_int_equal(version.kind, VERSION_REVISION);
	assert_string_equal(version.name, "v6.1-rc1~3");
	assert_int_equal(version.edit_count, 3);
	assert_string_equal(version.edits[1].value, "../a+b.patch");
	assert_int_equal(version.edits[2].kind, EDIT_CONFIG);
	version_finish(&version);
	assert_int_equal(version_parse("image:/boot/x+y,modules=/m", &version, &err), 0);
	assert_string_equal(version.name, "/boot/x+y");
	assert_string_equal(version.modules, "/m");
	version_finish(&version);
	assert_int_equal(version_parse("deb:linux-image-amd64", &version, &err), 0);
	assert_int_equal(version.kind, VERSION_PACKAGE);
	version_finish(&version);
}

static void bad_versions_are_refused(void **state)
{
	static const struct {
		const char *text, *part;
	} cases[] = {{"v1+rever:x", "did you mean \"revert\""},
		     {"v1+zzzzzz:x", "unknown edit"},
		     {"v1+revert:", "empty"},
		     {"v1+config:FOO", "SYMBOL=VALUE"},
		     {"v1+config:A B=y", "SYMBOL=VALUE"},
		     {"deb:", "nothing is named"},
		     {"image:", "nothing is named"},
		     {"image:x,modules=", "modules folder is empty"},
		     {"", "nothing is named"},
		     {"+revert:x", "nothing is named"}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct version version;
		struct error err = {0};

		assert_int_equal(version_parse(cases[i].text, &version, &err), -1);
		assert_int_equal(err.kind, ERROR_USAGE);
		if (!strstr(err.text, cases[i].part))
			fail_msg("\"%s\" lacks \"%s\"", err.text, cases[i].part);
	}
}

static void fragments_are_read_and_proved(void **state)
{
	struct world *world = *state;
	CLEANUP(config_request_finish) struct config_request request = {0};
	CLEANUP(text_finish) struct text text = {0};
	CLEANUP(cleanup_free) char *fragment = fixture_path(world->fixture, "fragment");
	CLEANUP(cleanup_free) char *bad = fixture_path(world->fixture, "bad");
	CLEANUP(cleanup_free) char *result = fixture_path(world->fixture, "result");
	struct error err = {0};

	fixture_shell(
		world->fixture,
		"printf '# words\\nCONFIG_A=y\\n\\n# optional: newer ones\\nCONFIG_B=y\\n"
		"\\nCONFIG_C=\"text\"\\r\\n# CONFIG_D is not set\\nCONFIG_A=5\\n' "
		">fragment\n"
		"printf 'CONFIG_A=y\\nCONFG_B=y\\n' >bad\n"
		"printf 'CONFIG_A=5\\nCONFIG_C=\"text\"\\n' >result\n");
	assert_int_equal(config_add_fragment(&request, fragment, &err), 0);
	config_write(&request, &text);
	assert_string_equal(text.data, "CONFIG_A=5\nCONFIG_B=y\nCONFIG_C=\"text\"\n"
				       "# CONFIG_D is not set\n");
	assert_int_equal(config_verify(&request, result, &err), 0);
	assert_int_equal(config_add_setting(&request, "D=y", &err), 0);
	assert_int_equal(config_verify(&request, result, &err), -1);
	assert_non_null(strstr(err.text, "D=n (asked for y)"));
	assert_null(strstr(err.text, "B="));
	assert_int_equal(config_add_fragment(&request, bad, &err), -1);
	assert_non_null(strstr(err.text, "bad:2:"));
}

/* The real one is what users get: it must at least be readable. */
static void our_fragments_are_readable(void **state)
{
	CLEANUP(config_request_finish) struct config_request request = {0};
	struct error err = {0};

	(void)state;
	if (config_add_fragment(&request, "vm-images/kernel.config", &err) ||
	    config_add_fragment(&request, "vm-images/xfs.config", &err))
		fail_msg("%s", err.text);
	assert_true(request.count > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(versions_are_taken_apart),
		cmocka_unit_test(bad_versions_are_refused),
		TEST(fragments_are_read_and_proved),
		cmocka_unit_test(our_fragments_are_readable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
