/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/schema_private.h"

#include "base/memory.h"

#include <string.h>
#include <time.h>

/* What measurements are about. */
#define SUBJECT_TABLES                                                                   \
	"CREATE TABLE sessions(id INTEGER PRIMARY KEY, command TEXT NOT NULL,"           \
	" lab TEXT NOT NULL, program TEXT NOT NULL, started INTEGER NOT NULL) STRICT;"   \
	"CREATE TABLE session_ends(session INTEGER PRIMARY KEY REFERENCES sessions,"     \
	" finished INTEGER NOT NULL, exit_code INTEGER NOT NULL, reason TEXT) STRICT;"   \
	"CREATE TABLE notes(id INTEGER PRIMARY KEY,"                                     \
	" session INTEGER NOT NULL REFERENCES sessions, kind TEXT NOT NULL,"             \
	" version TEXT NOT NULL, scenario TEXT NOT NULL, case_label TEXT NOT NULL,"      \
	" metric TEXT NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL) STRICT;"        \
	"CREATE TABLE environments(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,"    \
	" lab TEXT NOT NULL) STRICT;"                                                    \
	"CREATE TABLE environment_fields("                                               \
	" environment INTEGER NOT NULL REFERENCES environments, name TEXT NOT NULL,"     \
	" value TEXT NOT NULL, PRIMARY KEY(environment, name)) STRICT, WITHOUT ROWID;"   \
	"CREATE TABLE scenarios(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,"       \
	" name TEXT NOT NULL, yaml TEXT NOT NULL) STRICT;"                               \
	"CREATE TABLE commits(id TEXT PRIMARY KEY, tree TEXT NOT NULL,"                  \
	" subject TEXT NOT NULL, message TEXT NOT NULL, author TEXT NOT NULL,"           \
	" changes TEXT NOT NULL, committed INTEGER NOT NULL) STRICT, WITHOUT ROWID;"     \
	"CREATE TABLE kernels(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,"         \
	" kind TEXT NOT NULL, release TEXT NOT NULL, build_id TEXT NOT NULL,"            \
	" config_digest TEXT NOT NULL) STRICT;"                                          \
	"CREATE TABLE builds(id INTEGER PRIMARY KEY,"                                    \
	" kernel INTEGER NOT NULL REFERENCES kernels,"                                   \
	" session INTEGER NOT NULL REFERENCES sessions, outcome TEXT NOT NULL,"          \
	" first_error TEXT NOT NULL, toolchain TEXT NOT NULL, path TEXT NOT NULL,"       \
	" log_path TEXT NOT NULL, seconds REAL NOT NULL,"                                \
	" started INTEGER NOT NULL) STRICT;"                                             \
	"CREATE INDEX builds_kernel ON builds(kernel);"                                  \
	"CREATE TABLE versions(id INTEGER PRIMARY KEY, text TEXT NOT NULL,"              \
	" commit_id TEXT REFERENCES commits,"                                            \
	" kernel INTEGER NOT NULL REFERENCES kernels, UNIQUE(text, kernel)) STRICT;"     \
	"CREATE INDEX versions_kernel ON versions(kernel);"                              \
	"CREATE INDEX versions_commit ON versions(commit_id);"                           \
	"CREATE TABLE session_versions("                                                 \
	" session INTEGER NOT NULL REFERENCES sessions, position INTEGER NOT NULL,"      \
	" version INTEGER NOT NULL REFERENCES versions,"                                 \
	" PRIMARY KEY(session, position)) STRICT, WITHOUT ROWID;"

/* The evidence. Labels are kept once; a sample is four numbers. */
#define EVIDENCE_TABLES                                                                  \
	"CREATE TABLE boots(id INTEGER PRIMARY KEY,"                                     \
	" session INTEGER NOT NULL REFERENCES sessions,"                                 \
	" kernel INTEGER NOT NULL REFERENCES kernels,"                                   \
	" scenario INTEGER NOT NULL REFERENCES scenarios,"                               \
	" environment INTEGER NOT NULL REFERENCES environments,"                         \
	" version INTEGER REFERENCES versions, purpose TEXT NOT NULL,"                   \
	" label TEXT NOT NULL, outcome TEXT NOT NULL, detail TEXT NOT NULL,"             \
	" guest_release TEXT NOT NULL, build_id TEXT NOT NULL,"                          \
	" console_path TEXT NOT NULL, seconds REAL NOT NULL,"                            \
	" started INTEGER NOT NULL) STRICT;"                                             \
	"CREATE INDEX boots_subject ON boots(kernel, scenario, environment);"            \
	"CREATE INDEX boots_session ON boots(session);"                                  \
	"CREATE TABLE cases(id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE) STRICT;" \
	"CREATE TABLE metrics(id INTEGER PRIMARY KEY, name TEXT NOT NULL,"               \
	" unit TEXT NOT NULL, better TEXT NOT NULL,"                                     \
	" UNIQUE(name, unit, better)) STRICT;"                                           \
	"CREATE TABLE samples(boot INTEGER NOT NULL REFERENCES boots,"                   \
	" case_id INTEGER NOT NULL REFERENCES cases,"                                    \
	" metric INTEGER NOT NULL REFERENCES metrics, value REAL NOT NULL,"              \
	" PRIMARY KEY(boot, case_id, metric)) STRICT, WITHOUT ROWID;"                    \
	"CREATE TABLE series(id INTEGER PRIMARY KEY,"                                    \
	" boot INTEGER NOT NULL REFERENCES boots,"                                       \
	" case_id INTEGER NOT NULL REFERENCES cases, name TEXT NOT NULL,"                \
	" run INTEGER NOT NULL, unit TEXT NOT NULL, points TEXT NOT NULL,"               \
	" UNIQUE(boot, case_id, name, run)) STRICT;"

/* What was made of it. */
#define JUDGEMENT_TABLES                                                                 \
	"CREATE TABLE verdicts(id INTEGER PRIMARY KEY,"                                  \
	" session INTEGER NOT NULL REFERENCES sessions, role TEXT NOT NULL,"             \
	" a INTEGER REFERENCES versions, a_text TEXT NOT NULL, a_boots INTEGER NOT "     \
	"NULL,"                                                                          \
	" a_median REAL, a_min REAL, a_max REAL,"                                        \
	" b INTEGER REFERENCES versions, b_text TEXT NOT NULL, b_boots INTEGER NOT "     \
	"NULL,"                                                                          \
	" b_median REAL, b_min REAL, b_max REAL,"                                        \
	" scenario TEXT NOT NULL, case_label TEXT NOT NULL, metric TEXT NOT NULL,"       \
	" unit TEXT NOT NULL, better TEXT NOT NULL, change_percent REAL,"                \
	" ci_low_percent REAL, ci_high_percent REAL, p REAL, q REAL, superiority REAL,"  \
	" boots_needed INTEGER NOT NULL, verdict TEXT NOT NULL,"                         \
	" sentence TEXT NOT NULL) STRICT;"                                               \
	"CREATE INDEX verdicts_session ON verdicts(session);"                            \
	"CREATE TABLE verdict_reasons(verdict INTEGER NOT NULL REFERENCES verdicts,"     \
	" position INTEGER NOT NULL, code TEXT NOT NULL,"                                \
	" PRIMARY KEY(verdict, position)) STRICT, WITHOUT ROWID;"                        \
	"CREATE TABLE searches(id INTEGER PRIMARY KEY,"                                  \
	" session INTEGER NOT NULL REFERENCES sessions, key TEXT NOT NULL,"              \
	" kind TEXT NOT NULL, parameters TEXT NOT NULL,"                                 \
	" started INTEGER NOT NULL) STRICT;"                                             \
	"CREATE INDEX searches_key ON searches(key);"                                    \
	"CREATE TABLE search_events(id INTEGER PRIMARY KEY,"                             \
	" search INTEGER NOT NULL REFERENCES searches, status TEXT NOT NULL,"            \
	" culprit TEXT NOT NULL, result TEXT NOT NULL, at INTEGER NOT NULL) STRICT;"     \
	"CREATE INDEX search_events_search ON search_events(search);"                    \
	"CREATE TABLE suspects(event INTEGER NOT NULL REFERENCES search_events,"         \
	" position INTEGER NOT NULL, commit_id TEXT NOT NULL, probability REAL NOT "     \
	"NULL,"                                                                          \
	" tested INTEGER NOT NULL, skipped INTEGER NOT NULL,"                            \
	" PRIMARY KEY(event, position)) STRICT, WITHOUT ROWID;"                          \
	"CREATE TABLE steps(id INTEGER PRIMARY KEY,"                                     \
	" search INTEGER NOT NULL REFERENCES searches, commit_id TEXT NOT NULL,"         \
	" outcome TEXT NOT NULL, detail TEXT NOT NULL, purpose TEXT NOT NULL,"           \
	" built INTEGER NOT NULL, build_seconds REAL NOT NULL, seconds REAL NOT NULL,"   \
	" boot INTEGER REFERENCES boots, started INTEGER NOT NULL) STRICT;"              \
	"CREATE INDEX steps_search ON steps(search);"                                    \
	"CREATE TABLE step_values(step INTEGER NOT NULL REFERENCES steps,"               \
	" position INTEGER NOT NULL, value REAL NOT NULL,"                               \
	" PRIMARY KEY(step, position)) STRICT, WITHOUT ROWID;"                           \
	"CREATE TABLE findings(id INTEGER PRIMARY KEY,"                                  \
	" session INTEGER NOT NULL REFERENCES sessions, lab TEXT NOT NULL,"              \
	" good INTEGER NOT NULL REFERENCES versions,"                                    \
	" bad INTEGER NOT NULL REFERENCES versions, opened INTEGER NOT NULL) STRICT;"    \
	"CREATE TABLE finding_cases(finding INTEGER NOT NULL REFERENCES findings,"       \
	" scenario TEXT NOT NULL, case_label TEXT NOT NULL, metric TEXT NOT NULL,"       \
	" verdict INTEGER REFERENCES verdicts,"                                          \
	" PRIMARY KEY(finding, scenario, case_label, metric)) STRICT, WITHOUT ROWID;"    \
	"CREATE TABLE finding_events(id INTEGER PRIMARY KEY,"                            \
	" finding INTEGER NOT NULL REFERENCES findings,"                                 \
	" session INTEGER NOT NULL REFERENCES sessions, kind TEXT NOT NULL,"             \
	" version TEXT NOT NULL, commit_id TEXT NOT NULL, text TEXT NOT NULL,"           \
	" search INTEGER REFERENCES searches, at INTEGER NOT NULL) STRICT;"              \
	"CREATE INDEX finding_events_finding ON finding_events(finding);"

/* Plain names for people. */
#define VIEWS                                                                            \
	"CREATE VIEW results AS SELECT v.text AS version, v.commit_id, e.lab,"           \
	" s.name AS scenario, c.label AS case_label, m.name AS metric, p.value, m.unit," \
	" m.better, b.id AS boot, b.purpose, b.outcome, e.key AS environment,"           \
	" datetime(b.started, 'unixepoch') AS started"                                   \
	" FROM samples p JOIN boots b ON b.id = p.boot"                                  \
	" JOIN cases c ON c.id = p.case_id JOIN metrics m ON m.id = p.metric"            \
	" JOIN scenarios s ON s.id = b.scenario"                                         \
	" JOIN environments e ON e.id = b.environment"                                   \
	" JOIN versions v ON v.kernel = b.kernel;"                                       \
	"CREATE VIEW windows AS SELECT r.boot, s.name AS scenario,"                      \
	" c.label AS case_label, r.name, r.run, j.key AS position, j.value, r.unit"      \
	" FROM series r JOIN boots b ON b.id = r.boot"                                   \
	" JOIN scenarios s ON s.id = b.scenario JOIN cases c ON c.id = r.case_id,"       \
	" json_each(r.points) j;"                                                        \
	"CREATE VIEW outcomes AS SELECT v.text AS version, v.commit_id,"                 \
	" s.name AS scenario, b.outcome, b.detail, b.id AS boot,"                        \
	" b.console_path AS log, datetime(b.started, 'unixepoch') AS started"            \
	" FROM boots b JOIN scenarios s ON s.id = b.scenario"                            \
	" LEFT JOIN versions v ON v.id ="                                                \
	" coalesce(b.version, (SELECT max(id) FROM versions WHERE kernel = b.kernel))"   \
	" UNION ALL SELECT v.text, v.commit_id, '', d.outcome, d.first_error, NULL,"     \
	" d.log_path, datetime(d.started, 'unixepoch')"                                  \
	" FROM builds d LEFT JOIN versions v ON v.id ="                                  \
	" (SELECT max(id) FROM versions WHERE kernel = d.kernel);"                       \
	"CREATE VIEW regressions AS SELECT session, role, a_text AS good,"               \
	" b_text AS bad, scenario, case_label, metric, a_median, b_median, unit,"        \
	" change_percent, sentence FROM verdicts WHERE verdict = 'regression';"          \
	"CREATE VIEW timeline AS SELECT s.id AS session, s.command,"                     \
	" datetime(s.started, 'unixepoch') AS started,"                                  \
	" datetime(e.finished, 'unixepoch') AS finished, e.exit_code, e.reason,"         \
	" (SELECT count(*) FROM boots b WHERE b.session = s.id) AS boots"                \
	" FROM sessions s LEFT JOIN session_ends e ON e.session = s.id;"

/*
 * What one night leaves to the next: whole lists, the last one counts. And cases that
 * turned out to be another change than the rest of their finding.
 */
#define NIGHT_TABLES                                                                     \
	"CREATE TABLE queues(id INTEGER PRIMARY KEY,"                                    \
	" session INTEGER NOT NULL REFERENCES sessions, at INTEGER NOT NULL) STRICT;"    \
	"CREATE TABLE queue_items(queue INTEGER NOT NULL REFERENCES queues,"             \
	" position INTEGER NOT NULL, kind TEXT NOT NULL, lab TEXT NOT NULL,"             \
	" commit_id TEXT NOT NULL, version TEXT NOT NULL, scenario TEXT NOT NULL,"       \
	" boots INTEGER NOT NULL, finding INTEGER REFERENCES findings,"                  \
	" reason TEXT NOT NULL, PRIMARY KEY(queue, position)) STRICT, WITHOUT ROWID;"    \
	"CREATE TABLE finding_moves(finding INTEGER NOT NULL REFERENCES findings,"       \
	" scenario TEXT NOT NULL, target INTEGER NOT NULL REFERENCES findings,"          \
	" PRIMARY KEY(finding, scenario)) STRICT, WITHOUT ROWID;"

/* What boots executed, function by function. */
#define PROFILE_TABLES                                                                   \
	"CREATE TABLE functions(id INTEGER PRIMARY KEY, name TEXT NOT NULL,"             \
	" file TEXT NOT NULL, UNIQUE(name, file)) STRICT;"                               \
	"CREATE TABLE profiles(id INTEGER PRIMARY KEY,"                                  \
	" boot INTEGER NOT NULL REFERENCES boots,"                                       \
	" case_id INTEGER NOT NULL REFERENCES cases, runs INTEGER NOT NULL,"             \
	" outside INTEGER NOT NULL, nanoseconds REAL NOT NULL, operations REAL,"         \
	" elapsed REAL, read_requests REAL, write_requests REAL, flush_requests REAL,"   \
	" UNIQUE(boot, case_id)) STRICT;"                                                \
	"CREATE TABLE profile_lines(profile INTEGER NOT NULL REFERENCES profiles,"       \
	" function INTEGER NOT NULL REFERENCES functions,"                               \
	" instructions INTEGER NOT NULL, calls INTEGER NOT NULL,"                        \
	" PRIMARY KEY(profile, function)) STRICT, WITHOUT ROWID;"                        \
	"CREATE TABLE explanations(id INTEGER PRIMARY KEY,"                              \
	" session INTEGER NOT NULL REFERENCES sessions,"                                 \
	" a INTEGER NOT NULL REFERENCES profiles,"                                       \
	" b INTEGER NOT NULL REFERENCES profiles,"                                       \
	" a_version INTEGER NOT NULL REFERENCES versions,"                               \
	" b_version INTEGER NOT NULL REFERENCES versions, sentence TEXT NOT NULL,"       \
	" at INTEGER NOT NULL, UNIQUE(a, b)) STRICT;"                                    \
	"CREATE VIEW executed AS SELECT v.text AS version, v.commit_id,"                 \
	" s.name AS scenario, c.label AS case_label, f.name AS function, f.file,"        \
	" 1.0 * l.instructions / coalesce(p.operations, p.runs) AS "                     \
	"instructions_per_operation,"                                                    \
	" 1.0 * l.calls / coalesce(p.operations, p.runs) AS calls_per_operation,"        \
	" p.boot FROM profile_lines l JOIN profiles p ON p.id = l.profile"               \
	" JOIN functions f ON f.id = l.function JOIN cases c ON c.id = p.case_id"        \
	" JOIN boots b ON b.id = p.boot JOIN scenarios s ON s.id = b.scenario"           \
	" LEFT JOIN versions v ON v.id = b.version;"

/* How far numbers scatter on one kernel, by scenario and environment. */
#define NOISE_TABLES                                                                     \
	"CREATE TABLE calibrations(id INTEGER PRIMARY KEY,"                              \
	" session INTEGER NOT NULL REFERENCES sessions,"                                 \
	" environment INTEGER NOT NULL REFERENCES environments,"                         \
	" version TEXT NOT NULL, scenario TEXT NOT NULL, boots INTEGER NOT NULL,"        \
	" seed INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;"                           \
	"CREATE TABLE noise(calibration INTEGER NOT NULL REFERENCES calibrations,"       \
	" case_label TEXT NOT NULL, metric TEXT NOT NULL, median REAL NOT NULL,"         \
	" spread_percent REAL, floor_percent REAL, finds_5_percent REAL,"                \
	" finds_8_percent REAL, finds_12_percent REAL, trials INTEGER NOT NULL,"         \
	" alarms INTEGER NOT NULL,"                                                      \
	" PRIMARY KEY(calibration, case_label, metric)) STRICT, WITHOUT ROWID;"

/* Neighbours in time and how the history has them. */
#define ORDER_TABLES                                                                     \
	"CREATE TABLE commit_order(ancestor TEXT NOT NULL REFERENCES commits,"           \
	" descendant TEXT NOT NULL REFERENCES commits,"                                  \
	" PRIMARY KEY(ancestor, descendant)) STRICT, WITHOUT ROWID;"                     \
	"CREATE INDEX commit_order_descendant ON commit_order(descendant);"

/* What a boot shows within itself: drifts, stalls, devices that answer too fast. */
#define REMARKS                                                                          \
	"CREATE TABLE remarks(id INTEGER PRIMARY KEY,"                                   \
	" boot INTEGER NOT NULL REFERENCES boots,"                                       \
	" case_id INTEGER NOT NULL REFERENCES cases, run INTEGER NOT NULL,"              \
	" word TEXT NOT NULL, start REAL, length REAL, size REAL,"                       \
	" text TEXT NOT NULL) STRICT;"                                                   \
	"CREATE INDEX remarks_boot ON remarks(boot);"                                    \
	"CREATE VIEW within_runs AS SELECT v.text AS version, v.commit_id,"              \
	" s.name AS scenario, c.label AS case_label, r.run, r.word, r.start, r.length,"  \
	" r.size, r.text, b.id AS boot, b.outcome FROM remarks r"                        \
	" JOIN boots b ON b.id = r.boot JOIN cases c ON c.id = r.case_id"                \
	" JOIN scenarios s ON s.id = b.scenario JOIN versions v ON v.kernel = b.kernel;"

/* To what disks were set, as guests read it back. */
#define SETTING_TABLES                                                                   \
	"CREATE TABLE disk_settings(id INTEGER PRIMARY KEY, disk TEXT NOT NULL,"         \
	" name TEXT NOT NULL, value TEXT NOT NULL,"                                      \
	" UNIQUE(disk, name, value)) STRICT;"                                            \
	"CREATE TABLE boot_settings(boot INTEGER NOT NULL REFERENCES boots,"             \
	" case_id INTEGER NOT NULL REFERENCES cases,"                                    \
	" setting INTEGER NOT NULL REFERENCES disk_settings,"                            \
	" PRIMARY KEY(boot, case_id, setting)) STRICT, WITHOUT ROWID;"                   \
	"CREATE VIEW settings AS SELECT v.text AS version, s.name AS scenario,"          \
	" c.label AS case_label, d.disk, d.name, d.value, b.id AS boot"                  \
	" FROM boot_settings p JOIN disk_settings d ON d.id = p.setting"                 \
	" JOIN boots b ON b.id = p.boot JOIN cases c ON c.id = p.case_id"                \
	" JOIN scenarios s ON s.id = b.scenario"                                         \
	" LEFT JOIN versions v ON v.id = b.version;"

/* Which functions have other code in the two kernels that an explanation is about. */
#define CODE_TABLES                                                                      \
	"CREATE TABLE changed_code(explanation INTEGER NOT NULL REFERENCES "             \
	"explanations,"                                                                  \
	" function INTEGER NOT NULL REFERENCES functions,"                               \
	" PRIMARY KEY(explanation, function)) STRICT, WITHOUT ROWID;"

static const char *const migrations[] = {
	SUBJECT_TABLES EVIDENCE_TABLES JUDGEMENT_TABLES VIEWS,
	NIGHT_TABLES,
	PROFILE_TABLES,
	NOISE_TABLES,
	ORDER_TABLES,
	REMARKS,
	SETTING_TABLES,
	CODE_TABLES,
};

enum { SCHEMA_VERSION = sizeof(migrations) / sizeof(*migrations) };

int64_t schema_version(void)
{
	return SCHEMA_VERSION;
}

struct identity {
	int64_t application, version, tables;
};

static int run(struct store *store, const char *sql, struct error *err)
{
	if (sqlite3_exec(store->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		return store_fail(store, "schema", err);
	return 0;
}

static int read_identity(struct store *store, struct identity *ret, struct error *err)
{
	int found;

	if (statement_integer(store, "PRAGMA application_id", NO_VALUES,
			      &ret->application, &found, err) < 0 ||
	    statement_integer(store, "PRAGMA user_version", NO_VALUES, &ret->version,
			      &found, err) < 0)
		return -1;
	return statement_integer(store, "SELECT count(*) FROM sqlite_schema", NO_VALUES,
				 &ret->tables, &found, err);
}

static int check_identity(struct store *store, const struct identity *identity,
			  struct error *err)
{
	int fresh = !identity->application && !identity->version && !identity->tables;

	if (!fresh && identity->application != SCHEMA_APPLICATION_ID)
		return error_set(
			err, ERROR_USAGE,
			"%s: a database of another program; it was left as it is",
			store->path);
	if (identity->version > SCHEMA_VERSION)
		return error_set(err, ERROR_USAGE,
				 "%s: written by a newer kregress (schema %lld, this one "
				 "knows %d); it was left as it is",
				 store->path, (long long)identity->version,
				 SCHEMA_VERSION);
	if (store->read_only && identity->version < SCHEMA_VERSION)
		return error_set(err, ERROR_USAGE,
				 fresh ? "%s: no results there yet; \"kregress run\" "
					 "makes them"
				       : "%s: written by an older kregress; the next "
					 "\"kregress run\" brings it up to date",
				 store->path);
	return 0;
}

/* Another process may have done it while this one waited for its turn. */
static int migrate(struct store *store, struct error *err)
{
	CLEANUP(transaction_finish) struct transaction transaction = {0};
	struct identity identity;

	if (transaction_begin(&transaction, store, err) < 0 ||
	    read_identity(store, &identity, err) < 0 ||
	    check_identity(store, &identity, err) < 0)
		return -1;
	for (int64_t i = identity.version; i < SCHEMA_VERSION; i++) {
		CLEANUP(cleanup_free)
		char *mark = memory_format(
			"PRAGMA user_version = %lld; PRAGMA application_id = %d",
			(long long)i + 1, SCHEMA_APPLICATION_ID);

		if (run(store, migrations[i], err) < 0 || run(store, mark, err) < 0)
			return -1;
	}
	return transaction_commit(&transaction, err);
}

/*
 * The switch needs the file alone for a moment and SQLite does not wait for that by
 * itself. Where the file system cannot have it, the old mode works as well, only that
 * readers and writers wait for each other.
 */
static int use_write_ahead(struct store *store, struct error *err)
{
	const struct timespec pause = {.tv_nsec = 20000000};

	for (int tries = 0; tries < 500; tries++) {
		int code = sqlite3_exec(store->handle, "PRAGMA journal_mode = WAL", NULL,
					NULL, NULL);

		if (code == SQLITE_OK)
			return 0;
		if ((code & 0xff) != SQLITE_BUSY)
			break;
		nanosleep(&pause, NULL);
	}
	return store_fail(store, "write-ahead mode", err);
}

int schema_ensure(struct store *store, struct error *err)
{
	struct identity identity;

	if (read_identity(store, &identity, err) < 0 ||
	    check_identity(store, &identity, err) < 0)
		return -1;
	if (store->read_only)
		return 0;
	if (identity.version < SCHEMA_VERSION && migrate(store, err) < 0)
		return -1;
	if (use_write_ahead(store, err) < 0)
		return -1;
	return run(store, "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL", err);
}
