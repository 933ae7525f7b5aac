#include <string.h>

#include "core.h"

/* Makes an exception of (code, message, file, offset, line, column, json). */
static PyObject *error_factory;

PyObject *core_set_error_factory(PyObject *module, PyObject *factory) {
  (void)module;
  Py_INCREF(factory);
  PyObject *before = error_factory;
  error_factory = factory;
  Py_XDECREF(before);
  Py_RETURN_NONE;
}

PyObject *core_raise(int code, tracebraid_error *error) {
  if (error == NULL) return PyErr_NoMemory();
  const char *message = tracebraid_error_message(error), *json = tracebraid_error_json(error);
  const char *file = tracebraid_error_file(error);
  PyObject *made =
      PyObject_CallFunction(error_factory, "iNNLiiN", code,
                            PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace"),
                            file == NULL ? Py_NewRef(Py_None) : PyUnicode_DecodeFSDefault(file),
                            (long long)tracebraid_error_offset(error), tracebraid_error_line(error),
                            tracebraid_error_column(error),
                            PyUnicode_DecodeUTF8(json, (Py_ssize_t)strlen(json), "replace"));
  tracebraid_error_free(error);
  if (made == NULL) return NULL;
  PyErr_SetObject((PyObject *)Py_TYPE(made), made);
  Py_DECREF(made);
  return NULL;
}

PyObject *core_text(char *text) {
  if (text == NULL) return PyErr_NoMemory();
  PyObject *made = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
  tracebraid_string_free(text);
  return made;
}
