/* Streams of batches that a callable of Python provides: rows of a fleet, which other processes
 * read. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

/* What makes the batches. */
struct rows {
  PyObject *fields; /* a list of (name, format, meaning) */
  PyObject *next;
  PyObject *exception; /* how it failed */
  char *message;       /* its text, for consumers */
  Py_ssize_t columns;
};

/* ---- Schemas ---- */

static void release_schema(struct ArrowSchema *schema) {
  for (int64_t i = 0; i < schema->n_children; ++i) {
    struct ArrowSchema *child = schema->children[i];
    if (child != NULL && child->release != NULL) child->release(child);
    free(child);
  }
  free(schema->children);
  free((void *)schema->name);
  free((void *)schema->format);
  free((void *)schema->metadata);
  schema->release = NULL;
}

/* Returns metadata of one pair: tracebraid.type and the meaning. */
static char *metadata_of(const char *meaning) {
  static const char key[] = "tracebraid.type";
  const int32_t pairs = 1, key_size = sizeof key - 1, size = (int32_t)strlen(meaning);
  char *text = malloc(12 + sizeof key + (size_t)size), *at = text;
  if (text == NULL) return NULL;
  memcpy(at, &pairs, 4);
  memcpy(at + 4, &key_size, 4);
  memcpy(at + 8, key, (size_t)key_size);
  at += 8 + key_size;
  memcpy(at, &size, 4);
  memcpy(at + 4, meaning, (size_t)size);
  return text;
}

/* Fills a field. Returns whether there was memory. */
static int make_field(struct ArrowSchema *field, const char *name, const char *format,
                      const char *meaning) {
  memset(field, 0, sizeof *field);
  field->name = strdup(name);
  field->format = strdup(format);
  field->flags = ARROW_FLAG_NULLABLE;
  field->release = release_schema;
  if (*meaning != '\0') field->metadata = metadata_of(meaning);
  return field->name != NULL && field->format != NULL &&
         (*meaning == '\0' || field->metadata != NULL);
}

static int fill_schema(const struct rows *rows, struct ArrowSchema *out) {
  int ok = make_field(out, "", "+s", "");
  out->children = calloc((size_t)rows->columns + 1, sizeof *out->children);
  if (!ok || out->children == NULL) return ENOMEM;
  for (out->n_children = 0; out->n_children < rows->columns;) {
    const char *name = NULL, *format = NULL, *meaning = NULL;
    PyObject *field = PyList_GetItem(rows->fields, (Py_ssize_t)out->n_children);
    struct ArrowSchema *child = calloc(1, sizeof *child);
    if (child == NULL) return ENOMEM;
    out->children[out->n_children++] = child;
    if (field == NULL || !PyArg_ParseTuple(field, "sss", &name, &format, &meaning)) return EINVAL;
    if (!make_field(child, name, format, meaning)) return ENOMEM;
  }
  return 0;
}

/* ---- Batches ---- */

/* The memory of a batch is one allocation, so that it is released without the GIL. */
struct memory {
  char *data;
  size_t size, used;
};

static void *take(struct memory *memory, size_t size) {
  void *at = memory->data + memory->used;
  memory->used += (size + 63) / 64 * 64;
  return at;
}

static void release_child(struct ArrowArray *array) { array->release = NULL; }
static void release_batch(struct ArrowArray *array) {
  array->release = NULL;
  free(array->private_data);
}

static int buffers_of(char format) {
  return format == 'n' ? 0 : format == 'u' || format == 'z' ? 3 : 2;
}

/* Returns the size of a buffer of `rows` rows, given the one before. */
static size_t size_of(char format, int buffer, int64_t rows, const int32_t *offsets) {
  if (buffer == 0) return (size_t)(rows + 7) / 8;
  if (format == 'l' || format == 'g') return (size_t)rows * 8;
  return buffer == 1 ? ((size_t)rows + 1) * 4 : (size_t)offsets[rows];
}

static int are_offsets(const int32_t *offsets, int64_t rows) {
  if (offsets[0] != 0) return 0;
  for (int64_t row = 0; row < rows; ++row)
    if (offsets[row + 1] < offsets[row]) return 0;
  return 1;
}

/* Copies the buffers of a column: a sequence of bytes, of which the first may be None. Returns -1
 * with an exception. */
static int fill_column(struct ArrowArray *array, char format, PyObject *buffers,
                       struct memory *memory) {
  array->n_buffers = buffers_of(format);
  array->buffers = take(memory, 3 * sizeof *array->buffers);
  array->release = release_child;
  for (int i = 0; i < array->n_buffers; ++i) {
    PyObject *from = PyTuple_GetItem(buffers, i);
    Py_buffer view;
    array->buffers[i] = NULL;
    if (from == NULL) return -1;
    if (i == 0 && from == Py_None) continue;
    if (PyObject_GetBuffer(from, &view, PyBUF_SIMPLE) != 0) return -1;
    const size_t size = size_of(format, i, array->length, array->buffers[1]);
    void *to = take(memory, size);
    const int fits = (size_t)view.len >= size && memory->used <= memory->size;
    if (fits) memcpy(to, view.buf, size);
    PyBuffer_Release(&view);
    if (!fits || (i == 1 && array->n_buffers == 3 && !are_offsets(to, array->length))) {
      PyErr_SetString(PyExc_ValueError, "the buffers of a batch are damaged");
      return -1;
    }
    array->buffers[i] = to;
  }
  return 0;
}

static size_t size_of_all(PyObject *columns, Py_ssize_t count) {
  size_t size = ((size_t)count + 1) * (sizeof(struct ArrowArray) + sizeof(void *) + 4 * 64) + 256;
  for (Py_ssize_t c = 0; c < count; ++c) {
    PyObject *column = PyList_GetItem(columns, c), *buffers = NULL;
    if (column == NULL || (buffers = PyTuple_GetItem(column, 1)) == NULL) return 0;
    for (Py_ssize_t i = 0; i < PyTuple_Size(buffers); ++i) {
      Py_buffer view;
      PyObject *buffer = PyTuple_GetItem(buffers, i);
      if (buffer == Py_None) continue;
      if (PyObject_GetBuffer(buffer, &view, PyBUF_SIMPLE) != 0) return 0;
      size += (size_t)view.len + 64;
      PyBuffer_Release(&view);
    }
  }
  return size;
}

/* Fills the batch of (length, [(null_count, buffers), ...]). Returns -1 with an exception. */
static int fill_batch(const struct rows *rows, PyObject *batch, struct ArrowArray *out) {
  long long length = 0;
  PyObject *columns = NULL;
  if (!PyArg_ParseTuple(batch, "LO!", &length, &PyList_Type, &columns)) return -1;
  if (length < 0 || length > INT32_MAX || PyList_Size(columns) != rows->columns) {
    PyErr_SetString(PyExc_ValueError, "a batch does not have the columns of its schema");
    return -1;
  }
  struct memory memory = {NULL, size_of_all(columns, rows->columns), 0};
  if (memory.size == 0) return -1;
  if (posix_memalign((void **)&memory.data, 64, memory.size) != 0) {
    PyErr_NoMemory();
    return -1;
  }
  const size_t count = (size_t)rows->columns;
  *out = (struct ArrowArray){.length = length,
                             .n_buffers = 1,
                             .n_children = rows->columns,
                             .release = release_batch,
                             .private_data = memory.data};
  out->buffers = take(&memory, sizeof *out->buffers);
  out->buffers[0] = NULL;
  out->children = take(&memory, (count + 1) * sizeof *out->children);
  struct ArrowArray *children = take(&memory, (count + 1) * sizeof *children);
  memset(children, 0, (count + 1) * sizeof *children);
  for (Py_ssize_t c = 0; c < rows->columns; ++c) {
    long long nulls = 0;
    const char *name = NULL, *format = NULL, *meaning = NULL;
    PyObject *buffers = NULL;
    out->children[c] = &children[c];
    children[c].length = length;
    if (!PyArg_ParseTuple(PyList_GetItem(rows->fields, c), "sss", &name, &format, &meaning) ||
        !PyArg_ParseTuple(PyList_GetItem(columns, c), "LO!", &nulls, &PyTuple_Type, &buffers) ||
        fill_column(&children[c], format[0], buffers, &memory) != 0)
      return -1;
    children[c].null_count = nulls;
  }
  return 0;
}

/* ---- The stream ---- */

static int keep_exception(struct rows *rows) {
  PyObject *type = NULL, *value = NULL, *trace = NULL;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (value != NULL && trace != NULL) PyException_SetTraceback(value, trace);
  Py_XDECREF(type);
  Py_XDECREF(trace);
  Py_XDECREF(rows->exception);
  rows->exception = value;
  PyObject *text = value == NULL ? NULL : PyObject_Str(value);
  const char *message = text == NULL ? NULL : PyUnicode_AsUTF8AndSize(text, NULL);
  free(rows->message);
  rows->message = message == NULL ? NULL : strdup(message);
  Py_XDECREF(text);
  PyErr_Clear();
  return EIO;
}

static int rows_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  struct rows *rows = stream->private_data;
  const PyGILState_STATE gil = PyGILState_Ensure();
  int failed = fill_schema(rows, out);
  if (failed != 0) {
    if (!PyErr_Occurred()) PyErr_NoMemory();
    failed = keep_exception(rows);
    release_schema(out);
  }
  PyGILState_Release(gil);
  return failed;
}

static int rows_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  struct rows *rows = stream->private_data;
  const PyGILState_STATE gil = PyGILState_Ensure();
  PyObject *batch = PyObject_CallNoArgs(rows->next);
  int failed = 0;
  memset(out, 0, sizeof *out);
  if (batch == NULL || (batch != Py_None && fill_batch(rows, batch, out) != 0)) {
    failed = keep_exception(rows);
    if (out->release != NULL) out->release(out);
  }
  Py_XDECREF(batch);
  PyGILState_Release(gil);
  return failed;
}

static const char *rows_error(struct ArrowArrayStream *stream) {
  const struct rows *rows = stream->private_data;
  return rows->message;
}

static void rows_release(struct ArrowArrayStream *stream) {
  struct rows *rows = stream->private_data;
  stream->release = NULL;
  if (Py_IsInitialized()) {
    const PyGILState_STATE gil = PyGILState_Ensure();
    Py_XDECREF(rows->fields);
    Py_XDECREF(rows->next);
    Py_XDECREF(rows->exception);
    PyGILState_Release(gil);
  }
  free(rows->message);
  free(rows);
}

int core_is_rows(const struct ArrowArrayStream *stream) { return stream->get_next == rows_next; }

PyObject *core_rows_failure(struct ArrowArrayStream *stream) {
  struct rows *rows = stream->private_data;
  PyObject *exception = rows->exception;
  rows->exception = NULL;
  return exception;
}

int core_rows_stream(PyObject *fields, PyObject *next, struct ArrowArrayStream *out) {
  struct rows *rows = calloc(1, sizeof *rows);
  if (rows == NULL) {
    PyErr_NoMemory();
    return -1;
  }
  rows->columns = PyList_Size(fields);
  rows->fields = Py_NewRef(fields);
  rows->next = Py_NewRef(next);
  *out = (struct ArrowArrayStream){rows_schema, rows_next, rows_error, rows_release, rows};
  return 0;
}
