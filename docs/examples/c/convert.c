/* Converts a time of the wall clock of a machine: convert MACHINE NS FILE... */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <tracebraid/tracebraid.h>

static int fail(tracebraid_error* error) {
  fprintf(stderr, "%s\n", tracebraid_error_message(error));
  tracebraid_error_free(error);
  return 1;
}

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  tracebraid_error* error = NULL;
  tracebraid_options* options = tracebraid_options_new();
  for (int i = 3; i < argc; ++i)
    if (tracebraid_options_add_path(options, argv[i], &error)) return fail(error);
  tracebraid_trace* trace = NULL;
  tracebraid_clock *wall = NULL, *timeline = NULL;
  if (tracebraid_open(options, NULL, &trace, &error)) return fail(error);
  if (tracebraid_clock_find(trace, "REALTIME", argv[1], NULL, -1, &wall, &error))
    return fail(error);
  if (tracebraid_clock_find(trace, NULL, NULL, NULL, -1, &timeline, &error)) return fail(error);
  int64_t ns = strtoll(argv[2], NULL, 10), converted = 0, bound = 0;
  uint8_t valid = 0;
  if (tracebraid_clock_convert(wall, timeline, &ns, 1, &converted, &bound, &valid, &error))
    return fail(error);
  if (valid)
    printf("%s: %" PRId64 " ns, off by at most %" PRId64 " ns\n", tracebraid_clock_label(timeline),
           converted, bound);
  else
    printf("nothing relates the clocks at this time\n");
  tracebraid_clock_free(wall);
  tracebraid_clock_free(timeline);
  tracebraid_trace_release(trace);
  tracebraid_options_free(options);
  return 0;
}
