#include <string.h>

#include "core.h"

/* A buffer of the user, kept until no trace reads it. */
static void release_buffer(void *of) {
  Py_buffer *view = of;
  const PyGILState_STATE state = PyGILState_Ensure();
  PyBuffer_Release(view);
  PyMem_Free(view);
  PyGILState_Release(state);
}

static int add_buffer(tracebraid_options *options, PyObject *name, PyObject *bytes) {
  const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
  if (text == NULL) return -1;
  Py_buffer *view = PyMem_Malloc(sizeof *view);
  if (view == NULL) return PyErr_NoMemory(), -1;
  if (PyObject_GetBuffer(bytes, view, PyBUF_SIMPLE) != 0) {
    PyMem_Free(view);
    return -1;
  }
  tracebraid_error *error = NULL;
  const int code = tracebraid_options_add_buffer(options, text, view->buf, (size_t)view->len,
                                                 release_buffer, view, &error);
  if (code != 0) core_raise(code, error);
  return code == 0 ? 0 : -1;
}

static int add_path(tracebraid_options *options, PyObject *path) {
  PyObject *bytes = NULL;
  if (!PyUnicode_FSConverter(path, &bytes)) return -1;
  tracebraid_error *error = NULL;
  const int code = tracebraid_options_add_path(options, PyBytes_AsString(bytes), &error);
  Py_DECREF(bytes);
  if (code != 0) core_raise(code, error);
  return code == 0 ? 0 : -1;
}

/* Calls set(of, key, value) for each pair of a list of tuples of str. */
static int set_all(PyObject *keys,
                   int (*set)(void *of, const char *key, const char *value, tracebraid_error **err),
                   void *of) {
  for (Py_ssize_t i = 0; i < PyList_Size(keys); ++i) {
    const char *key = NULL, *value = NULL;
    if (!PyArg_ParseTuple(PyList_GetItem(keys, i), "ss", &key, &value)) return -1;
    tracebraid_error *error = NULL;
    const int code = set(of, key, value, &error);
    if (code != 0) return core_raise(code, error), -1;
  }
  return 0;
}

static int set_option(void *of, const char *key, const char *value, tracebraid_error **err) {
  return tracebraid_options_set(of, key, value, err);
}
static int set_query_option(void *of, const char *key, const char *value, tracebraid_error **err) {
  return tracebraid_query_options_set(of, key, value, err);
}

static int set_manifest(tracebraid_options *options, PyObject *manifest) {
  if (manifest == Py_None) return 0;
  Py_ssize_t size = 0;
  const char *text = PyUnicode_AsUTF8AndSize(manifest, &size);
  if (text == NULL) return -1;
  tracebraid_error *error = NULL;
  const int code = tracebraid_options_set_manifest(options, text, (size_t)size, &error);
  if (code != 0) core_raise(code, error);
  return code == 0 ? 0 : -1;
}

tracebraid_options *core_options(PyObject *inputs, PyObject *keys, PyObject *manifest) {
  tracebraid_options *options = tracebraid_options_new();
  if (options == NULL) return (tracebraid_options *)PyErr_NoMemory();
  int failed = set_all(keys, set_option, options) || set_manifest(options, manifest);
  for (Py_ssize_t i = 0; !failed && i < PyList_Size(inputs); ++i) {
    PyObject *input = PyList_GetItem(inputs, i);
    failed = PyTuple_Check(input)
                 ? add_buffer(options, PyTuple_GetItem(input, 0), PyTuple_GetItem(input, 1))
                 : add_path(options, input);
  }
  if (!failed) return options;
  tracebraid_options_free(options);
  return NULL;
}

tracebraid_query_options *core_query_options(PyObject *keys) {
  tracebraid_query_options *options = tracebraid_query_options_new();
  if (options == NULL) return (tracebraid_query_options *)PyErr_NoMemory();
  if (set_all(keys, set_query_option, options) == 0) return options;
  tracebraid_query_options_free(options);
  return NULL;
}

/* The memory of one parameter, whose texts belong to the list of the caller. */
struct param {
  struct ArrowArray array;
  struct ArrowSchema schema;
  const void *buffers[3];
  int64_t offsets[2];
  int64_t integer;
  double real;
};

static void no_release_array(struct ArrowArray *array) { array->release = NULL; }
static void no_release_schema(struct ArrowSchema *schema) { schema->release = NULL; }

/* Sets format and buffers by the type of the value. Returns -1 with an exception. */
static int set_value(struct param *param, PyObject *value) {
  Py_ssize_t size = 0;
  param->array.n_buffers = 2;
  if (value == Py_None) {
    param->schema.format = "n";
    param->array.n_buffers = 0;
    param->array.null_count = 1;
  } else if (PyBool_Check(value) || PyLong_Check(value)) {
    param->schema.format = "l";
    param->integer = PyLong_AsLongLong(value);
    param->buffers[1] = &param->integer;
    if (param->integer == -1 && PyErr_Occurred()) return -1; /* OverflowError */
  } else if (PyFloat_Check(value)) {
    param->schema.format = "g";
    param->real = PyFloat_AsDouble(value);
    param->buffers[1] = &param->real;
  } else {
    const int is_text = PyUnicode_Check(value);
    param->schema.format = is_text ? "U" : "Z";
    param->array.n_buffers = 3;
    char *bytes = NULL;
    if (is_text)
      param->buffers[2] = PyUnicode_AsUTF8AndSize(value, &size);
    else if (PyBytes_AsStringAndSize(value, &bytes, &size) == 0)
      param->buffers[2] = bytes;
    if (param->buffers[2] == NULL) return -1;
    param->offsets[1] = size;
    param->buffers[1] = param->offsets;
  }
  return 0;
}

int core_params_of(PyObject *list, struct core_params *out) {
  memset(out, 0, sizeof *out);
  const Py_ssize_t count = PyList_Size(list);
  if (count <= 0) return count < 0 ? -1 : 0;
  const size_t size = (size_t)count * (sizeof(struct param) + 2 * sizeof(void *)) + sizeof(void *);
  char *memory = PyMem_Malloc(size);
  if (memory == NULL) return PyErr_NoMemory(), -1;
  memset(memory, 0, size);
  struct param *params = (struct param *)memory;
  struct ArrowArray **arrays = (struct ArrowArray **)(params + count);
  struct ArrowSchema **schemas = (struct ArrowSchema **)(arrays + count);
  out->memory = memory;
  for (Py_ssize_t i = 0; i < count; ++i) {
    const char *name = NULL;
    PyObject *value = NULL;
    if (!PyArg_ParseTuple(PyList_GetItem(list, i), "zO", &name, &value) ||
        set_value(&params[i], value) != 0) {
      core_params_free(out);
      return -1;
    }
    params[i].array.length = 1;
    params[i].array.buffers = params[i].buffers;
    params[i].array.release = no_release_array;
    params[i].schema.name = name == NULL ? "" : name;
    params[i].schema.flags = ARROW_FLAG_NULLABLE;
    params[i].schema.release = no_release_schema;
    arrays[i] = &params[i].array;
    schemas[i] = &params[i].schema;
  }
  out->array = (struct ArrowArray){.length = 1,
                                   .n_buffers = 1,
                                   .n_children = count,
                                   .children = arrays,
                                   .buffers = (const void **)(schemas + count),
                                   .release = no_release_array};
  out->schema = (struct ArrowSchema){.format = "+s",
                                     .name = "",
                                     .n_children = count,
                                     .children = schemas,
                                     .release = no_release_schema};
  out->is_given = 1;
  return 0;
}

void core_params_free(struct core_params *params) {
  PyMem_Free(params->memory);
  memset(params, 0, sizeof *params);
}
