/* The C interface of tracebraid: opens and merges traces, runs SQL on them, and returns rows as
 * Arrow C streams. docs/library.md explains the rules; this header states them for each function.
 *
 * Errors: a function that returns int returns TRACEBRAID_OK or a code. Its last parameter `err` may
 * be NULL; it is set on failure only, and the caller frees it with tracebraid_error_free(). Other
 * out parameters stay unchanged on failure. NULL for a parameter that needs a value is
 * TRACEBRAID_USAGE.
 *
 * Texts: parameters are UTF-8 with a length, paths are bytes. Returned texts end with NUL and are
 * freed with tracebraid_string_free(), except those of type const char *.
 *
 * Threads: unless stated otherwise, functions of engines and traces can be called from any number
 * of threads at once; options, connections and streams belong to one thread at a time.
 *
 * Fork: what the parent opened cannot be used in a child (TRACEBRAID_USAGE, "opened before fork");
 * freeing and releasing it there does nothing. Opening anew in the child works. */
#ifndef TRACEBRAID_H
#define TRACEBRAID_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Major and minor version of this interface, as tracebraid_abi_version() returns them. Within one
 * major version, functions, codes, keys and columns are only added. */
#define TRACEBRAID_ABI_VERSION (1 << 16 | 0)

/* The codes of errors. Their values never change. Treat unknown ones as TRACEBRAID_INTERNAL. */
enum {
  TRACEBRAID_OK = 0,
  TRACEBRAID_NOT_FOUND = 1,     /* a named file, table or clock does not exist */
  TRACEBRAID_BAD_INPUT = 2,     /* the bytes of an input contradict their header */
  TRACEBRAID_BAD_MANIFEST = 3,  /* the merge manifest breaks a rule */
  TRACEBRAID_UNSUPPORTED = 4,   /* well-formed, but not supported */
  TRACEBRAID_IO = 5,            /* the operating system reported a failure */
  TRACEBRAID_LIMIT = 6,         /* a limit was reached */
  TRACEBRAID_SQL = 7,           /* the statement cannot be compiled or run */
  TRACEBRAID_USAGE = 8,         /* an argument or an option is invalid */
  TRACEBRAID_CANCELLED = 9,     /* the caller asked to stop */
  TRACEBRAID_TIMEOUT = 10,      /* the deadline passed */
  TRACEBRAID_NO_MEMORY = 11,    /* an allocation failed */
  TRACEBRAID_TYPE_CHANGED = 12, /* a row does not fit the type of its column */
  TRACEBRAID_INTERNAL = 13      /* an invariant is broken; the trace answers nothing more */
};

/* The Arrow C data interface (arrow.apache.org/docs/format/CDataInterface.html). */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
#endif

typedef struct tracebraid_error tracebraid_error;
typedef struct tracebraid_options tracebraid_options;
typedef struct tracebraid_engine tracebraid_engine;
typedef struct tracebraid_control tracebraid_control;
typedef struct tracebraid_trace tracebraid_trace;
typedef struct tracebraid_connection tracebraid_connection;
typedef struct tracebraid_query_options tracebraid_query_options;
typedef struct tracebraid_clock tracebraid_clock;

/* ---- Library ---- */

/* Returns the version, "0.1.0". The text is static. Any thread. */
const char* tracebraid_version(void);
/* Returns TRACEBRAID_ABI_VERSION of the library, which may be newer than that of the header. */
int tracebraid_abi_version(void);
/* Returns a JSON object: version, abi_version, formats, exports, parquet. The caller frees it; NULL
 * without memory. Any thread. */
char* tracebraid_build_info(void);
/* Frees a text that a function returned. NULL does nothing. Any thread. */
void tracebraid_string_free(char* text);

/* ---- Errors: any thread; the pointers live as long as the error; NULL gives OK, "" and -1 ---- */

/* Returns the code. */
int tracebraid_error_code(const tracebraid_error* error);
/* Returns one phrase that names the thing. An error of SQL has the line and a caret. */
const char* tracebraid_error_message(const tracebraid_error* error);
/* Returns the file as its path was given, with the member of an archive ("a.zip/b.pb"), or NULL. */
const char* tracebraid_error_file(const tracebraid_error* error);
/* Returns the byte in that file, or -1. */
int64_t tracebraid_error_offset(const tracebraid_error* error);
/* Returns the line of the SQL text, from 1, or 0. */
int tracebraid_error_line(const tracebraid_error* error);
/* Returns the column of the SQL text, in bytes from 1, or 0. */
int tracebraid_error_column(const tracebraid_error* error);
/* Returns a JSON object: code, name, message, file, offset, line, column, hint. */
const char* tracebraid_error_json(const tracebraid_error* error);
/* Frees the error. NULL does nothing. */
void tracebraid_error_free(tracebraid_error* error);

/* ---- Options of opening: one thread at a time ---- */

/* Makes options with the defaults. The caller frees them; they may be freed once a run with them
 * has returned. NULL without memory. */
tracebraid_options* tracebraid_options_new(void);
/* Sets an option: keys are the long options of the program without dashes, values their texts
 * ("true" and "false" for switches; strict also takes "all"). Keys of exports and merging (to,
 * output, from, until, table, query, machine, process, clock, by-machine, force) are listed by
 * tracebraid_options_keys(), too. USAGE names the nearest key. Both texts end with NUL. */
int tracebraid_options_set(tracebraid_options* options, const char* key, const char* value,
                           tracebraid_error** err);
/* Adds a file, folder or archive. The path ends with NUL; "-" is a file name. */
int tracebraid_options_add_path(tracebraid_options* options, const char* path,
                                tracebraid_error** err);
/* Adds bytes in memory under a name, without a copy. Calls release(context) once, on any thread,
 * when nothing reads them any more: after the last run with the options, and when the traces are
 * freed; also if this function or the opening fails. `release` may be NULL. */
int tracebraid_options_add_buffer(tracebraid_options* options, const char* name, const void* bytes,
                                  size_t size, void (*release)(void* context), void* context,
                                  tracebraid_error** err);
/* Adds bytes that `read` provides in order, once, on the thread that opens: it fills up to `size`
 * bytes and returns how many, 0 at the end, or -1 for a failure (IO). */
int tracebraid_options_add_stream(tracebraid_options* options, const char* name,
                                  int64_t (*read)(void* context, void* into, size_t size),
                                  void* context, tracebraid_error** err);
/* Sets the merge manifest as JSON text, which is copied. A path is the key "manifest". */
int tracebraid_options_set_manifest(tracebraid_options* options, const char* json, size_t size,
                                    tracebraid_error** err);
/* Opens traces with this engine instead of one of their own; NULL resets it. Retains it. */
int tracebraid_options_set_engine(tracebraid_options* options, tracebraid_engine* engine,
                                  tracebraid_error** err);
/* Frees the options. NULL does nothing. */
void tracebraid_options_free(tracebraid_options* options);
/* Returns all keys as a JSON array of {"key","type","default","choices","text"}. The caller frees
 * it; NULL without memory. Any thread. */
char* tracebraid_options_keys(void);

/* ---- Engines: limits that several traces share; any thread ---- */

/* Makes an engine with threads, memory-limit, temp-dir and io of `options`, which may be NULL. */
int tracebraid_engine_new(const tracebraid_options* options, tracebraid_engine** out,
                          tracebraid_error** err);
/* Adds an owner, and returns its argument. */
tracebraid_engine* tracebraid_engine_retain(tracebraid_engine* engine);
/* Removes an owner. Traces keep what they use. NULL does nothing. */
void tracebraid_engine_release(tracebraid_engine* engine);

/* ---- Controls: progress, cancelling and deadlines of runs ---- */

/* Makes a control, which may serve several runs, and must outlive them. NULL without memory. */
tracebraid_control* tracebraid_control_new(void);
/* Frees the control. NULL does nothing. */
void tracebraid_control_free(tracebraid_control* control);
/* Calls f(context, stage, unit, done, total) about each interval_ms on a thread of the library,
 * never two at once and never after the run has returned. total 0: not known. A nonzero result
 * cancels the run. Applies to opening, exporting and merging that begin later. NULL ends it. */
int tracebraid_control_on_progress(tracebraid_control* control,
                                   int (*f)(void* context, const char* stage, const char* unit,
                                            uint64_t done, uint64_t total),
                                   void* context, unsigned interval_ms, tracebraid_error** err);
/* Ends all runs of the control with CANCELLED, also those that begin later. Any thread, and signal
 * handlers. NULL does nothing. */
void tracebraid_control_cancel(tracebraid_control* control);
/* Ends each run that begins later with TIMEOUT after `ms` milliseconds; 0: no limit. */
int tracebraid_control_deadline(tracebraid_control* control, unsigned ms, tracebraid_error** err);

/* ---- Traces: any thread ---- */

/* Reads and merges the inputs of the options, on this thread and threads of the engine. Problems of
 * parts of the inputs do not fail it, unless the option strict is set. `control` may be NULL. The
 * caller owns the trace. */
int tracebraid_open(const tracebraid_options* options, tracebraid_control* control,
                    tracebraid_trace** out, tracebraid_error** err);
/* Adds an owner, and returns its argument. */
tracebraid_trace* tracebraid_trace_retain(tracebraid_trace* trace);
/* Removes an owner. The last one frees all memory except what streams and arrays still hold. */
void tracebraid_trace_release(tracebraid_trace* trace);
/* Installs a handler of SIGBUS for the process, or with `on` 0 restores the action before it. Only
 * for programs. Files that are mapped (traces with the option io=map, and braids) may shrink or
 * fail while they are read, which is SIGBUS: with the handler, engines that are made afterwards
 * return TRACEBRAID_IO. Faults at other addresses take the earlier action. Call it on one thread,
 * before traces are opened. */
int tracebraid_guard_mapped_files(int on, tracebraid_error** err);
/* Sets the bytes that the trace takes now; each of the three may be NULL. `tables`: its tables.
 * `streams`: rows that running statements hold, tables that statements created, and arrays that
 * are not released; SQLite's own buffers are not counted. `mapped`: files in use as memory, such as
 * a braid, whose tables are counted here. Takes some ms for tables of a million rows. */
int tracebraid_memory_use(tracebraid_trace* trace, uint64_t* tables, uint64_t* streams,
                          uint64_t* mapped, tracebraid_error** err);

/* ---- Queries ---- */

/* Makes options of queries. The caller frees them. NULL without memory. One thread at a time. */
tracebraid_query_options* tracebraid_query_options_new(void);
/* Sets an option; texts end with NUL. Keys: batch-rows (rows of a batch at most), text (dictionary
 * or utf8), types ("n=int64,x=float64,s=utf8,d=dictionary,b=binary"), max-rows and max-bytes
 * (limits, whose excess is LIMIT), result ("only", or "last": runs all statements and returns the
 * rows of the last one, without columns if it has none), cells ("typed", or "verbatim": a column
 * whose type depends on the rows is a dense union of null, int64, float64, utf8 and binary, and
 * texts may contain bytes that are not UTF-8, so that no value is changed and no row is kept). */
int tracebraid_query_options_set(tracebraid_query_options* options, const char* key,
                                 const char* value, tracebraid_error** err);
/* Frees the options. NULL does nothing. */
void tracebraid_query_options_free(tracebraid_query_options* options);

/* Begins a statement with rows on a connection of its own; statements before it in the text run at
 * once, those behind it after the last row, and a second result is an error (USAGE).
 * `params`, which may be NULL with `params_schema`, is a struct array of one row, which the
 * caller keeps: a field with a name is bound to :name, the others to ?1, ?2 ... in order. Types:
 * null, bool, integers, float and double, utf8, binary and their large forms. `q` and `control` may
 * be NULL; the control must outlive the stream. Any thread; the stream belongs to one at a time. It
 * holds the trace. Its get_next does the work. */
int tracebraid_query(tracebraid_trace* trace, const char* sql, size_t size,
                     const struct ArrowArray* params, const struct ArrowSchema* params_schema,
                     const tracebraid_query_options* q, tracebraid_control* control,
                     struct ArrowArrayStream* out, tracebraid_error** err);
/* Returns names and types of the columns of one statement, without running it. A column whose type
 * depends on the rows has the format "n" and the metadata tracebraid.type "unknown". Any thread. */
int tracebraid_describe(tracebraid_trace* trace, const char* sql, size_t size,
                        const tracebraid_query_options* q, struct ArrowSchema* out,
                        tracebraid_error** err);
/* Returns `count` columns (all with 0) of a table or view as they are stored, without sorting:
 * `rows` rows from row `first` on; rows < 0: all. NOT_FOUND names the nearest table or column.
 * Texts end with NUL. Any thread. */
int tracebraid_table(tracebraid_trace* trace, const char* name, const char* const* columns,
                     size_t count, int64_t first, int64_t rows, const tracebraid_query_options* q,
                     struct ArrowArrayStream* out, tracebraid_error** err);

/* Opens a connection, on which temporary tables live. It holds the trace. The caller frees it. */
int tracebraid_connection_open(tracebraid_trace* trace, tracebraid_connection** out,
                               tracebraid_error** err);
/* As tracebraid_query(). Until its stream is released, the connection runs nothing else (USAGE).
 * One thread at a time. */
int tracebraid_connection_query(tracebraid_connection* connection, const char* sql, size_t size,
                                const struct ArrowArray* params,
                                const struct ArrowSchema* params_schema,
                                const tracebraid_query_options* q, tracebraid_control* control,
                                struct ArrowArrayStream* out, tracebraid_error** err);
/* Runs all statements and drops their rows. One thread at a time. */
int tracebraid_connection_run(tracebraid_connection* connection, const char* sql, size_t size,
                              tracebraid_control* control, tracebraid_error** err);
/* Frees the connection; a stream of it goes on. NULL does nothing. */
void tracebraid_connection_free(tracebraid_connection* connection);

/* Takes the error that ended a stream of this library, which the caller frees: NULL if there is
 * none. Returns USAGE for other streams. The stream's thread. */
int tracebraid_stream_error(struct ArrowArrayStream* stream, tracebraid_error** error);

/* Sets *texts to what was changed so that rows fit their columns, one line each: bytes of texts
 * that are not UTF-8, numbers among texts. Complete after the last row; empty for none. The caller
 * frees it. Returns USAGE for other streams. The stream's thread. */
int tracebraid_stream_warnings(struct ArrowArrayStream* stream, char** texts,
                               tracebraid_error** err);

/* ---- Facts of a trace as tables: any thread; the caller releases the stream ---- */

/* One row for each column of each public table and view: table, kind, column, type, is_sorted,
 * is_hidden, text. */
int tracebraid_schema(tracebraid_trace* trace, struct ArrowArrayStream* out,
                      tracebraid_error** err);
/* The files of the trace, as the table trace_file. */
int tracebraid_files(tracebraid_trace* trace, struct ArrowArrayStream* out, tracebraid_error** err);
/* The machines, as the table machine. */
int tracebraid_machines(tracebraid_trace* trace, struct ArrowArrayStream* out,
                        tracebraid_error** err);
/* Problems of inputs: file, level, message. */
int tracebraid_problems(tracebraid_trace* trace, struct ArrowArrayStream* out,
                        tracebraid_error** err);
/* Parts of files that no table has: file, what, count, bytes. */
int tracebraid_not_imported(tracebraid_trace* trace, struct ArrowArrayStream* out,
                            tracebraid_error** err);
/* The stats that are not zero: stat, severity, level, file, machine, count, description, example.
 */
int tracebraid_stats(tracebraid_trace* trace, struct ArrowArrayStream* out, tracebraid_error** err);
/* The placement of each clock of each file, as the objects of check --json. */
int tracebraid_placement(tracebraid_trace* trace, struct ArrowArrayStream* out,
                         tracebraid_error** err);
/* The clocks, as the table clock, with the names of their machine and file. */
int tracebraid_clocks(tracebraid_trace* trace, struct ArrowArrayStream* out,
                      tracebraid_error** err);
/* What relates two clocks, as the table clock_edge, with the labels of both. */
int tracebraid_relations(tracebraid_trace* trace, struct ArrowArrayStream* out,
                         tracebraid_error** err);

/* ---- Reports: any thread; the caller frees the texts ---- */

/* Returns the report "check" or "info", byte for byte what the program prints with --json. */
int tracebraid_report_json(tracebraid_trace* trace, const char* which, char** out,
                           tracebraid_error** err);
/* Returns the report "check" or "info" as the program prints it, for `width` columns (0: any). */
int tracebraid_report_text(tracebraid_trace* trace, const char* which, unsigned width, char** out,
                           tracebraid_error** err);
/* Explains how the events of one file were placed, as check --explain. NOT_FOUND: no such file. */
int tracebraid_explain(tracebraid_trace* trace, const char* file, char** out,
                       tracebraid_error** err);
/* Returns the clocks and their relations as "svg" or "dot". */
int tracebraid_clock_graph(tracebraid_trace* trace, const char* format, char** out,
                           tracebraid_error** err);

/* ---- Clocks ---- */

/* Finds a clock by its name ("REALTIME") or number; NULL is trace time. `machine` and `file` may be
 * NULL for any, `sequence` -1. Several clocks are USAGE that lists them, none is NOT_FOUND. The
 * clock holds the trace; the caller frees it. Any thread. */
int tracebraid_clock_find(tracebraid_trace* trace, const char* name, const char* machine,
                          const char* file, int64_t sequence, tracebraid_clock** out,
                          tracebraid_error** err);
/* Returns the label of the clock, "REALTIME of watch". It lives as long as the clock. */
const char* tracebraid_clock_label(const tracebraid_clock* clock);
/* Frees the clock. NULL does nothing. Any thread. */
void tracebraid_clock_free(tracebraid_clock* clock);
/* Converts `count` times in ns between two clocks of one trace. `bound` gets by how much each
 * result is off at most, INT64_MAX where that is not bounded; `valid` a bit for each value, lowest
 * first, 0 where nothing relates the clocks at that time (out and bound are 0 and INT64_MAX there).
 * Both may be NULL. Any thread. */
int tracebraid_clock_convert(const tracebraid_clock* from, const tracebraid_clock* to,
                             const int64_t* ts, size_t count, int64_t* out, int64_t* bound,
                             uint8_t* valid, tracebraid_error** err);

/* ---- Files: block; `control` may be NULL ---- */

/* Writes the trace as `options` say: to (the kind), output, and a selection. The output appears
 * whole or not at all; it replaces no input, and other files only with the key force. */
int tracebraid_export(tracebraid_trace* trace, const tracebraid_options* options,
                      tracebraid_control* control, tracebraid_error** err);
/* Packs the paths of the options and their manifest into an archive (.zip, else TAR), and opens it
 * into *check, which the caller owns, unless `check` is NULL. */
int tracebraid_merge_archive(const tracebraid_options* options, const char* output,
                             tracebraid_control* control, tracebraid_trace** check,
                             tracebraid_error** err);
/* Returns a manifest for the inputs of the options, as JSON, which the caller frees. */
int tracebraid_manifest_template(const tracebraid_options* options, char** out,
                                 tracebraid_error** err);
/* Checks the manifest that tracebraid_options_set_manifest() or the key manifest set. BAD_MANIFEST:
 * the first rule that it breaks. Returns {"files":2,"warnings":[...]}, which the caller frees. */
int tracebraid_manifest_validate(const tracebraid_options* options, char** json,
                                 tracebraid_error** err);

#ifdef __cplusplus
}
#endif

#endif
