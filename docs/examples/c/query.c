/* Prints a table of a trace: query FILE... counts the slices of each thread. */
#include <stdio.h>
#include <string.h>
#include <tracebraid/tracebraid.h>

static int fail(tracebraid_error* error) {
  fprintf(stderr, "%s\n", tracebraid_error_message(error));
  tracebraid_error_free(error);
  return 1;
}

static int64_t int_at(const struct ArrowArray* column, int64_t row) {
  return ((const int64_t*)column->buffers[1])[column->offset + row];
}

/* Texts are codes of a dictionary. */
static void print_text(const struct ArrowArray* column, int64_t row) {
  const int32_t code = ((const int32_t*)column->buffers[1])[column->offset + row];
  const int32_t* ends = column->dictionary->buffers[1];
  printf("%.*s", (int)(ends[code + 1] - ends[code]),
         (const char*)column->dictionary->buffers[2] + ends[code]);
}

int main(int argc, char** argv) {
  const char* sql =
      "SELECT count(*) AS n, thread.name AS name FROM slice JOIN thread_track ON track_id = "
      "thread_track.id JOIN thread USING (utid) WHERE thread.name IS NOT NULL "
      "GROUP BY utid ORDER BY n DESC, name";
  tracebraid_error* error = NULL;
  tracebraid_options* options = tracebraid_options_new();
  for (int i = 1; i < argc; ++i)
    if (tracebraid_options_add_path(options, argv[i], &error)) return fail(error);
  tracebraid_trace* trace = NULL;
  if (tracebraid_open(options, NULL, &trace, &error)) return fail(error);
  tracebraid_options_free(options);
  struct ArrowArrayStream rows;
  if (tracebraid_query(trace, sql, strlen(sql), NULL, NULL, NULL, NULL, &rows, &error))
    return fail(error);
  tracebraid_trace_release(trace); /* the stream holds it */
  for (;;) {
    struct ArrowArray batch;
    if (rows.get_next(&rows, &batch) != 0) {
      fprintf(stderr, "%s\n", rows.get_last_error(&rows));
      return 1;
    }
    if (batch.release == NULL) break;
    for (int64_t row = 0; row < batch.length; ++row) {
      printf("%6lld  ", (long long)int_at(batch.children[0], row));
      print_text(batch.children[1], row);
      printf("\n");
    }
    batch.release(&batch);
  }
  rows.release(&rows);
  return 0;
}
