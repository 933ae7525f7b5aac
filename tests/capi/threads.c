/* The rules of tracebraid.h for threads: eight threads use one trace, one engine and one clock at
 * once, and one thread cancels what another runs. The thread sanitizer watches this program. Each
 * thread must read what one thread alone read. Prints "fine".
 *
 *   threads TRACE ... */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracebraid/tracebraid.h>

#include "check.h"

enum { THREADS = 8, TURNS = 12 };

/* Statements over different tables, through SQLite and column by column. */
static const char* const statements[] = {
    "SELECT id, ts, dur, name FROM slice",
    "SELECT name, count(*), sum(dur) FROM slice GROUP BY name ORDER BY name",
    "SELECT s.ts, utid FROM slice AS s JOIN thread_track AS t ON t.id = s.track_id",
    "SELECT * FROM sched",
    "SELECT key, display_value FROM args ORDER BY 1, 2",
    "CREATE PERFETTO TABLE mine AS SELECT id FROM slice; SELECT count(*) FROM mine",
    "INCLUDE PERFETTO MODULE slices.with_context; SELECT * FROM thread_slice",
    "SELECT ts, name FROM slice WHERE dur > 1000 ORDER BY ts DESC LIMIT 50"};
enum { STATEMENTS = sizeof statements / sizeof *statements };

static struct {
  tracebraid_trace* trace;
  tracebraid_engine* engine;
  tracebraid_clock *wall, *timeline;
  char** paths;
  int count;
} shared;

static tracebraid_options* options_of(char** paths, int count) {
  tracebraid_options* options = tracebraid_options_new();
  CHECK(options != NULL);
  for (int i = 0; i < count; ++i)
    CHECK(tracebraid_options_add_path(options, paths[i], NULL) == TRACEBRAID_OK);
  return options;
}

/* Rows of the stream, and the bytes of its columns of fixed width, mixed. */
static uint64_t digest_of(struct ArrowArrayStream* rows) {
  uint64_t digest = 14695981039346656037U;
  struct ArrowSchema schema;
  CHECK(rows->get_schema(rows, &schema) == 0);
  for (;;) {
    struct ArrowArray batch;
    CHECK(rows->get_next(rows, &batch) == 0);
    if (batch.release == NULL) break;
    for (int64_t i = 0; i < batch.n_children; ++i) {
      const struct ArrowArray* column = batch.children[i];
      const int64_t* values = column->buffers[1];
      digest = (digest ^ (uint64_t)batch.length) * 1099511628211U;
      if (strcmp(schema.children[i]->format, "l") != 0) continue;
      for (int64_t row = 0; row < batch.length; ++row)
        digest = (digest ^ (uint64_t)values[column->offset + row]) * 1099511628211U;
    }
    batch.release(&batch);
  }
  schema.release(&schema);
  rows->release(rows);
  return digest;
}

static uint64_t run(tracebraid_trace* trace, const char* sql) {
  struct ArrowArrayStream rows;
  tracebraid_error* error = NULL;
  if (tracebraid_query(trace, sql, strlen(sql), NULL, NULL, NULL, NULL, &rows, &error)) {
    fprintf(stderr, "%s: %s\n", sql, tracebraid_error_message(error));
    exit(1);
  }
  return digest_of(&rows);
}

/* Everything that any number of threads may call, for this trace. */
static uint64_t read_all(tracebraid_trace* trace, int turn) {
  int (*const facts[])(tracebraid_trace*, struct ArrowArrayStream*, tracebraid_error**) = {
      tracebraid_schema,    tracebraid_files,        tracebraid_machines,
      tracebraid_problems,  tracebraid_not_imported, tracebraid_stats,
      tracebraid_placement, tracebraid_clocks,       tracebraid_relations};
  struct ArrowArrayStream rows;
  struct ArrowSchema schema;
  uint64_t digest = 0;
  char* text = NULL;
  CHECK(tracebraid_trace_retain(trace) == trace);
  CHECK(facts[(size_t)turn % (sizeof facts / sizeof *facts)](trace, &rows, NULL) == TRACEBRAID_OK);
  digest ^= digest_of(&rows);
  CHECK(tracebraid_table(trace, "slice", NULL, 0, 0, -1, NULL, &rows, NULL) == TRACEBRAID_OK);
  digest ^= digest_of(&rows);
  CHECK(tracebraid_describe(trace, statements[0], strlen(statements[0]), NULL, &schema, NULL) ==
        TRACEBRAID_OK);
  digest += (uint64_t)schema.n_children;
  schema.release(&schema);
  CHECK(tracebraid_report_json(trace, turn % 2 ? "check" : "info", &text, NULL) == TRACEBRAID_OK);
  digest += strlen(text);
  tracebraid_string_free(text);
  CHECK(tracebraid_clock_graph(trace, "svg", &text, NULL) == TRACEBRAID_OK);
  digest += strlen(text);
  tracebraid_string_free(text);
  CHECK(tracebraid_memory_use(trace, NULL, NULL, NULL, NULL) == TRACEBRAID_OK);
  tracebraid_trace_release(trace);
  return digest + run(trace, statements[turn % STATEMENTS]);
}

/* Finds the same clock anew, and converts by the one of all threads. */
static uint64_t convert(void) {
  int64_t ts[100], out[100], bound[100];
  uint8_t valid[13];
  uint64_t digest = 0;
  tracebraid_clock* found = NULL;
  for (int i = 0; i < 100; ++i) ts[i] = i * INT64_C(1000000);
  CHECK(tracebraid_clock_find(shared.trace, NULL, NULL, NULL, -1, &found, NULL) == TRACEBRAID_OK);
  CHECK(strcmp(tracebraid_clock_label(found), tracebraid_clock_label(shared.timeline)) == 0);
  CHECK(tracebraid_clock_convert(found, shared.wall, ts, 100, out, bound, valid, NULL) ==
        TRACEBRAID_OK);
  CHECK(tracebraid_clock_convert(shared.wall, shared.timeline, out, 100, out, bound, valid, NULL) ==
        TRACEBRAID_OK);
  tracebraid_clock_free(found);
  for (int i = 0; i < 100; ++i) digest = digest * 31 + (uint64_t)out[i];
  return digest;
}

/* Another trace of the engine of all threads. */
static uint64_t open_anew(void) {
  tracebraid_options* options = options_of(shared.paths, 1);
  tracebraid_trace* trace = NULL;
  CHECK(tracebraid_options_set_engine(options, shared.engine, NULL) == TRACEBRAID_OK);
  CHECK(tracebraid_open(options, NULL, &trace, NULL) == TRACEBRAID_OK);
  tracebraid_options_free(options);
  const uint64_t digest = run(trace, statements[0]);
  tracebraid_trace_release(trace);
  return digest;
}

static uint64_t expected[TURNS], converted, of_first;

static void* work(void* context) {
  const int first = *(const int*)context;
  for (int turn = 0; turn < TURNS; ++turn) {
    const int mine = (turn + first) % TURNS; /* so that threads do different things at once */
    CHECK(read_all(shared.trace, mine) == expected[mine]);
    CHECK(convert() == converted);
    if (mine % 4 == 0) CHECK(open_anew() == of_first);
  }
  return NULL;
}

/* ---- A statement without an end, a moved stream, an opening: each cancelled by another thread
 * ---- */

struct endless {
  tracebraid_control* control;
  struct ArrowArrayStream rows;
  atomic_int has_begun;
};

static void* read_endless(void* context) {
  struct endless* it = context;
  struct ArrowArray batch;
  tracebraid_error* error = NULL;
  atomic_store(&it->has_begun, 1);
  CHECK(it->rows.get_next(&it->rows, &batch) != 0);
  CHECK(tracebraid_stream_error(&it->rows, &error) == TRACEBRAID_OK);
  CHECK(tracebraid_error_code(error) == TRACEBRAID_CANCELLED);
  tracebraid_error_free(error);
  it->rows.release(&it->rows);
  return NULL;
}

static void test_cancel(void) {
  const char* sql =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) AS s FROM n";
  struct endless runs[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    runs[i].control = tracebraid_control_new();
    atomic_init(&runs[i].has_begun, 0);
    CHECK(tracebraid_query(shared.trace, sql, strlen(sql), NULL, NULL, NULL, runs[i].control,
                           &runs[i].rows, NULL) == TRACEBRAID_OK);
    CHECK(pthread_create(&threads[i], NULL, read_endless, &runs[i]) == 0);
  }
  for (int i = THREADS - 1; i >= 0; --i) {
    while (!atomic_load(&runs[i].has_begun)) run(shared.trace, "SELECT 1");
    tracebraid_control_cancel(runs[i].control);
    CHECK(pthread_join(threads[i], NULL) == 0);
    tracebraid_control_free(runs[i].control);
  }
}

/* Calls of a progress function do not overlap, and none comes after the run. */
static int on_progress(void* context, const char* stage, const char* unit, uint64_t done,
                       uint64_t total) {
  int* calls = context; /* not atomic: the library orders the calls */
  ++*calls;
  (void)stage, (void)unit, (void)done, (void)total;
  return 0;
}

static void* cancel(void* context) {
  tracebraid_control_cancel(context);
  return NULL;
}

static void test_open_with_control(int cancels) {
  tracebraid_options* options = options_of(shared.paths, shared.count);
  tracebraid_control* control = tracebraid_control_new();
  tracebraid_trace* trace = NULL;
  pthread_t canceller;
  int calls = 0;
  CHECK(tracebraid_control_on_progress(control, on_progress, &calls, 1, NULL) == TRACEBRAID_OK);
  if (cancels) CHECK(pthread_create(&canceller, NULL, cancel, control) == 0);
  const int code = tracebraid_open(options, control, &trace, NULL);
  CHECK(code == TRACEBRAID_OK || (cancels && code == TRACEBRAID_CANCELLED));
  calls = 0;
  if (cancels) CHECK(pthread_join(canceller, NULL) == 0);
  tracebraid_trace_release(trace);
  tracebraid_control_free(control);
  tracebraid_options_free(options);
  CHECK(calls == 0);
}

int main(int argc, char** argv) {
  CHECK(argc > 2);
  shared.paths = argv + 1;
  shared.count = argc - 1;
  tracebraid_options* options = options_of(shared.paths, shared.count);
  CHECK(tracebraid_engine_new(NULL, &shared.engine, NULL) == TRACEBRAID_OK);
  CHECK(tracebraid_options_set_engine(options, shared.engine, NULL) == TRACEBRAID_OK);
  CHECK(tracebraid_open(options, NULL, &shared.trace, NULL) == TRACEBRAID_OK);
  tracebraid_options_free(options);
  CHECK(tracebraid_clock_find(shared.trace, "REALTIME", "phone", NULL, -1, &shared.wall, NULL) ==
        TRACEBRAID_OK);
  CHECK(tracebraid_clock_find(shared.trace, NULL, NULL, NULL, -1, &shared.timeline, NULL) ==
        TRACEBRAID_OK);
  for (int turn = 0; turn < TURNS; ++turn) expected[turn] = read_all(shared.trace, turn);
  converted = convert();
  of_first = open_anew();

  pthread_t threads[THREADS];
  int first[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    first[i] = i;
    CHECK(pthread_create(&threads[i], NULL, work, &first[i]) == 0);
  }
  for (int i = 0; i < THREADS; ++i) CHECK(pthread_join(threads[i], NULL) == 0);
  test_cancel();
  for (int turn = 0; turn < 10; ++turn) test_open_with_control(turn % 2);

  tracebraid_clock_free(shared.wall);
  tracebraid_clock_free(shared.timeline);
  tracebraid_trace_release(shared.trace);
  tracebraid_engine_release(shared.engine);
  printf("fine\n");
  return 0;
}
