/* Allocations that fail inside the library: number k, for many k, alone and with all that follow.
 * Each function then returns NO_MEMORY, or goes on without that memory and gives the same result;
 * nothing crashes, leaks or is left on disk, and the next call works. Prints how many were tried.
 *
 *   no_memory FOLDER TRACE ...    the folder is for files
 *
 * Tries k = 1, 2, 3, 5, 8, ... and some hundred more; all with TRACEBRAID_ALL_FAULTS=1. */
#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracebraid/tracebraid.h>
#include <unistd.h>

/* ---- Allocation: this program's functions are those of the library, too ---- */

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* at, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* at);

static atomic_long made, live;            /* allocations since begin(), and blocks now */
static atomic_long fail_at, fail_most = 0; /* the first that fails; how many fail */
static atomic_long failed;

static int fails(void) {
  const long number = atomic_fetch_add(&made, 1) + 1;
  const long first = atomic_load(&fail_at);
  if (first == 0 || number < first || number >= first + atomic_load(&fail_most)) return 0;
  atomic_fetch_add(&failed, 1);
  errno = ENOMEM;
  return 1;
}
static void* counted(void* block) {
  if (block != NULL) atomic_fetch_add(&live, 1);
  return block;
}

void* malloc(size_t size) { return fails() ? NULL : counted(__libc_malloc(size)); }
void* calloc(size_t count, size_t size) {
  return fails() ? NULL : counted(__libc_calloc(count, size));
}
void* realloc(void* at, size_t size) {
  if (at == NULL) return malloc(size);
  return fails() ? NULL : __libc_realloc(at, size);
}
void* memalign(size_t alignment, size_t size) {
  return fails() ? NULL : counted(__libc_memalign(alignment, size));
}
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** at, size_t alignment, size_t size) {
  void* block = memalign(alignment, size);
  if (block == NULL) return ENOMEM;
  *at = block;
  return 0;
}
void free(void* at) {
  if (at != NULL) atomic_fetch_sub(&live, 1);
  __libc_free(at);
}

static void begin(long first, long most) {
  atomic_store(&failed, 0);
  atomic_store(&made, 0);
  atomic_store(&fail_most, most);
  atomic_store(&fail_at, first);
}
static long end(void) {
  atomic_store(&fail_at, 0);
  return atomic_load(&made);
}

/* ---- What is run ---- */

static const char* folder;
static char** inputs;
static int input_count;
static tracebraid_trace* opened; /* of all inputs */
static uint64_t result;          /* of the last run */

static void add(uint64_t value) { result = (result ^ value) * 1099511628211u; }
static void add_text(const char* text) {
  for (; *text != '\0'; ++text) add((unsigned char)*text);
}

/* Frees the error, which must fit its code, and returns the code. */
static int end_with(int code, tracebraid_error* error) {
  if (error != NULL && tracebraid_error_code(error) != code) {
    fprintf(stderr, "code %d, but the error has %d\n", code, tracebraid_error_code(error));
    exit(1);
  }
  if (code != TRACEBRAID_OK && code != TRACEBRAID_NO_MEMORY)
    fprintf(stderr, "%s\n", error == NULL ? "(no text)" : tracebraid_error_message(error));
  tracebraid_error_free(error);
  return code;
}

/* Reads and releases a stream. */
static int drain(struct ArrowArrayStream* rows) {
  int code = TRACEBRAID_OK;
  struct ArrowSchema schema;
  if (rows->get_schema(rows, &schema) == 0) {
    for (int64_t i = 0; i < schema.n_children; ++i) add_text(schema.children[i]->name);
    for (;;) {
      struct ArrowArray batch;
      if (rows->get_next(rows, &batch) != 0) {
        code = TRACEBRAID_INTERNAL; /* until the error is taken */
        break;
      }
      if (batch.release == NULL) break;
      add((uint64_t)batch.length);
      for (int64_t i = 0; i < batch.n_children; ++i)
        if (strcmp(schema.children[i]->format, "l") == 0)
          for (int64_t row = 0; row < batch.length; ++row)
            add((uint64_t)((const int64_t*)batch.children[i]->buffers[1])[row]);
      batch.release(&batch);
    }
    schema.release(&schema);
  } else {
    code = TRACEBRAID_INTERNAL;
  }
  if (code != TRACEBRAID_OK) {
    tracebraid_error* error = NULL;
    code = tracebraid_stream_error(rows, &error);
    if (code == TRACEBRAID_OK)
      code = error == NULL ? TRACEBRAID_NO_MEMORY : tracebraid_error_code(error);
    end_with(code, error);
  }
  rows->release(rows);
  return code;
}

static int query(tracebraid_trace* trace, const char* sql) {
  struct ArrowArrayStream rows;
  tracebraid_error* error = NULL;
  const int code =
      tracebraid_query(trace, sql, strlen(sql), NULL, NULL, NULL, NULL, &rows, &error);
  return code == TRACEBRAID_OK ? drain(&rows) : end_with(code, error);
}

/* Options with all inputs; NULL without memory. */
static tracebraid_options* options_of(const char* threads) {
  tracebraid_options* options = tracebraid_options_new();
  if (options == NULL) return NULL;
  int code = tracebraid_options_set(options, "threads", threads, NULL);
  for (int i = 0; i < input_count && code == TRACEBRAID_OK; ++i)
    code = tracebraid_options_add_path(options, inputs[i], NULL);
  if (code == TRACEBRAID_OK) return options;
  tracebraid_options_free(options);
  return NULL;
}

static int open_all(const char* threads, tracebraid_trace** trace) {
  tracebraid_options* options = options_of(threads);
  if (options == NULL) return TRACEBRAID_NO_MEMORY;
  tracebraid_error* error = NULL;
  const int code = tracebraid_open(options, NULL, trace, &error);
  tracebraid_options_free(options);
  return end_with(code, error);
}

static const char* const kCount = "SELECT count(*) AS n, sum(dur) AS d FROM slice";

static int run_open(const char* threads) {
  tracebraid_trace* trace = NULL;
  int code = open_all(threads, &trace);
  if (code == TRACEBRAID_OK) code = query(trace, kCount);
  tracebraid_trace_release(trace);
  return code;
}
static int open_on_one_thread(void) { return run_open("1"); }
static int open_on_two_threads(void) { return run_open("2"); }

static int query_rows(void) {
  return query(opened, "SELECT id, ts, dur, name, arg_set_id FROM slice WHERE dur > 5");
}
static int query_groups(void) {
  return query(opened,
               "CREATE PERFETTO TABLE t AS SELECT name, sum(dur) AS d FROM slice GROUP BY name;"
               "SELECT t.name, t.d, count(*) AS n FROM t JOIN slice USING (name) GROUP BY 1");
}
static int read_table(void) {
  struct ArrowArrayStream rows;
  tracebraid_error* error = NULL;
  const int code =
      tracebraid_table(opened, "thread_state", NULL, 0, 0, -1, NULL, &rows, &error);
  return code == TRACEBRAID_OK ? drain(&rows) : end_with(code, error);
}
static int read_facts(void) {
  int (*const facts[])(tracebraid_trace*, struct ArrowArrayStream*, tracebraid_error**) = {
      tracebraid_schema,    tracebraid_files,        tracebraid_machines,
      tracebraid_problems,  tracebraid_not_imported, tracebraid_stats,
      tracebraid_placement, tracebraid_clocks,       tracebraid_relations};
  for (size_t i = 0; i < sizeof facts / sizeof *facts; ++i) {
    struct ArrowArrayStream rows;
    tracebraid_error* error = NULL;
    int code = facts[i](opened, &rows, &error);
    code = code == TRACEBRAID_OK ? drain(&rows) : end_with(code, error);
    if (code != TRACEBRAID_OK) return code;
  }
  return TRACEBRAID_OK;
}
static int make_reports(void) {
  for (int i = 0; i < 4; ++i) {
    char* text = NULL;
    tracebraid_error* error = NULL;
    const int code = i == 0   ? tracebraid_report_json(opened, "check", &text, &error)
                     : i == 1 ? tracebraid_report_text(opened, "info", 80, &text, &error)
                     : i == 2 ? tracebraid_clock_graph(opened, "svg", &text, &error)
                              : tracebraid_explain(opened, inputs[0], &text, &error);
    if (code != TRACEBRAID_OK) return end_with(code, error);
    add_text(text);
    tracebraid_string_free(text);
  }
  return TRACEBRAID_OK;
}
static int convert_times(void) {
  tracebraid_clock *from = NULL, *to = NULL;
  tracebraid_error* error = NULL;
  int code = tracebraid_clock_find(opened, "REALTIME", "watch", NULL, -1, &from, &error);
  if (code == TRACEBRAID_OK)
    code = tracebraid_clock_find(opened, NULL, NULL, NULL, -1, &to, &error);
  if (code == TRACEBRAID_OK) {
    const int64_t times[] = {1795176332000169866, 1795176333000000000};
    int64_t out[2], bounds[2];
    uint8_t valid = 0;
    code = tracebraid_clock_convert(from, to, times, 2, out, bounds, &valid, &error);
    if (code == TRACEBRAID_OK) add((uint64_t)(out[0] + out[1] + bounds[0] + valid));
  }
  tracebraid_clock_free(from);
  tracebraid_clock_free(to);
  return end_with(code, error);
}
static int export_as(const char* kind) {
  char path[4096];
  snprintf(path, sizeof path, "%s/out", folder);
  tracebraid_options* options = tracebraid_options_new();
  if (options == NULL) return TRACEBRAID_NO_MEMORY;
  tracebraid_error* error = NULL;
  int code = tracebraid_options_set(options, "to", kind, &error);
  if (code == TRACEBRAID_OK) code = tracebraid_options_set(options, "output", path, &error);
  if (code == TRACEBRAID_OK) code = tracebraid_export(opened, options, NULL, &error);
  tracebraid_options_free(options);
  if (code == TRACEBRAID_OK) unlink(path);
  return end_with(code, error);
}
static int export_json(void) { return export_as("json"); }
static int export_perfetto(void) { return export_as("perfetto"); }
static int export_braid(void) { return export_as("braid"); }
static int export_sqlite(void) { return export_as("sqlite"); }
static int merge(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s/out.zip", folder);
  tracebraid_options* options = options_of("1");
  if (options == NULL) return TRACEBRAID_NO_MEMORY;
  tracebraid_error* error = NULL;
  const int code = tracebraid_merge_archive(options, path, NULL, NULL, &error);
  tracebraid_options_free(options);
  if (code == TRACEBRAID_OK) unlink(path);
  return end_with(code, error);
}
static int make_manifest(void) {
  tracebraid_options* options = options_of("1");
  if (options == NULL) return TRACEBRAID_NO_MEMORY;
  char* text = NULL;
  tracebraid_error* error = NULL;
  const int code = tracebraid_manifest_template(options, &text, &error);
  tracebraid_options_free(options);
  if (code == TRACEBRAID_OK) add_text(text);
  tracebraid_string_free(text);
  return end_with(code, error);
}
/* With a control, whose watching thread needs memory, too. */
static int run_with_a_deadline(void) {
  tracebraid_control* control = tracebraid_control_new();
  if (control == NULL) return TRACEBRAID_NO_MEMORY;
  struct ArrowArrayStream rows;
  tracebraid_error* error = NULL;
  int code = tracebraid_control_deadline(control, 100000, &error);
  if (code == TRACEBRAID_OK)
    code = tracebraid_query(opened, kCount, strlen(kCount), NULL, NULL, NULL, control, &rows,
                            &error);
  code = code == TRACEBRAID_OK ? drain(&rows) : end_with(code, error);
  tracebraid_control_free(control);
  return code;
}

/* ---- The test ---- */

/* Whether the folder has no unfinished file. Removes a whole one, which is there if memory ended
 * behind its last byte. */
static int is_folder_empty(void) {
  static const char* const outputs[] = {"out", "out.zip"};
  char path[4096];
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; ++i) {
    snprintf(path, sizeof path, "%s/%s", folder, outputs[i]);
    unlink(path);
  }
  DIR* const files = opendir(folder);
  int count = 0;
  while (files != NULL && readdir(files) != NULL) ++count;
  if (files != NULL) closedir(files);
  return count == 2; /* "." and ".." */
}

static void give_up(const char* name, long k, const char* what, long value) {
  fprintf(stderr, "%s, allocation %ld: %s %ld\n", name, k, what, value);
  exit(1);
}

/* Makes allocation k fail, and `most` - 1 behind it. Returns whether one failed, and sets *kept to the
 * number of blocks that were not freed. */
static int run_once(const char* name, int (*work)(void), long k, long most, uint64_t wanted,
                    long* kept) {
  const long before = atomic_load(&live);
  result = 0;
  begin(k, most);
  const int code = work();
  end();
  if (code != TRACEBRAID_OK && (code != TRACEBRAID_NO_MEMORY || atomic_load(&failed) == 0))
    give_up(name, k, "code", code);
  if (code == TRACEBRAID_OK && result != wanted) give_up(name, k, "another result, code", code);
  *kept = atomic_load(&live) - before;
  if (!is_folder_empty()) give_up(name, k, "leaves files, code", code);
  return atomic_load(&failed) != 0;
}

/* The same, and checks that nothing leaks: what the trace keeps for later runs does not grow again. */
static int try_one(const char* name, int (*work)(void), long k, long most, uint64_t wanted) {
  long kept = 0;
  if (!run_once(name, work, k, most, wanted, &kept)) return 0;
  for (int i = 0; kept > 0 && i < 3; ++i) run_once(name, work, k, most, wanted, &kept);
  if (kept > 0) give_up(name, k, "leaks", kept);
  return 1;
}

static long test(const char* name, int (*work)(void), int is_slow) {
  uint64_t wanted = 0;
  long count = 0;
  /* The first runs fill caches: a connection keeps its last 100 statements, in blocks of five. */
  for (int i = 0, steady = 0; steady < 8 && i < 500; ++i) {
    const long before = atomic_load(&live);
    result = 0;
    begin(0, 0);
    const int code = work();
    count = end();
    if (code != TRACEBRAID_OK) give_up(name, 0, "code", code);
    wanted = result;
    steady = atomic_load(&live) > before ? 0 : steady + 1;
  }
  const long step = is_slow ? 1 : count / 150 + 1;
  long tried = 0, next = 1, last = 1;
  for (long k = 1; k <= count; ++k) {
    const int is_in_series = k == next;
    if (is_in_series) next += last, last = k;
    if (!is_in_series && k % step != 0) continue;
    tried += try_one(name, work, k, 1, wanted);
    if (is_in_series || k % 7 == 0) tried += try_one(name, work, k, 1L << 40, wanted);
  }
  result = 0;
  if (work() != TRACEBRAID_OK || result != wanted) give_up(name, 0, "afterwards, tried", tried);
  printf("%s: %ld failures, %ld allocations\n", name, tried, count);
  fflush(stdout);
  return tried;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const char* all = getenv("TRACEBRAID_ALL_FAULTS");
  const int is_slow = all != NULL && strcmp(all, "1") == 0;
  folder = argv[1];
  inputs = argv + 2;
  input_count = argc - 2;
  if (open_all("1", &opened) != TRACEBRAID_OK) return 1;
  const struct {
    const char* name;
    int (*work)(void);
  } works[] = {{"open", open_on_one_thread},
               {"open on two threads", open_on_two_threads},
               {"query rows", query_rows},
               {"query groups", query_groups},
               {"table", read_table},
               {"facts", read_facts},
               {"reports", make_reports},
               {"clocks", convert_times},
               {"export json", export_json},
               {"export perfetto", export_perfetto},
               {"export braid", export_braid},
               {"export sqlite", export_sqlite},
               {"merge", merge},
               {"manifest", make_manifest},
               {"deadline", run_with_a_deadline}};
  long tried = 0;
  for (size_t i = 0; i < sizeof works / sizeof *works; ++i)
    tried += test(works[i].name, works[i].work, is_slow);
  tracebraid_trace_release(opened);
  printf("fine: %ld failures\n", tried);
  return 0;
}
