/* Queries, connections and their streams. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

/* A stream of the library, its control, and how it failed. Owned by the capsule of the state and by
 * the stream that a consumer gets, which may release it on any thread. */
struct state {
  atomic_int references;
  struct ArrowArrayStream inner;
  PyObject *control; /* a capsule */
  PyObject *exception;
  int code;
  tracebraid_error *error;
};

static void release_state(struct state *state) {
  if (atomic_fetch_sub(&state->references, 1) != 1) return;
  if (state->inner.release != NULL) state->inner.release(&state->inner);
  tracebraid_error_free(state->error);
  if (Py_IsInitialized()) {
    const PyGILState_STATE gil = PyGILState_Ensure();
    Py_XDECREF(state->control);
    Py_XDECREF(state->exception);
    PyGILState_Release(gil);
  }
  free(state);
}

static void free_state(PyObject *capsule) {
  release_state(PyCapsule_GetPointer(capsule, CORE_STATE));
}

static tracebraid_control *control_of(const struct state *state) {
  return PyCapsule_GetPointer(state->control, CORE_CONTROL);
}

struct pull {
  struct state *state;
  struct ArrowSchema *schema;
  struct ArrowArray *array;
};

static int do_pull(void *of) {
  struct pull *pull = of;
  struct ArrowArrayStream *inner = &pull->state->inner;
  const int failed = pull->schema != NULL ? inner->get_schema(inner, pull->schema)
                                          : inner->get_next(inner, pull->array);
  if (failed != 0 && core_is_rows(inner)) {
    if (pull->state->exception == NULL) pull->state->exception = core_rows_failure(inner);
  } else if (failed != 0 && pull->state->error == NULL) {
    tracebraid_stream_error(inner, &pull->state->error);
    pull->state->code = tracebraid_error_code(pull->state->error);
  }
  return failed;
}

/* ---- The stream of a consumer ---- */

static int pull_unlocked(struct state *state, struct ArrowSchema *schema,
                         struct ArrowArray *array) {
  struct pull pull = {state, schema, array};
  tracebraid_control *control = NULL;
  if (core_is_rows(&state->inner)) return do_pull(&pull);
  /* A capsule's pointer never changes, so it is read without the GIL. */
  if (state->control != NULL) control = control_of(state);
  const int failed = core_run_unlocked(do_pull, &pull, control, &state->exception);
  if (failed == 0 && state->exception != NULL) { /* it came too late to end the work */
    if (array != NULL && array->release != NULL) array->release(array);
    if (schema != NULL && schema->release != NULL) schema->release(schema);
    return ECANCELED;
  }
  return failed;
}
static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  return pull_unlocked(stream->private_data, out, NULL);
}
static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  return pull_unlocked(stream->private_data, NULL, out);
}
static const char *get_last_error(struct ArrowArrayStream *stream) {
  struct state *state = stream->private_data;
  if (core_is_rows(&state->inner)) return state->inner.get_last_error(&state->inner);
  return state->exception != NULL ? "interrupted" : state->inner.get_last_error(&state->inner);
}
static void release_stream(struct ArrowArrayStream *stream) {
  stream->release = NULL;
  release_state(stream->private_data);
}

static void free_stream(PyObject *capsule) {
  struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, CORE_STREAM);
  if (stream->release != NULL) stream->release(stream);
  free(stream);
}

PyObject *core_stream_capsule(const struct ArrowArrayStream *stream) {
  struct ArrowArrayStream *copy = malloc(sizeof *copy);
  if (copy == NULL) {
    struct ArrowArrayStream lost = *stream;
    lost.release(&lost);
    return PyErr_NoMemory();
  }
  *copy = *stream;
  return PyCapsule_New(copy, CORE_STREAM, free_stream);
}

/* Returns (stream, state) for the stream, which it takes. */
static PyObject *stream_pair(struct ArrowArrayStream *inner, PyObject *control) {
  struct state *state = calloc(1, sizeof *state);
  struct ArrowArrayStream *stream = calloc(1, sizeof *stream);
  if (state == NULL || stream == NULL) {
    free(state);
    free(stream);
    inner->release(inner);
    return PyErr_NoMemory();
  }
  state->references = 2;
  state->inner = *inner;
  if (control != Py_None) state->control = Py_NewRef(control);
  *stream = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, state};
  return Py_BuildValue("NN", PyCapsule_New(stream, CORE_STREAM, free_stream),
                       PyCapsule_New(state, CORE_STATE, free_state));
}

/* ---- Beginning of queries ---- */

struct begin {
  tracebraid_trace *trace;
  tracebraid_connection *connection;
  const char *sql;
  Py_ssize_t size;
  struct core_params params;
  tracebraid_query_options *options;
  tracebraid_control *control;
  struct ArrowArrayStream stream;
  tracebraid_error *error;
};

static int do_begin(void *of) {
  struct begin *b = of;
  const struct ArrowArray *array = b->params.is_given ? &b->params.array : NULL;
  const struct ArrowSchema *schema = b->params.is_given ? &b->params.schema : NULL;
  if (b->trace != NULL)
    return tracebraid_query(b->trace, b->sql, (size_t)b->size, array, schema, b->options,
                            b->control, &b->stream, &b->error);
  return tracebraid_connection_query(b->connection, b->sql, (size_t)b->size, array, schema,
                                     b->options, b->control, &b->stream, &b->error);
}

/* query(trace or connection, sql, params, keys, control): (stream, state) */
static PyObject *query(PyObject *self, PyObject *args) {
  PyObject *of = NULL, *params = NULL, *keys = NULL, *control = NULL;
  struct begin begin = {0};
  int raised = 0;
  (void)self;
  if (!PyArg_ParseTuple(args, "Os#OOO", &of, &begin.sql, &begin.size, &params, &keys, &control))
    return NULL;
  if (PyCapsule_IsValid(of, CORE_TRACE))
    begin.trace = PyCapsule_GetPointer(of, CORE_TRACE);
  else if ((begin.connection = PyCapsule_GetPointer(of, CORE_CONNECTION)) == NULL)
    return NULL;
  begin.control = PyCapsule_GetPointer(control, CORE_CONTROL);
  if (begin.control == NULL || core_params_of(params, &begin.params) != 0) return NULL;
  begin.options = core_query_options(keys);
  const int code =
      begin.options == NULL ? -1 : core_run(do_begin, &begin, begin.control, NULL, &raised);
  tracebraid_query_options_free(begin.options);
  core_params_free(&begin.params);
  if (code == 0 && !raised) return stream_pair(&begin.stream, control);
  if (begin.stream.release != NULL) begin.stream.release(&begin.stream);
  if (!raised && code > 0) return core_raise(code, begin.error);
  tracebraid_error_free(begin.error);
  return NULL;
}

/* table(trace, name, columns, keys): (stream, state) */
static PyObject *table(PyObject *self, PyObject *args) {
  PyObject *of = NULL, *columns = NULL, *keys = NULL;
  const char *name = NULL, *names[1000];
  (void)self;
  if (!PyArg_ParseTuple(args, "OsOO", &of, &name, &columns, &keys)) return NULL;
  tracebraid_trace *trace = PyCapsule_GetPointer(of, CORE_TRACE);
  if (trace == NULL) return NULL;
  const Py_ssize_t count = PyList_Size(columns);
  if (count < 0 || count > 1000) return PyErr_Format(PyExc_ValueError, "at most 1000 columns");
  for (Py_ssize_t i = 0; i < count; ++i)
    if ((names[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(columns, i), NULL)) == NULL) return NULL;
  tracebraid_query_options *options = core_query_options(keys);
  if (options == NULL) return NULL;
  struct ArrowArrayStream stream = {0};
  tracebraid_error *error = NULL;
  int code = 0;
  Py_BEGIN_ALLOW_THREADS code =
      tracebraid_table(trace, name, names, (size_t)count, 0, -1, options, &stream, &error);
  Py_END_ALLOW_THREADS tracebraid_query_options_free(options);
  return code == 0 ? stream_pair(&stream, Py_None) : core_raise(code, error);
}

/* facts(trace, which): (stream, state) */
static PyObject *facts(PyObject *self, PyObject *args) {
  static const struct {
    const char *name;
    int (*get)(tracebraid_trace *, struct ArrowArrayStream *, tracebraid_error **);
  } kinds[] = {{"schema", tracebraid_schema},
               {"files", tracebraid_files},
               {"machines", tracebraid_machines},
               {"problems", tracebraid_problems},
               {"not_imported", tracebraid_not_imported},
               {"stats", tracebraid_stats},
               {"placement", tracebraid_placement},
               {"clocks", tracebraid_clocks},
               {"relations", tracebraid_relations}};
  PyObject *of = NULL;
  const char *which = NULL;
  (void)self;
  if (!PyArg_ParseTuple(args, "Os", &of, &which)) return NULL;
  tracebraid_trace *trace = PyCapsule_GetPointer(of, CORE_TRACE);
  if (trace == NULL) return NULL;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    if (strcmp(kinds[i].name, which) != 0) continue;
    struct ArrowArrayStream stream = {0};
    tracebraid_error *error = NULL;
    int code = 0;
    Py_BEGIN_ALLOW_THREADS code = kinds[i].get(trace, &stream, &error);
    Py_END_ALLOW_THREADS return code == 0 ? stream_pair(&stream, Py_None) : core_raise(code, error);
  }
  return PyErr_Format(PyExc_ValueError, "there are no facts '%s'", which);
}

/* ---- Pulling rows ---- */

static void free_schema(PyObject *capsule) {
  struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, CORE_SCHEMA);
  if (schema->release != NULL) schema->release(schema);
  free(schema);
}
static void free_array(PyObject *capsule) {
  struct ArrowArray *array = PyCapsule_GetPointer(capsule, CORE_ARRAY);
  if (array->release != NULL) array->release(array);
  free(array);
}

/* Raises how the stream failed. */
static PyObject *raise_failure(struct state *state) {
  if (state->exception != NULL) {
    PyErr_SetObject((PyObject *)Py_TYPE(state->exception), state->exception);
    Py_DECREF(state->exception);
    state->exception = NULL;
    return NULL;
  }
  tracebraid_error *error = state->error;
  state->error = NULL;
  return core_raise(state->code, error);
}

/* Runs work of a stream. Batches that a callable makes are pulled on this thread, where Python
 * handles signals. */
static int run_here_or_on_a_thread(int (*work)(void *), void *context, struct state *state,
                                   int *raised) {
  if (core_is_rows(&state->inner)) return work(context);
  return core_run(work, context, state->control == NULL ? NULL : control_of(state), NULL, raised);
}

static int pull_locked(struct state *state, struct ArrowSchema *schema, struct ArrowArray *array) {
  struct pull pull = {state, schema, array};
  int raised = 0;
  const int failed = run_here_or_on_a_thread(do_pull, &pull, state, &raised);
  if (failed != 0 && !raised) raise_failure(state);
  return failed != 0 || raised ? -1 : 0;
}

static PyObject *stream_schema(PyObject *self, PyObject *capsule) {
  (void)self;
  struct state *state = PyCapsule_GetPointer(capsule, CORE_STATE);
  if (state == NULL) return NULL;
  struct ArrowSchema *schema = calloc(1, sizeof *schema);
  if (schema == NULL) return PyErr_NoMemory();
  if (pull_locked(state, schema, NULL) == 0) return PyCapsule_New(schema, CORE_SCHEMA, free_schema);
  if (schema->release != NULL) schema->release(schema);
  free(schema);
  return NULL;
}

static PyObject *stream_next(PyObject *self, PyObject *capsule) {
  (void)self;
  struct state *state = PyCapsule_GetPointer(capsule, CORE_STATE);
  if (state == NULL) return NULL;
  struct ArrowArray *array = calloc(1, sizeof *array);
  if (array == NULL) return PyErr_NoMemory();
  const int failed = pull_locked(state, NULL, array);
  if (!failed && array->release != NULL) return PyCapsule_New(array, CORE_ARRAY, free_array);
  if (array->release != NULL) array->release(array);
  free(array);
  if (failed) return NULL;
  Py_RETURN_NONE;
}

/* Raises how the stream failed for a consumer, if it did. */
static PyObject *stream_failure(PyObject *self, PyObject *capsule) {
  (void)self;
  struct state *state = PyCapsule_GetPointer(capsule, CORE_STATE);
  if (state == NULL) return NULL;
  if (state->exception == NULL && state->error == NULL) Py_RETURN_NONE;
  return raise_failure(state);
}

/* stream_warnings(state): what was changed so that rows fit, one line each */
static PyObject *stream_warnings(PyObject *self, PyObject *capsule) {
  (void)self;
  struct state *state = PyCapsule_GetPointer(capsule, CORE_STATE);
  if (state == NULL) return NULL;
  if (core_is_rows(&state->inner)) return PyUnicode_FromString("");
  char *texts = NULL;
  tracebraid_error *error = NULL;
  const int code = tracebraid_stream_warnings(&state->inner, &texts, &error);
  return code == 0 ? core_text(texts) : core_raise(code, error);
}

/* ---- Streams of batches that were read ---- */

/* Libraries read streams on threads of their own, where no signal is handled, so that Ctrl-C would
 * wait for the last row. Their rows are read first. */
struct collected {
  struct state *state; /* while it is read */
  struct ArrowSchema schema;
  struct ArrowArray *batches;
  size_t count, capacity, next;
};

static void free_collected(struct collected *all) {
  if (all->schema.release != NULL) all->schema.release(&all->schema);
  for (size_t i = all->next; i < all->count; ++i)
    if (all->batches[i].release != NULL) all->batches[i].release(&all->batches[i]);
  free(all->batches);
  free(all);
}

static int do_collect(void *of) {
  struct collected *all = of;
  struct pull pull = {all->state, &all->schema, NULL};
  int failed = do_pull(&pull);
  while (!failed) {
    if (all->count == all->capacity) {
      const size_t capacity = all->capacity == 0 ? 16 : 2 * all->capacity;
      struct ArrowArray *more = realloc(all->batches, capacity * sizeof *more);
      if (more == NULL) return ENOMEM;
      all->batches = more;
      all->capacity = capacity;
    }
    memset(&all->batches[all->count], 0, sizeof *all->batches);
    pull = (struct pull){all->state, NULL, &all->batches[all->count]};
    failed = do_pull(&pull);
    if (!failed && all->batches[all->count].release == NULL) break;
    if (!failed) ++all->count;
  }
  return failed;
}

/* Moves a copy of the schema out: it is asked for once. */
static int collected_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  struct collected *all = stream->private_data;
  if (all->schema.release == NULL) return EINVAL;
  *out = all->schema;
  all->schema.release = NULL;
  return 0;
}
static int collected_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  struct collected *all = stream->private_data;
  memset(out, 0, sizeof *out);
  if (all->next < all->count) *out = all->batches[all->next++];
  return 0;
}
static const char *collected_error(struct ArrowArrayStream *stream) {
  (void)stream;
  return NULL;
}
static void release_collected(struct ArrowArrayStream *stream) {
  stream->release = NULL;
  free_collected(stream->private_data);
}

/* stream_collect(state): a stream of all rows, which are read now */
static PyObject *stream_collect(PyObject *self, PyObject *capsule) {
  (void)self;
  struct state *state = PyCapsule_GetPointer(capsule, CORE_STATE);
  if (state == NULL) return NULL;
  struct collected *all = calloc(1, sizeof *all);
  struct ArrowArrayStream *stream = calloc(1, sizeof *stream);
  int raised = 0, failed = ENOMEM;
  if (all != NULL && stream != NULL) {
    all->state = state;
    failed = run_here_or_on_a_thread(do_collect, all, state, &raised);
  }
  if (failed == 0 && !raised) {
    *stream = (struct ArrowArrayStream){collected_schema, collected_next, collected_error,
                                        release_collected, all};
    return PyCapsule_New(stream, CORE_STREAM, free_stream);
  }
  if (all != NULL) free_collected(all);
  free(stream);
  return raised ? NULL : raise_failure(state);
}

/* rows(fields, next): (stream, state) of batches that next() returns, each (length, [(null_count,
 * buffers), ...]), until it returns None. Fields are (name, format, meaning) with the formats n, l,
 * g, u, z of Arrow. */
static PyObject *rows(PyObject *self, PyObject *args) {
  PyObject *fields = NULL, *next = NULL;
  struct ArrowArrayStream stream = {0};
  (void)self;
  if (!PyArg_ParseTuple(args, "O!O", &PyList_Type, &fields, &next)) return NULL;
  return core_rows_stream(fields, next, &stream) == 0 ? stream_pair(&stream, Py_None) : NULL;
}

/* describe(trace, sql, keys): the schema of the first statement, which does not run */
static PyObject *describe(PyObject *self, PyObject *args) {
  PyObject *of = NULL, *keys = NULL;
  const char *sql = NULL;
  Py_ssize_t size = 0;
  tracebraid_error *error = NULL;
  (void)self;
  if (!PyArg_ParseTuple(args, "Os#O", &of, &sql, &size, &keys)) return NULL;
  tracebraid_trace *trace = PyCapsule_GetPointer(of, CORE_TRACE);
  tracebraid_query_options *options = trace == NULL ? NULL : core_query_options(keys);
  if (options == NULL) return NULL;
  struct ArrowSchema *schema = calloc(1, sizeof *schema);
  int code = 0;
  Py_BEGIN_ALLOW_THREADS code =
      schema == NULL ? TRACEBRAID_NO_MEMORY
                     : tracebraid_describe(trace, sql, (size_t)size, options, schema, &error);
  Py_END_ALLOW_THREADS tracebraid_query_options_free(options);
  if (code == 0) return PyCapsule_New(schema, CORE_SCHEMA, free_schema);
  free(schema);
  return core_raise(code, error);
}

/* ---- Connections ---- */

static void free_connection(PyObject *capsule) {
  tracebraid_connection_free(PyCapsule_GetPointer(capsule, CORE_CONNECTION));
}

static PyObject *connection_open(PyObject *self, PyObject *capsule) {
  (void)self;
  tracebraid_trace *trace = PyCapsule_GetPointer(capsule, CORE_TRACE);
  if (trace == NULL) return NULL;
  tracebraid_connection *connection = NULL;
  tracebraid_error *error = NULL;
  int code = 0;
  Py_BEGIN_ALLOW_THREADS code = tracebraid_connection_open(trace, &connection, &error);
  Py_END_ALLOW_THREADS if (code != 0) return core_raise(code, error);
  return PyCapsule_New(connection, CORE_CONNECTION, free_connection);
}

static int do_script(void *of) {
  struct begin *b = of;
  return tracebraid_connection_run(b->connection, b->sql, (size_t)b->size, b->control, &b->error);
}

/* connection_run(connection, sql, control) */
static PyObject *connection_run(PyObject *self, PyObject *args) {
  PyObject *of = NULL, *control = NULL;
  struct begin begin = {0};
  int raised = 0;
  (void)self;
  if (!PyArg_ParseTuple(args, "Os#O", &of, &begin.sql, &begin.size, &control)) return NULL;
  begin.connection = PyCapsule_GetPointer(of, CORE_CONNECTION);
  begin.control = PyCapsule_GetPointer(control, CORE_CONTROL);
  if (begin.connection == NULL || begin.control == NULL) return NULL;
  const int code = core_run(do_script, &begin, begin.control, NULL, &raised);
  if (!raised && code != 0) return core_raise(code, begin.error);
  tracebraid_error_free(begin.error);
  if (raised) return NULL;
  Py_RETURN_NONE;
}

PyMethodDef core_query_methods[] = {{"query", query, METH_VARARGS, NULL},
                                    {"table", table, METH_VARARGS, NULL},
                                    {"facts", facts, METH_VARARGS, NULL},
                                    {"rows", rows, METH_VARARGS, NULL},
                                    {"describe", describe, METH_VARARGS, NULL},
                                    {"stream_schema", stream_schema, METH_O, NULL},
                                    {"stream_next", stream_next, METH_O, NULL},
                                    {"stream_failure", stream_failure, METH_O, NULL},
                                    {"stream_warnings", stream_warnings, METH_O, NULL},
                                    {"stream_collect", stream_collect, METH_O, NULL},
                                    {"connection_open", connection_open, METH_O, NULL},
                                    {"connection_run", connection_run, METH_VARARGS, NULL},
                                    {NULL, NULL, 0, NULL}};
