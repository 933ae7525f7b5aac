/* The digest of files, as `_trace_digest` of a fleet has it. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core.h"

/* digest(buffers): XXH3 of 64 bits of all bytes, one buffer after the other */
static PyObject *digest(PyObject *self, PyObject *buffers) {
  XXH3_state_t state;
  (void)self;
  XXH3_64bits_reset(&state);
  if (!PyList_Check(buffers)) return PyErr_Format(PyExc_TypeError, "digest takes a list");
  for (Py_ssize_t i = 0; i < PyList_Size(buffers); ++i) {
    Py_buffer view;
    if (PyObject_GetBuffer(PyList_GetItem(buffers, i), &view, PyBUF_SIMPLE) != 0) return NULL;
    Py_BEGIN_ALLOW_THREADS XXH3_64bits_update(&state, view.buf, (size_t)view.len);
    Py_END_ALLOW_THREADS PyBuffer_Release(&view);
  }
  return PyLong_FromUnsignedLongLong(XXH3_64bits_digest(&state));
}

PyMethodDef core_digest_methods[] = {{"digest", digest, METH_O, NULL}, {NULL, NULL, 0, NULL}};
