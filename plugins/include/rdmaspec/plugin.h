/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: rdmaspec plugin interface, major version 1
 *
 * A plugin is a shared object with exactly one exported symbol, ``rs_plugin_v1``. It describes what it can observe
 * in tables (sources, probes, parameters, facts); rdmaspec derives the scenario check, the binding of parameters,
 * the JSON Schema and the reference pages from them. observe() runs in a worker process of its own, which may
 * crash or hang without harm to the run.
 *
 * A plugin observes and never judges. It does not print, does not exit, and keeps no thread past observe().
 * All strings in the tables are UTF-8, static, and owned by the plugin.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RS_ABI 1
#define RS_PLUGIN_SYMBOL "rs_plugin_v1"

/** enum rs_type - what a parameter or a fact holds, and how a parameter is bound into the plugin's struct */
enum rs_type {
	RS_TEXT,     /* bytes, usually UTF-8; bound as const char * */
	RS_INTEGER,  /* bound as int64_t */
	RS_UNSIGNED, /* bound as uint64_t; travels as a string */
	RS_NUMBER,   /* a decimal without a unit; bound as double */
	RS_BOOLEAN,  /* bound as bool */
	RS_ENUM,     /* one of choices; bound as int, the index into choices */
	RS_GUID,     /* EUI-64; bound as uint64_t in host byte order */
	RS_GID,	     /* 128 bits; bound as const char *, in inet_ntop(AF_INET6) form */
	RS_IP,	     /* IPv4 or IPv6; bound as const char *, in inet_ntop() form */
	RS_QUANTITY, /* a decimal with a unit; bound as double, converted to the parameter's unit */
	RS_TIME,     /* a point in time, seconds since 1970 UTC; facts only */
	RS_FILE,     /* bound as const char *: the file's contents, read by the runner; parameters only */
	RS_STRUCT,   /* a flat struct of scalars, only as the element of a list; parameters only */
};

enum rs_param_flag {
	RS_REQUIRED = 1 << 0,
	RS_LIST = 1 << 1,      /* bound as a pointer to elements, with the number of them (unsigned) at count_offset */
	RS_ADDS_TIME = 1 << 2, /* a quantity of time that the observation takes by intention ("over", "duration"): it is
				  added to the step's time-out */
};

/**
 * struct rs_param - one parameter of a source
 * @key: name in the scenario
 * @type: see enum rs_type
 * @flags: of enum rs_param_flag
 * @offset: where in the parameter struct it is bound. A scalar that is neither required nor has a default is bound
 *          through a pointer (int64_t *, bool *, ...; text stays const char *), NULL when it was not given.
 * @count_offset: for lists, where the number of elements (unsigned) goes
 * @value: default, written as in a scenario; NULL: none
 * @min, @max: inclusive, in @unit; both 0: no limits. For text, a length in bytes.
 * @choices: for RS_ENUM, NULL-terminated
 * @unit: for RS_QUANTITY, one of the names in the reference ("s", "us", "Gb/s", "B", "%", ...)
 * @fields, @fields_size: for RS_STRUCT: the element's members (ended by a NULL key) and its size
 * @doc: one line
 * @table: for RS_FILE: where the file is a recorded run, this table of it is handed over in its place, as CSV: the
 * probe and its facts, in the order of the columns ("fabric.links description port"); its first line is that of
 *         the facts' names, what has no value is empty; NULL: files are handed over as they are
 * @unless: another parameter beside which it cannot be given ("iterations" and "duration"); NULL: none
 */
struct rs_param {
	const char *key;
	enum rs_type type;
	unsigned flags;
	size_t offset;
	size_t count_offset;
	const char *value;
	int64_t min, max;
	const char *const *choices;
	const char *unit;
	const struct rs_param *fields;
	size_t fields_size;
	const char *doc;
	const char *unless;
	const char *table;
};

enum rs_fact_flag {
	RS_F_LIST = 1 << 0,	/* a list of values of the type */
	RS_F_ORDERED = 1 << 1,	/* an enum whose choices rise; numbers, quantities and times always are ordered */
	RS_F_HIGHER = 1 << 2,	/* higher is better (bandwidth) */
	RS_F_LOWER = 1 << 3,	/* lower is better (latency, error counters) */
	RS_F_KEY = 1 << 4,	/* the key facts together identify a row */
	RS_F_VOLATILE = 1 << 5, /* changes by itself; left out of surveys and differences */
	RS_F_HEX = 1 << 6,	/* an integer that is written in hexadecimal */
	RS_F_COUNTER = 1 << 7,	/* counts up: of two tables the difference means something */
	RS_F_PEGGED = 1 << 8, /* a list of texts: the names of those counters of the row that stand at their maximum */
};

/**
 * struct rs_fact - one column of a probe's table
 * @unit: for RS_QUANTITY: the unit in which rs_set_decimal() gives it
 * @doc: one line: the exact meaning, with its source (sysfs file, MAD attribute and field)
 * @observed_by: what would observe it where it is not always observed, as the end of a sentence
 *               ("needs read access to /dev/infiniband/umad0"); NULL where it always is
 * @unless: a parameter of the source with which it is never observed (p99 and duration): a step that gives the one and
 *          asks for the other is refused when it is loaded; NULL: none
 */
struct rs_fact {
	const char *name;
	enum rs_type type;
	unsigned flags;
	const char *unit;
	const char *const *choices;
	const char *doc;
	const char *observed_by;
	const char *unless;
};

/**
 * struct rs_probe - a table that a scenario can ask for
 * @name: "plugin.probe"
 * @row: how a row is called in a sentence, with facts in braces: "{device} port {port}"; "{description|guid}" is the
 * first of them that is observed and not empty; NULL: its key facts
 * @facts: ended by a NULL name; at most 64
 *
 * Two conventions make pictures of a table. One with the facts guid and remote_guid (RS_GUID), and where there are any
 * description, type and port and the same of remote_, is one of cables; a type that is called "switch" is drawn as one.
 * One whose key is a quantity of bytes, or a number called size, is a sweep over message sizes.
 */
struct rs_probe {
	const char *name;
	const char *summary;
	const char *row;
	const struct rs_fact *facts;
};

enum rs_scope {
	RS_HOST,   /* each host has its own */
	RS_PAIR,   /* observed between two hosts */
	RS_FABRIC, /* the same from wherever it is observed: once a run, by default on the first host */
};

enum rs_source_flag {
	RS_EXCLUSIVE = 1 << 0,	   /* does not overlap with another exclusive one on a host */
	RS_CHANGES = 1 << 1,	   /* changes its host: needs --allow; how it is taken back: undo() */
	RS_COMMANDS = 1 << 2,	   /* runs what the scenario says: needs --allow */
	RS_PARTIAL = 1 << 3,	   /* may call rs_incomplete(); its steps take allow_partial */
	RS_FABRIC_ACCESS = 1 << 4, /* talks to the subnet through umad: takes a place on a simulated fabric */
	RS_COUNTERS = 1 << 5,	   /* its tables are of counters: "around" may take the difference of two */
	RS_PASSING = 1 << 6,	   /* its rows come and go by themselves (processes), or follow from other tables
				      (routes): no scenario that a survey writes expects them */
};

/** enum rs_reason - why something could not be observed */
enum rs_reason {
	RS_FAILED = 1,	/* anything else */
	RS_UNSUPPORTED, /* this host, kernel, device or driver does not have it */
	RS_DENIED,	/* missing permission */
	RS_ABSENT,	/* the device, port or file that was named is not there */
	RS_TIMED_OUT,	/* no answer in time */
	RS_INVALID,	/* an answer that cannot be right */
};

struct rs_ctx;

/**
 * struct rs_source - what is observed in one go: one or several probes that share the work
 * @name: the probe's name where there is one, else "plugin.word" (fabric.sweep)
 * @params: ended by a NULL key; NULL: none
 * @params_size: size of the struct that observe() gets
 * @probes, @nprobes: at most 32
 * @observe: fills the tables of the probes whose bit (1 << index) is in @wanted. Returns 0, or what rs_error()
 *           returned. Rows set before an error are dropped. Of an RS_PAIR source this is the client: it runs on
 *           the one host once serve() on the other said rs_ready(), and rs_peer() is where that is.
 * @serve: the server of an RS_PAIR source, which has one and no other has: calls rs_ready() as soon as a client may
 * come, and returns when it is through with that client, or told to end by rs_stop_fd(). It fills no table; its notes
 *         and evidence go with the client's observation. Returns 0, or what rs_error() returned.
 * @undo: takes back what observe() of an RS_CHANGES source changed, or NULL. It runs in a new worker of the same host
 *        when the run ends, however it ends, once for each rs_changing() and the newest first, with the @state that was
 *        said there. The change may have been made in part or not at all (the worker crashed in between), or be gone
 *        by itself: both are fine. Returns 0, or what rs_error() returned, which the run tells and is not green with.
 */
struct rs_source {
	const char *name;
	const char *summary;
	enum rs_scope scope;
	unsigned flags;
	const struct rs_param *params;
	size_t params_size;
	const struct rs_probe *probes;
	size_t nprobes;
	int (*observe)(struct rs_ctx *ctx, const void *params, uint32_t wanted);
	int (*serve)(struct rs_ctx *ctx, const void *params);
	int (*undo)(struct rs_ctx *ctx, const char *state);
};

/**
 * struct rs_plugin - what the one exported symbol is
 * @abi: RS_ABI
 * @size: sizeof(struct rs_plugin); @source_size: sizeof(struct rs_source): both grow at the end only
 */
struct rs_plugin {
	uint32_t abi;
	uint32_t size;
	uint32_t source_size;
	const char *name;
	const char *version;
	const char *summary;
	const struct rs_source *sources;
	size_t nsources;
};

#define RS_PLUGIN(...)                                                                                                 \
	extern const struct rs_plugin rs_plugin_v1;                                                                    \
	__attribute__((visibility("default"))) const struct rs_plugin rs_plugin_v1 = {                                 \
		.abi = RS_ABI, .size = sizeof(struct rs_plugin), .source_size = sizeof(struct rs_source), __VA_ARGS__}

/* What a plugin calls: rdmaspec itself exports these. */
#pragma GCC visibility push(default)

/* ---- Rows. A fact that is not set stays "not observed". Values are copied. ---- */

/** rs_row_begin - start the next row of the table of probe number @probe of the source; ends the row before */
void rs_row_begin(struct rs_ctx *ctx, unsigned probe);

/* Each sets fact number @fact of the row, or appends to it where it is a list. */
void rs_set_text(struct rs_ctx *ctx, unsigned fact, const char *text);
void rs_set_bytes(struct rs_ctx *ctx, unsigned fact, const void *data, size_t length); /* a text of that length */
void rs_set_integer(struct rs_ctx *ctx, unsigned fact, int64_t value);
void rs_set_unsigned(struct rs_ctx *ctx, unsigned fact, uint64_t value);
void rs_set_boolean(struct rs_ctx *ctx, unsigned fact, bool value);
void rs_set_enum(struct rs_ctx *ctx, unsigned fact, int choice); /* the index into choices */
void rs_set_guid(struct rs_ctx *ctx, unsigned fact, uint64_t guid);
void rs_set_gid(struct rs_ctx *ctx, unsigned fact, const uint8_t gid[16]);
void rs_set_ip(struct rs_ctx *ctx, unsigned fact, int family, const void *address); /* AF_INET, AF_INET6 */
void rs_set_decimal(struct rs_ctx *ctx, unsigned fact, const char *text); /* number, quantity: digits as observed */
void rs_set_time(struct rs_ctx *ctx, unsigned fact, int64_t seconds);

/** rs_set_none - looked, and there is none (no VLAN, no gateway); for a list: it is empty */
void rs_set_none(struct rs_ctx *ctx, unsigned fact);

/** rs_set_unknown - observed, but with a code that has no name; shown as @text, an error where it is judged */
void rs_set_unknown(struct rs_ctx *ctx, unsigned fact, const char *text);

/** rs_not_observed - say why this cell is not observed, where @observed_by of the fact does not fit */
void rs_not_observed(struct rs_ctx *ctx, unsigned fact, const char *why);

/* ---- What goes with a table ---- */

/** rs_note - a remark that the reports show with the observation */
void rs_note(struct rs_ctx *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** rs_incomplete - the tables lack something; steps on them are errors unless they say allow_partial */
void rs_incomplete(struct rs_ctx *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** rs_evidence - raw output that was read; 256 KiB of head and of tail are kept under each name */
void rs_evidence(struct rs_ctx *ctx, const char *name, const void *data, size_t length);

/** rs_error - why there is no observation. Returns a negative number, for observe() to return. */
int rs_error(struct rs_ctx *ctx, enum rs_reason reason, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- Changing the host ---- */

#define RS_STATE_MAX 16384 /* bytes of a state */
#define RS_CHANGES_MAX 64  /* of an observation */

/**
 * rs_changing - in observe() of a source that has undo(): say what undo() will need, *before* something is changed
 * @state: a text of at most RS_STATE_MAX bytes
 * Once this has returned 0, undo() will run with @state whatever becomes of this worker. Else nothing may be changed:
 * it returns a negative number, for observe() to return. At most RS_CHANGES_MAX times.
 */
int rs_changing(struct rs_ctx *ctx, const char *state);

/* ---- Where the worker is ---- */

/** rs_sysfs - "/sys", or the root of a recorded tree (never ends in a slash) */
const char *rs_sysfs(const struct rs_ctx *ctx);

/** rs_recorded - true where rs_sysfs() is a recorded tree: only files can be observed, no device may be opened */
bool rs_recorded(const struct rs_ctx *ctx);

/** rs_time_left - milliseconds until the worker is ended; at least 0 */
int64_t rs_time_left(const struct rs_ctx *ctx);

/** rs_alloc - zeroed memory that lives as long as the observation; never NULL (the worker ends when there is none) */
void *rs_alloc(struct rs_ctx *ctx, size_t size) __attribute__((malloc, returns_nonnull));

/* ---- The two ends of an RS_PAIR source ---- */

/**
 * struct rs_end - one of them
 * @host: its name in the scenario
 * @address: what the other end dials: a name or an IP address
 * @port: of a server that is ready, as it told; else 0
 */
struct rs_end {
	const char *host;
	const char *address;
	unsigned port;
};

/** rs_self, rs_peer - this end and the other one; NULL where the source is of no pair */
const struct rs_end *rs_self(const struct rs_ctx *ctx);
const struct rs_end *rs_peer(const struct rs_ctx *ctx);

/** rs_ready - in serve(), once: a client may come to @port. From here on there is as much time as the client has. */
void rs_ready(struct rs_ctx *ctx, unsigned port);

/**
 * rs_stop_fd - in serve(): a descriptor to poll() for reading (never to read or close), readable (POLLIN or POLLHUP)
 * once there is no client any more: what is not over then is to be ended. -1 elsewhere.
 */
int rs_stop_fd(const struct rs_ctx *ctx);
bool rs_stopping(const struct rs_ctx *ctx);

#pragma GCC visibility pop
