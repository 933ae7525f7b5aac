/* tracebraid._core: the C interface of tracebraid for Python, in the limited API of CPython 3.11.
 * Handles are capsules; errors are raised by a function that tracebraid._errors sets. Only the
 * package calls this module. */
#ifndef TRACEBRAID_CORE_H
#define TRACEBRAID_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "tracebraid.h"

#define CORE_TRACE "tracebraid.trace"
#define CORE_CONTROL "tracebraid.control"
#define CORE_CONNECTION "tracebraid.connection"
#define CORE_CLOCK "tracebraid.clock"
#define CORE_STATE "tracebraid.stream"
#define CORE_STREAM "arrow_array_stream"
#define CORE_SCHEMA "arrow_schema"
#define CORE_ARRAY "arrow_array"

/* job.c: runs work that may take long. */

/* Runs work(context) without the GIL, and returns what it returns. On the main thread, it runs on
 * another thread, while this one handles signals each 50 ms: an exception of a handler cancels
 * `control`, which may be NULL. With `progress`, a callable (stage, unit, done, total) or NULL, the
 * calling thread reports the values of `shown`. Sets *raised if an exception is set. Requires: the
 * GIL. */
struct core_progress;
int core_run(int (*work)(void *context), void *context, tracebraid_control *control,
             PyObject *progress, int *raised);
/* The same for a caller that may not hold the GIL, as consumers of streams. Keeps an exception in
 * *exception. */
int core_run_unlocked(int (*work)(void *context), void *context, tracebraid_control *control,
                      PyObject **exception);

/* errors.c */

/* Raises the error, which it frees, as an exception of tracebraid. Returns NULL. */
PyObject *core_raise(int code, tracebraid_error *error);
PyObject *core_set_error_factory(PyObject *module, PyObject *factory);
/* Takes a text of the library as str. */
PyObject *core_text(char *text);

/* options.c */

/* Returns options with the inputs, a list of str or (str, buffer), the pairs of `keys`, and a
 * manifest, str or None. NULL: an exception is set. */
tracebraid_options *core_options(PyObject *inputs, PyObject *keys, PyObject *manifest);
/* Returns options of queries of a list of pairs. */
tracebraid_query_options *core_query_options(PyObject *keys);
/* Parameters of a statement as an Arrow array of one row. */
struct core_params {
  struct ArrowArray array;
  struct ArrowSchema schema;
  int is_given;
  void *memory;
};
/* Converts a list of (name or None, value). Returns -1 with an exception. */
int core_params_of(PyObject *list, struct core_params *out);
void core_params_free(struct core_params *params);

/* query.c: a capsule that owns a copy of the stream. Releases it, and returns NULL, on failure. */
PyObject *core_stream_capsule(const struct ArrowArrayStream *stream);

/* rows.c: streams of batches that a callable makes. */

/* Fills *out with the stream. Returns -1 with an exception. Requires: the GIL. */
int core_rows_stream(PyObject *fields, PyObject *next, struct ArrowArrayStream *out);
/* Whether core_rows_stream() made the stream. */
int core_is_rows(const struct ArrowArrayStream *stream);
/* Takes the exception that ended the stream, or NULL. */
PyObject *core_rows_failure(struct ArrowArrayStream *stream);

/* Tables of methods of the files. */
extern PyMethodDef core_trace_methods[], core_query_methods[], core_batch_methods[],
    core_cast_methods[], core_digest_methods[];
extern PyType_Spec core_buffer_spec;
extern PyObject *core_buffer_type;

#endif
