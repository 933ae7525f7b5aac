/* Ctrl-C ends a long statement: cancel FILE... */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <tracebraid/tracebraid.h>

static tracebraid_control* control;

static void stop(int signal) {
  (void)signal;
  tracebraid_control_cancel(control); /* safe in a signal handler */
}

int main(int argc, char** argv) {
  const char* sql =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) AS s FROM n";
  tracebraid_error* error = NULL;
  tracebraid_options* options = tracebraid_options_new();
  tracebraid_trace* trace = NULL;
  int code = 0;
  control = tracebraid_control_new();
  for (int i = 1; i < argc && !code; ++i)
    code = tracebraid_options_add_path(options, argv[i], &error);
  if (!code) code = tracebraid_open(options, control, &trace, &error);
  signal(SIGINT, stop);
  printf("running; press Ctrl-C\n");
  fflush(stdout);
  struct ArrowArrayStream rows;
  memset(&rows, 0, sizeof rows);
  if (!code)
    code = tracebraid_query(trace, sql, strlen(sql), NULL, NULL, NULL, control, &rows, &error);
  if (!code) {
    struct ArrowArray batch;
    if (rows.get_next(&rows, &batch) != 0) tracebraid_stream_error(&rows, &error);
    code = tracebraid_error_code(error);
  }
  printf("%s\n", code == TRACEBRAID_CANCELLED ? "cancelled" : tracebraid_error_message(error));
  tracebraid_error_free(error);
  if (rows.release != NULL) rows.release(&rows);
  tracebraid_trace_release(trace);
  tracebraid_control_free(control);
  tracebraid_options_free(options);
  return code == TRACEBRAID_CANCELLED ? 0 : 1;
}
