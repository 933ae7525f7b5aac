/* Values of Arrow arrays, for consumers without an Arrow library. */
#include <string.h>

#include "core.h"

/* A read-only view of a buffer, which keeps its array alive. */
struct buffer {
  PyObject_HEAD PyObject *array;
  const void *data;
  Py_ssize_t size;
};

PyObject *core_buffer_type;

static int get_buffer(PyObject *self, Py_buffer *view, int flags) {
  struct buffer *buffer = (struct buffer *)self;
  return PyBuffer_FillInfo(view, self, (void *)buffer->data, buffer->size, 1, flags);
}
static void free_buffer(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  Py_XDECREF(((struct buffer *)self)->array);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}
static PyType_Slot buffer_slots[] = {
    {Py_bf_getbuffer, (void *)get_buffer}, {Py_tp_dealloc, (void *)free_buffer}, {0, NULL}};
PyType_Spec core_buffer_spec = {"tracebraid._core.Buffer", sizeof(struct buffer), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                buffer_slots};

/* Returns a view of `size` bytes, or None without data. */
static PyObject *buffer_of(PyObject *array, const void *data, int64_t size) {
  if (data == NULL) Py_RETURN_NONE;
  PyTypeObject *type = (PyTypeObject *)core_buffer_type;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  struct buffer *made = (struct buffer *)allocate(type, 0);
  if (made == NULL) return NULL;
  made->array = Py_NewRef(array);
  made->data = data;
  made->size = (Py_ssize_t)size;
  return (PyObject *)made;
}

/* Returns the value of the metadata tracebraid.type if it comes first, as in schemas of the library; else an empty text.
   Schemas come from other libraries, too. */
static PyObject *meaning_of(const char *metadata) {
  static const char kKey[] = "tracebraid.type";
  int32_t pairs = 0, key = 0, value = 0;
  if (metadata != NULL) memcpy(&pairs, metadata, sizeof pairs);
  if (pairs >= 1) memcpy(&key, metadata + 4, sizeof key);
  if (key != (int32_t)sizeof kKey - 1 || memcmp(metadata + 8, kKey, (size_t)key) != 0)
    return PyUnicode_FromString("");
  memcpy(&value, metadata + 8 + key, sizeof value);
  return PyUnicode_DecodeUTF8(metadata + 12 + key, value, "replace");
}

/* schema_fields(schema): a list of (name, format, meaning); the format of a dictionary is
 * "dictionary" */
static PyObject *schema_fields(PyObject *self, PyObject *capsule) {
  (void)self;
  const struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, CORE_SCHEMA);
  if (schema == NULL) return NULL;
  PyObject *list = PyList_New(0);
  for (int64_t i = 0; list != NULL && i < schema->n_children; ++i) {
    const struct ArrowSchema *field = schema->children[i];
    const char *name = field->name == NULL ? "" : field->name;
    PyObject *item = Py_BuildValue(
        "NsN", PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "replace"),
        field->dictionary != NULL ? "dictionary" : field->format, meaning_of(field->metadata));
    if (item == NULL || PyList_Append(list, item) != 0) {
      Py_XDECREF(item);
      Py_DECREF(list);
      return NULL;
    }
    Py_DECREF(item);
  }
  return list;
}

static PyObject *batch_length(PyObject *self, PyObject *capsule) {
  (void)self;
  const struct ArrowArray *array = PyCapsule_GetPointer(capsule, CORE_ARRAY);
  return array == NULL ? NULL : PyLong_FromLongLong(array->length);
}

static const struct ArrowArray *column_of(PyObject *capsule, int column) {
  const struct ArrowArray *array = PyCapsule_GetPointer(capsule, CORE_ARRAY);
  if (array == NULL) return NULL;
  if (column >= 0 && column < array->n_children) return array->children[column];
  PyErr_SetString(PyExc_IndexError, "no such column");
  return NULL;
}

/* batch_buffers(array, column): (null_count, validity or None, values or None) of int64, float64
 * and dictionary columns */
static PyObject *batch_buffers(PyObject *self, PyObject *args) {
  PyObject *capsule = NULL;
  int column = 0;
  (void)self;
  if (!PyArg_ParseTuple(args, "Oi", &capsule, &column)) return NULL;
  const struct ArrowArray *array = column_of(capsule, column);
  if (array == NULL) return NULL;
  const void *validity = array->n_buffers == 0 ? NULL : array->buffers[0];
  const void *values = array->n_buffers == 0 ? NULL : array->buffers[1];
  return Py_BuildValue(
      "LNN", (long long)array->null_count, buffer_of(capsule, validity, (array->length + 7) / 8),
      buffer_of(capsule, values, array->length * (array->dictionary != NULL ? 4 : 8)));
}

static int is_null(const struct ArrowArray *array, int64_t row) {
  const uint8_t *validity = array->n_buffers == 0 ? NULL : array->buffers[0];
  return validity != NULL && (validity[row / 8] >> row % 8 & 1) == 0;
}

static PyObject *text_at(const struct ArrowArray *array, int64_t row, int is_bytes) {
  const int32_t *offsets = array->buffers[1];
  const char *text = (const char *)array->buffers[2] + offsets[row];
  const Py_ssize_t size = offsets[row + 1] - offsets[row];
  return is_bytes ? PyBytes_FromStringAndSize(text, size)
                  : PyUnicode_DecodeUTF8(text, size, "replace");
}

/* Returns the texts of a dictionary from entry `first` on. */
static PyObject *texts_from(const struct ArrowArray *dictionary, int64_t first) {
  const int64_t count = dictionary->length > first ? dictionary->length - first : 0;
  PyObject *list = PyList_New((Py_ssize_t)count);
  for (int64_t i = 0; list != NULL && i < count; ++i) {
    PyObject *text = text_at(dictionary, first + i, 0);
    if (text == NULL || PyList_SetItem(list, (Py_ssize_t)i, text) != 0) {
      Py_DECREF(list);
      return NULL;
    }
  }
  return list;
}

/* batch_dictionary(array, column, first): the texts from entry `first` on; a dictionary only grows
 */
static PyObject *batch_dictionary(PyObject *self, PyObject *args) {
  PyObject *capsule = NULL;
  int column = 0;
  long long first = 0;
  (void)self;
  if (!PyArg_ParseTuple(args, "OiL", &capsule, &column, &first)) return NULL;
  const struct ArrowArray *array = column_of(capsule, column);
  if (array == NULL) return NULL;
  if (array->dictionary == NULL) return PyList_New(0);
  return texts_from(array->dictionary, first);
}

static PyObject *value_at(const struct ArrowArray *array, const char *format, PyObject *texts,
                          int64_t row) {
  if (format[0] == '+') { /* a dense union: of a row the number of its child, and its place there */
    static const char *const formats[] = {"n", "l", "g", "u", "z"};
    const int child = ((const int8_t *)array->buffers[0])[row];
    return value_at(array->children[child], formats[child], texts,
                    ((const int32_t *)array->buffers[1])[row]);
  }
  if (format[0] == 'n' || is_null(array, row)) Py_RETURN_NONE;
  switch (format[0]) {
    case 'l':
      return PyLong_FromLongLong(((const int64_t *)array->buffers[1])[row]);
    case 'g':
      return PyFloat_FromDouble(((const double *)array->buffers[1])[row]);
    case 'd': {
      PyObject *text = PyList_GetItem(texts, ((const int32_t *)array->buffers[1])[row]);
      return text == NULL ? NULL : Py_NewRef(text);
    }
    default:
      return text_at(array, row, format[0] == 'z');
  }
}

/* batch_values(array, column, format, texts): the values as a list; `texts` are those of a
 * dictionary */
static PyObject *batch_values(PyObject *self, PyObject *args) {
  PyObject *capsule = NULL, *texts = NULL;
  int column = 0;
  const char *format = NULL;
  (void)self;
  if (!PyArg_ParseTuple(args, "OisO!", &capsule, &column, &format, &PyList_Type, &texts))
    return NULL;
  const struct ArrowArray *array = column_of(capsule, column);
  if (array == NULL) return NULL;
  PyObject *list = PyList_New((Py_ssize_t)array->length);
  for (int64_t row = 0; list != NULL && row < array->length; ++row) {
    PyObject *value = value_at(array, format, texts, row);
    if (value == NULL || PyList_SetItem(list, (Py_ssize_t)row, value) != 0) {
      Py_DECREF(list);
      return NULL;
    }
  }
  return list;
}

PyMethodDef core_batch_methods[] = {{"schema_fields", schema_fields, METH_O, NULL},
                                    {"batch_length", batch_length, METH_O, NULL},
                                    {"batch_buffers", batch_buffers, METH_VARARGS, NULL},
                                    {"batch_dictionary", batch_dictionary, METH_VARARGS, NULL},
                                    {"batch_values", batch_values, METH_VARARGS, NULL},
                                    {NULL, NULL, 0, NULL}};
