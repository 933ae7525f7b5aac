#include "core.h"

static int add_methods(PyObject *module) {
  if (PyModule_AddFunctions(module, core_trace_methods) != 0 ||
      PyModule_AddFunctions(module, core_query_methods) != 0 ||
      PyModule_AddFunctions(module, core_batch_methods) != 0 ||
      PyModule_AddFunctions(module, core_cast_methods) != 0 ||
      PyModule_AddFunctions(module, core_digest_methods) != 0)
    return -1;
  if (core_buffer_type == NULL) core_buffer_type = PyType_FromSpec(&core_buffer_spec);
  return core_buffer_type == NULL ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)add_methods}, {0, NULL}};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "tracebraid._core", NULL, 0, NULL, slots, NULL, NULL, NULL};

__attribute__((visibility("default"))) PyObject *PyInit__core(void);
PyObject *PyInit__core(void) { return PyModuleDef_Init(&definition); }
