/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_story FOLDER: the database of the report's unit tests, for other programs. */
#include "../unit/report_story.h"

int main(int argc, char **argv)
{
	CLEANUP(cleanup_free) char *path = NULL;
	struct error err = {0};
	struct story story;

	if (argc != 2)
		return 2;
	story_init(&story);
	tell_finding(&story);
	store_close(story.world.store);
	story.world.store = NULL;
	path = file_join(argv[1], STORE_FILE_NAME);
	if (file_make_folders(argv[1], &err) < 0 ||
	    file_copy(story.world.path, path, &err) < 0)
		fprintf(stderr, "%s\n", err.text);
	world_finish(&story.world);
	return err.kind != ERROR_NONE;
}
