/* The rules of tracebraid.h: NULLs, errors, lifetimes, parameters, deadlines, fork. Prints "fine".
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <tracebraid/tracebraid.h>
#include <unistd.h>

#include "check.h"

static tracebraid_trace* open_file(const char* path) {
  tracebraid_options* options = tracebraid_options_new();
  tracebraid_trace* trace = NULL;
  CHECK(tracebraid_options_add_path(options, path, NULL) == TRACEBRAID_OK);
  CHECK(tracebraid_open(options, NULL, &trace, NULL) == TRACEBRAID_OK);
  tracebraid_options_free(options);
  return trace;
}

static int query(tracebraid_trace* trace, const char* sql, struct ArrowArrayStream* rows,
                 tracebraid_error** error) {
  return tracebraid_query(trace, sql, strlen(sql), NULL, NULL, NULL, NULL, rows, error);
}

static void test_nulls(tracebraid_trace* trace) {
  tracebraid_error* error = NULL;
  CHECK(tracebraid_open(NULL, NULL, NULL, &error) == TRACEBRAID_USAGE);
  CHECK(strstr(tracebraid_error_message(error), "options is NULL"));
  tracebraid_error_free(error);
  CHECK(tracebraid_query(trace, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL) == TRACEBRAID_USAGE);
  CHECK(tracebraid_query(NULL, "", 0, NULL, NULL, NULL, NULL, NULL, NULL) == TRACEBRAID_USAGE);
  CHECK(tracebraid_clock_find(trace, NULL, NULL, NULL, -1, NULL, NULL) == TRACEBRAID_USAGE);
  CHECK(tracebraid_report_json(trace, NULL, NULL, NULL) == TRACEBRAID_USAGE);
  CHECK(tracebraid_stream_error(NULL, NULL) == TRACEBRAID_USAGE);
  tracebraid_trace_release(NULL);
  tracebraid_options_free(NULL);
  tracebraid_error_free(NULL);
  tracebraid_control_cancel(NULL);
  CHECK(tracebraid_error_code(NULL) == TRACEBRAID_OK && tracebraid_error_offset(NULL) == -1);
}

static void test_errors(tracebraid_trace* trace) {
  tracebraid_error* error = NULL;
  struct ArrowArrayStream rows;
  CHECK(query(trace, "SELECT 1;\n  SELECT nope FROM slice", &rows, &error) == TRACEBRAID_OK);
  struct ArrowArray batch;
  CHECK(rows.get_next(&rows, &batch) == 0);
  batch.release(&batch);
  CHECK(rows.get_next(&rows, &batch) != 0);
  CHECK(tracebraid_stream_error(&rows, &error) == TRACEBRAID_OK);
  CHECK(tracebraid_error_code(error) == TRACEBRAID_SQL && tracebraid_error_line(error) == 2);
  CHECK(tracebraid_error_column(error) == 10);
  CHECK(strstr(tracebraid_error_json(error), "\"name\":\"SQL\""));
  tracebraid_error_free(error);
  rows.release(&rows);

  tracebraid_options* options = tracebraid_options_new();
  tracebraid_trace* none = NULL;
  CHECK(tracebraid_options_set(options, "clock-modl", "step", &error) == TRACEBRAID_USAGE);
  CHECK(strstr(tracebraid_error_message(error), "did you mean clock-model?"));
  tracebraid_error_free(error);
  CHECK(tracebraid_options_add_path(options, "/no/such/file", NULL) == TRACEBRAID_OK);
  CHECK(tracebraid_open(options, NULL, &none, &error) == TRACEBRAID_NOT_FOUND);
  CHECK(none == NULL && strcmp(tracebraid_error_file(error), "/no/such/file") == 0);
  tracebraid_error_free(error);
  tracebraid_options_free(options);
}

static int released;
static void release(void* context) { released += *(int*)context; }

static void test_buffers(void) {
  static const char json[] =
      "[{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"name\":\"a\",\"pid\":1,\"tid\":1}]";
  static const char text[] = "no trace at all";
  int one = 1;
  tracebraid_options* options = tracebraid_options_new();
  tracebraid_trace* trace = NULL;
  CHECK(tracebraid_options_add_buffer(options, "t.json", json, sizeof json - 1, release, &one,
                                      NULL) == 0);
  CHECK(tracebraid_open(options, NULL, &trace, NULL) == TRACEBRAID_OK);
  tracebraid_options_free(options);
  struct ArrowArrayStream rows;
  CHECK(query(trace, "SELECT name FROM slice", &rows, NULL) == TRACEBRAID_OK);
  tracebraid_trace_release(trace);
  struct ArrowArray batch;
  CHECK(rows.get_next(&rows, &batch) == 0 && batch.length == 1);
  rows.release(&rows);
  CHECK(released == 1);
  const struct ArrowArray* names = batch.children[0]->dictionary; /* outlives trace and stream */
  CHECK(((const char*)names->buffers[2])[0] == 'a');
  batch.release(&batch);

  options = tracebraid_options_new();
  CHECK(tracebraid_options_add_buffer(options, "t", text, sizeof text - 1, release, &one, NULL) ==
        0);
  CHECK(tracebraid_open(options, NULL, &trace, NULL) != TRACEBRAID_OK);
  tracebraid_options_free(options);
  CHECK(released == 2);
}

static void no_release_of_schema(struct ArrowSchema* schema) { (void)schema; }
static void no_release(struct ArrowArray* array) { (void)array; }

static void test_parameters(tracebraid_trace* trace) {
  const int64_t values[] = {40, 2};
  const void* buffers[] = {NULL, values};
  const void* no_buffers[] = {NULL};
  struct ArrowArray child = {2, 0, 0, 2, 0, buffers, NULL, NULL, no_release, NULL};
  struct ArrowArray second = {1, 0, 1, 2, 0, buffers, NULL, NULL, no_release, NULL};
  struct ArrowArray* children[] = {&child, &second};
  struct ArrowArray row = {1, 0, 0, 1, 2, no_buffers, children, NULL, no_release, NULL};
  struct ArrowSchema field = {"l", "", NULL, 2, 0, NULL, NULL, no_release_of_schema, NULL};
  struct ArrowSchema named = {"l", ":b", NULL, 2, 0, NULL, NULL, no_release_of_schema, NULL};
  struct ArrowSchema* fields[] = {&field, &named};
  struct ArrowSchema schema = {"+s", "", NULL, 0, 2, fields, NULL, no_release_of_schema, NULL};
  struct ArrowArrayStream rows;
  struct ArrowArray batch;
  const char* sql = "SELECT ? + :b AS n";
  CHECK(tracebraid_query(trace, sql, strlen(sql), &row, &schema, NULL, NULL, &rows, NULL) == 0);
  CHECK(rows.get_next(&rows, &batch) == 0);
  CHECK(((const int64_t*)batch.children[0]->buffers[1])[0] == 42);
  batch.release(&batch);
  rows.release(&rows);
  row.length = 2;
  CHECK(tracebraid_query(trace, sql, strlen(sql), &row, &schema, NULL, NULL, &rows, NULL) ==
        TRACEBRAID_USAGE);
}

static void test_controls(tracebraid_trace* trace) {
  const char* sql =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) AS s FROM n";
  for (int by_deadline = 0; by_deadline < 2; ++by_deadline) {
    tracebraid_control* control = tracebraid_control_new();
    if (by_deadline)
      CHECK(tracebraid_control_deadline(control, 20, NULL) == TRACEBRAID_OK);
    else
      tracebraid_control_cancel(control);
    struct ArrowArrayStream rows;
    struct ArrowArray batch;
    tracebraid_error* error = NULL;
    int code = tracebraid_query(trace, sql, strlen(sql), NULL, NULL, NULL, control, &rows, &error);
    if (code == TRACEBRAID_OK) {
      CHECK(rows.get_next(&rows, &batch) != 0);
      CHECK(tracebraid_stream_error(&rows, &error) == TRACEBRAID_OK);
      code = tracebraid_error_code(error);
      rows.release(&rows);
    }
    CHECK(code == (by_deadline ? TRACEBRAID_TIMEOUT : TRACEBRAID_CANCELLED));
    tracebraid_error_free(error);
    tracebraid_control_free(control);
  }
}

static void test_tables(tracebraid_trace* trace) {
  const char* columns[] = {"ts", "nam"};
  struct ArrowArrayStream rows;
  struct ArrowArray batch;
  tracebraid_error* error = NULL;
  CHECK(tracebraid_table(trace, "slice", columns, 1, 2, 3, NULL, &rows, NULL) == TRACEBRAID_OK);
  CHECK(rows.get_next(&rows, &batch) == 0 && batch.length == 3 && batch.n_children == 1);
  batch.release(&batch);
  rows.release(&rows);
  CHECK(tracebraid_table(trace, "slice", columns, 2, 0, -1, NULL, &rows, &error) ==
        TRACEBRAID_NOT_FOUND);
  CHECK(strstr(tracebraid_error_message(error), "did you mean name?"));
  tracebraid_error_free(error);
  int (*const facts[])(tracebraid_trace*, struct ArrowArrayStream*, tracebraid_error**) = {
      tracebraid_schema,    tracebraid_files,        tracebraid_machines,
      tracebraid_problems,  tracebraid_not_imported, tracebraid_stats,
      tracebraid_placement, tracebraid_clocks,       tracebraid_relations};
  for (size_t i = 0; i < sizeof facts / sizeof *facts; ++i) {
    struct ArrowSchema schema;
    CHECK(facts[i](trace, &rows, NULL) == TRACEBRAID_OK);
    CHECK(rows.get_schema(&rows, &schema) == 0 && schema.n_children > 2);
    schema.release(&schema);
    for (;;) {
      CHECK(rows.get_next(&rows, &batch) == 0);
      if (batch.release == NULL) break;
      batch.release(&batch);
    }
    rows.release(&rows);
  }
}

static uint64_t streams_of(tracebraid_trace* trace) {
  uint64_t streams = 0;
  CHECK(tracebraid_memory_use(trace, NULL, &streams, NULL, NULL) == TRACEBRAID_OK);
  return streams;
}

/* The bytes are those of this trace, whatever other traces of its engine take. */
static void test_memory_use(tracebraid_trace* trace, const char* path) {
  const char* text = "SELECT ts, name || id AS text FROM slice ORDER BY 2";
  const char* make = "CREATE PERFETTO TABLE many AS SELECT s.id, t.ts FROM slice s, slice t";
  uint64_t tables = 0, streams = 1, mapped = 1, of_second = 0;
  CHECK(tracebraid_memory_use(trace, &tables, &streams, &mapped, NULL) == TRACEBRAID_OK);
  CHECK(tables > 10000 && streams == 0 && mapped == 0);
  CHECK(tracebraid_memory_use(NULL, &tables, &streams, &mapped, NULL) == TRACEBRAID_USAGE);
  CHECK(tracebraid_memory_use(trace, NULL, NULL, NULL, NULL) == TRACEBRAID_OK);
  tracebraid_trace* second = open_file(path);
  CHECK(tracebraid_memory_use(second, &of_second, NULL, NULL, NULL) == TRACEBRAID_OK);
  CHECK(of_second == tables);

  struct ArrowArrayStream rows;
  struct ArrowArray batch, child;
  CHECK(query(second, text, &rows, NULL) == TRACEBRAID_OK);
  CHECK(rows.get_next(&rows, &batch) == 0 && batch.length > 100);
  const uint64_t held = streams_of(second);
  CHECK(held >= (uint64_t)batch.length * 12); /* 8 bytes of ts, 4 of the dictionary */
  CHECK(streams_of(trace) == 0);
  rows.release(&rows);
  CHECK(streams_of(second) == held);
  child = *batch.children[0]; /* moved out */
  batch.children[0]->release = NULL;
  batch.release(&batch);
  CHECK(streams_of(second) == (uint64_t)child.length * 8);
  child.release(&child);
  CHECK(streams_of(second) == 0);

  tracebraid_connection* connection = NULL;
  CHECK(tracebraid_connection_open(second, &connection, NULL) == TRACEBRAID_OK);
  CHECK(tracebraid_connection_run(connection, make, strlen(make), NULL, NULL) == TRACEBRAID_OK);
  CHECK(streams_of(second) > 10000);
  tracebraid_connection_free(connection);
  CHECK(streams_of(second) == 0);
  tracebraid_trace_release(second);
}

static void test_connections(tracebraid_trace* trace) {
  const char* make = "CREATE PERFETTO TABLE t AS SELECT 7 AS x; SELECT * FROM t";
  tracebraid_connection* connection = NULL;
  struct ArrowArrayStream rows;
  struct ArrowArray batch;
  CHECK(tracebraid_connection_open(trace, &connection, NULL) == TRACEBRAID_OK);
  CHECK(tracebraid_connection_run(connection, make, strlen(make), NULL, NULL) == TRACEBRAID_OK);
  CHECK(tracebraid_connection_query(connection, "SELECT x FROM t", 15, NULL, NULL, NULL, NULL,
                                    &rows, NULL) == TRACEBRAID_OK);
  tracebraid_connection_free(connection); /* the stream goes on */
  CHECK(rows.get_next(&rows, &batch) == 0 && batch.length == 1);
  batch.release(&batch);
  rows.release(&rows);
  CHECK(query(trace, "SELECT x FROM t", &rows, NULL) == TRACEBRAID_SQL);
}

static void test_fork(tracebraid_trace* trace, const char* path) {
  struct ArrowArrayStream rows, others;
  CHECK(query(trace, "SELECT 1 AS x", &rows, NULL) == TRACEBRAID_OK);
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    tracebraid_error* error = NULL;
    CHECK(query(trace, "SELECT 1", &others, &error) == TRACEBRAID_USAGE);
    CHECK(strstr(tracebraid_error_message(error), "opened before fork"));
    tracebraid_error_free(error);
    rows.release(&rows);
    tracebraid_trace_release(trace);
    tracebraid_trace_release(open_file(path));
    _exit(0);
  }
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  rows.release(&rows);
  CHECK(query(trace, "SELECT 1 AS x", &others, NULL) == TRACEBRAID_OK);
  others.release(&others);
}

#ifdef DETECTS_FREED_HANDLES
static void check_freed(int code, tracebraid_error* error, const char* text) {
  CHECK(code == TRACEBRAID_USAGE && strcmp(tracebraid_error_message(error), text) == 0);
  tracebraid_error_free(error);
}

/* Debug builds detect freed handles, as long as their memory is not in use again. */
static void test_freed_handles(const char* path) {
  tracebraid_error* error = NULL;
  struct ArrowArrayStream rows;
  char* text = NULL;

  tracebraid_options* options = tracebraid_options_new();
  tracebraid_options_free(options);
  tracebraid_options_free(options);
  check_freed(tracebraid_options_add_path(options, path, &error), error, "options was freed");

  tracebraid_query_options* q = tracebraid_query_options_new();
  tracebraid_query_options_free(q);
  tracebraid_query_options_free(q);
  check_freed(tracebraid_query_options_set(q, "text", "utf8", &error), error, "options was freed");

  tracebraid_control* control = tracebraid_control_new();
  tracebraid_control_free(control);
  tracebraid_control_free(control);
  check_freed(tracebraid_control_deadline(control, 1, &error), error, "control was freed");

  tracebraid_trace* trace = open_file(path);
  tracebraid_clock* clock = NULL;
  tracebraid_connection* connection = NULL;
  int64_t ts = 0;
  CHECK(tracebraid_clock_find(trace, NULL, NULL, NULL, -1, &clock, NULL) == TRACEBRAID_OK);
  CHECK(tracebraid_connection_open(trace, &connection, NULL) == TRACEBRAID_OK);
  tracebraid_trace_release(trace);
  tracebraid_trace_release(trace);
  check_freed(tracebraid_report_json(trace, "check", &text, &error), error, "trace was freed");
  tracebraid_clock_free(clock);
  tracebraid_clock_free(clock);
  CHECK(*tracebraid_clock_label(clock) == '\0');
  check_freed(tracebraid_clock_convert(clock, clock, &ts, 1, &ts, NULL, NULL, &error), error,
              "from was freed");
  tracebraid_connection_free(connection);
  tracebraid_connection_free(connection);
  check_freed(
      tracebraid_connection_query(connection, "SELECT 1", 8, NULL, NULL, NULL, NULL, &rows, &error),
      error, "connection was freed");

  tracebraid_engine* engine = NULL;
  CHECK(tracebraid_engine_new(NULL, &engine, NULL) == TRACEBRAID_OK);
  options = tracebraid_options_new();
  tracebraid_engine_release(engine);
  tracebraid_engine_release(engine);
  check_freed(tracebraid_options_set_engine(options, engine, &error), error, "engine was freed");
  tracebraid_options_free(options);

  CHECK(tracebraid_open(NULL, NULL, NULL, &error) == TRACEBRAID_USAGE);
  tracebraid_error_free(error);
  tracebraid_error_free(error);
  CHECK(tracebraid_error_code(error) == TRACEBRAID_OK && tracebraid_error_file(error) == NULL);
  CHECK(*tracebraid_error_message(error) == '\0');
}
#endif

static void on_bus_error(int signal) { _exit(signal); }

/* A braid shrinks while it is mapped. */
static void test_guard(tracebraid_trace* trace) {
  struct sigaction mine, now;
  memset(&mine, 0, sizeof mine);
  mine.sa_handler = on_bus_error;
  sigaction(SIGBUS, &mine, NULL);
  CHECK(tracebraid_guard_mapped_files(1, NULL) == TRACEBRAID_OK);
  sigaction(SIGBUS, NULL, &now);
  CHECK(now.sa_handler != on_bus_error);

  char path[] = "/tmp/boundaryXXXXXX";
  const int file = mkstemp(path);
  CHECK(file >= 0);
  tracebraid_options* options = tracebraid_options_new();
  CHECK(tracebraid_options_set(options, "to", "braid", NULL) == TRACEBRAID_OK);
  CHECK(tracebraid_options_set(options, "output", path, NULL) == TRACEBRAID_OK);
  CHECK(tracebraid_options_set(options, "force", "true", NULL) == TRACEBRAID_OK);
  CHECK(tracebraid_export(trace, options, NULL, NULL) == TRACEBRAID_OK);
  tracebraid_options_free(options);
  tracebraid_trace* braid = open_file(path);
  uint64_t tables = 0, mapped = 0;
  struct stat size;
  CHECK(stat(path, &size) == 0);
  CHECK(tracebraid_memory_use(braid, &tables, NULL, &mapped, NULL) == TRACEBRAID_OK);
  CHECK(mapped == (uint64_t)size.st_size && tables < mapped);
  CHECK(truncate(path, 4096) == 0);
  struct ArrowArrayStream rows;
  struct ArrowArray batch = {0};
  tracebraid_error* error = NULL;
  int code = query(braid, "SELECT id, ts, dur, name, arg_set_id FROM slice", &rows, &error);
  if (code == TRACEBRAID_OK) {
    CHECK(rows.get_next(&rows, &batch) != 0);
    code = tracebraid_stream_error(&rows, &error);
    rows.release(&rows);
  }
  CHECK(error != NULL && tracebraid_error_code(error) == TRACEBRAID_IO);
  CHECK(strstr(tracebraid_error_message(error), "shrank"));
  tracebraid_error_free(error);
  tracebraid_trace_release(braid);
  unlink(path);
  close(file);

  CHECK(tracebraid_guard_mapped_files(0, NULL) == TRACEBRAID_OK);
  sigaction(SIGBUS, NULL, &now);
  CHECK(now.sa_handler == on_bus_error);
}

int main(int argc, char** argv) {
  CHECK(argc == 2 && tracebraid_abi_version() == TRACEBRAID_ABI_VERSION);
  tracebraid_trace* trace = open_file(argv[1]);
  CHECK(tracebraid_trace_retain(trace) == trace);
  tracebraid_trace_release(trace);
  test_nulls(trace);
  test_errors(trace);
  test_buffers();
  test_parameters(trace);
  test_controls(trace);
  test_tables(trace);
  test_memory_use(trace, argv[1]);
  test_connections(trace);
  test_fork(trace, argv[1]);
  test_guard(trace);
#ifdef DETECTS_FREED_HANDLES
  test_freed_handles(argv[1]);
#endif
  tracebraid_trace_release(trace);
  printf("fine\n");
  return 0;
}
