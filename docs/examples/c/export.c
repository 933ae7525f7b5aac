/* Writes a trace as another kind of file: export KIND OUTPUT FILE... Shows the progress. */
#include <inttypes.h>
#include <stdio.h>
#include <tracebraid/tracebraid.h>

static int show(void* context, const char* stage, const char* unit, uint64_t done, uint64_t total) {
  (void)context;
  fprintf(stderr, "%s: %" PRIu64 " of %" PRIu64 " %s\n", stage, done, total, unit);
  return 0; /* anything else cancels */
}

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  tracebraid_error* error = NULL;
  tracebraid_options* options = tracebraid_options_new();
  tracebraid_control* control = tracebraid_control_new();
  tracebraid_trace* trace = NULL;
  int code = tracebraid_control_on_progress(control, show, NULL, 500, &error);
  if (!code) code = tracebraid_options_set(options, "to", argv[1], &error);
  if (!code) code = tracebraid_options_set(options, "output", argv[2], &error);
  for (int i = 3; i < argc && !code; ++i)
    code = tracebraid_options_add_path(options, argv[i], &error);
  if (!code) code = tracebraid_open(options, control, &trace, &error);
  if (!code) code = tracebraid_export(trace, options, control, &error);
  if (code) fprintf(stderr, "%s\n", tracebraid_error_message(error));
  tracebraid_error_free(error);
  tracebraid_trace_release(trace);
  tracebraid_control_free(control);
  tracebraid_options_free(options);
  return code;
}
