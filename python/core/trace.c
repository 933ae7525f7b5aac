/* Traces, controls, reports, clocks and files. */
#include <string.h>

#include "core.h"

static void free_trace(PyObject *capsule) {
  tracebraid_trace_release(PyCapsule_GetPointer(capsule, CORE_TRACE));
}
static void free_control(PyObject *capsule) {
  tracebraid_control_free(PyCapsule_GetPointer(capsule, CORE_CONTROL));
}
static void free_clock(PyObject *capsule) {
  tracebraid_clock_free(PyCapsule_GetPointer(capsule, CORE_CLOCK));
}

static tracebraid_trace *trace_of(PyObject *capsule) {
  return PyCapsule_GetPointer(capsule, CORE_TRACE);
}

static PyObject *version(PyObject *self, PyObject *none) {
  (void)self, (void)none;
  return PyUnicode_FromString(tracebraid_version());
}
static PyObject *build_info(PyObject *self, PyObject *none) {
  (void)self, (void)none;
  return core_text(tracebraid_build_info());
}
static PyObject *options_keys(PyObject *self, PyObject *none) {
  (void)self, (void)none;
  return core_text(tracebraid_options_keys());
}

static PyObject *control_new(PyObject *self, PyObject *args) {
  unsigned deadline = 0;
  (void)self;
  if (!PyArg_ParseTuple(args, "I", &deadline)) return NULL;
  tracebraid_control *control = tracebraid_control_new();
  if (control == NULL) return PyErr_NoMemory();
  tracebraid_control_deadline(control, deadline, NULL);
  PyObject *capsule = PyCapsule_New(control, CORE_CONTROL, free_control);
  if (capsule == NULL) tracebraid_control_free(control);
  return capsule;
}
static PyObject *control_cancel(PyObject *self, PyObject *capsule) {
  (void)self;
  tracebraid_control *control = PyCapsule_GetPointer(capsule, CORE_CONTROL);
  if (control == NULL) return NULL;
  tracebraid_control_cancel(control);
  Py_RETURN_NONE;
}

/* The arguments of runs over options. */
struct run {
  tracebraid_options *options;
  tracebraid_control *control;
  tracebraid_trace *trace;
  const char *output;
  int wants_trace;
  char *text;
  tracebraid_error *error;
};

static int do_open(void *of) {
  struct run *run = of;
  return tracebraid_open(run->options, run->control, &run->trace, &run->error);
}
static int do_export(void *of) {
  struct run *run = of;
  return tracebraid_export(run->trace, run->options, run->control, &run->error);
}
static int do_merge(void *of) {
  struct run *run = of;
  return tracebraid_merge_archive(run->options, run->output, run->control,
                                  run->wants_trace ? &run->trace : NULL, &run->error);
}
static int do_template(void *of) {
  struct run *run = of;
  return tracebraid_manifest_template(run->options, &run->text, &run->error);
}
static int do_validate(void *of) {
  struct run *run = of;
  return tracebraid_manifest_validate(run->options, &run->text, &run->error);
}

/* Runs `work` and frees the options. Returns -1 with an exception. */
static int run_with_options(struct run *run, int (*work)(void *), PyObject *progress) {
  int raised = 0;
  const int code =
      core_run(work, run, run->control, progress == Py_None ? NULL : progress, &raised);
  tracebraid_options_free(run->options);
  if (raised)
    tracebraid_error_free(run->error);
  else if (code != 0)
    core_raise(code, run->error);
  return raised || code != 0 ? -1 : 0;
}

static PyObject *trace_capsule(tracebraid_trace *trace) {
  PyObject *capsule = PyCapsule_New(trace, CORE_TRACE, free_trace);
  if (capsule == NULL) tracebraid_trace_release(trace);
  return capsule;
}

/* open(inputs, keys, manifest, control, progress) */
static PyObject *open_trace(PyObject *self, PyObject *args) {
  PyObject *inputs = NULL, *keys = NULL, *manifest = NULL, *control = NULL, *progress = NULL;
  (void)self;
  if (!PyArg_ParseTuple(args, "OOOOO", &inputs, &keys, &manifest, &control, &progress)) return NULL;
  struct run run = {.control = PyCapsule_GetPointer(control, CORE_CONTROL)};
  if (run.control == NULL || (run.options = core_options(inputs, keys, manifest)) == NULL)
    return NULL;
  if (run_with_options(&run, do_open, progress) == 0) return trace_capsule(run.trace);
  tracebraid_trace_release(run.trace); /* opened before the exception arrived */
  return NULL;
}

/* export(trace, keys, control, progress) */
static PyObject *export_trace(PyObject *self, PyObject *args) {
  PyObject *trace = NULL, *keys = NULL, *control = NULL, *progress = NULL;
  (void)self;
  if (!PyArg_ParseTuple(args, "OOOO", &trace, &keys, &control, &progress)) return NULL;
  struct run run = {.control = PyCapsule_GetPointer(control, CORE_CONTROL),
                    .trace = trace_of(trace)};
  if (run.control == NULL || run.trace == NULL) return NULL;
  PyObject *none = PyList_New(0);
  run.options = none == NULL ? NULL : core_options(none, keys, Py_None);
  Py_XDECREF(none);
  if (run.options == NULL || run_with_options(&run, do_export, progress) != 0) return NULL;
  Py_RETURN_NONE;
}

/* merge(inputs, keys, manifest, output, validate, control, progress): a trace or None */
static PyObject *merge(PyObject *self, PyObject *args) {
  PyObject *inputs = NULL, *keys = NULL, *manifest = NULL, *output = NULL, *control = NULL,
           *progress = NULL;
  struct run run = {0};
  (void)self;
  if (!PyArg_ParseTuple(args, "OOOO&pOO", &inputs, &keys, &manifest, PyUnicode_FSConverter, &output,
                        &run.wants_trace, &control, &progress))
    return NULL;
  run.output = PyBytes_AsString(output);
  run.control = PyCapsule_GetPointer(control, CORE_CONTROL);
  int failed = run.control == NULL || (run.options = core_options(inputs, keys, manifest)) == NULL;
  failed = failed || run_with_options(&run, do_merge, progress) != 0;
  Py_DECREF(output);
  if (!failed && run.trace != NULL) return trace_capsule(run.trace);
  tracebraid_trace_release(run.trace);
  if (failed) return NULL;
  Py_RETURN_NONE;
}

static PyObject *text_of_options(PyObject *args, int (*work)(void *)) {
  PyObject *inputs = NULL, *keys = NULL, *manifest = NULL;
  if (!PyArg_ParseTuple(args, "OOO", &inputs, &keys, &manifest)) return NULL;
  struct run run = {.options = core_options(inputs, keys, manifest)};
  if (run.options == NULL || run_with_options(&run, work, Py_None) != 0) return NULL;
  return core_text(run.text);
}
static PyObject *manifest_template(PyObject *self, PyObject *args) {
  (void)self;
  return text_of_options(args, do_template);
}
static PyObject *manifest_validate(PyObject *self, PyObject *args) {
  (void)self;
  return text_of_options(args, do_validate);
}

/* report(trace, which, detail): "json" and "text" of check and info, "explain" FILE, "graph" FORMAT
 */
static PyObject *report(PyObject *self, PyObject *args) {
  PyObject *capsule = NULL;
  const char *which = NULL, *detail = NULL;
  unsigned width = 0;
  (void)self;
  if (!PyArg_ParseTuple(args, "OssI", &capsule, &which, &detail, &width)) return NULL;
  tracebraid_trace *trace = trace_of(capsule);
  if (trace == NULL) return NULL;
  tracebraid_error *error = NULL;
  char *text = NULL;
  int code = 0;
  Py_BEGIN_ALLOW_THREADS if (strcmp(which, "json") == 0) code =
      tracebraid_report_json(trace, detail, &text, &error);
  else if (strcmp(which, "text") == 0) code =
      tracebraid_report_text(trace, detail, width, &text, &error);
  else if (strcmp(which, "explain") == 0) code = tracebraid_explain(trace, detail, &text, &error);
  else code = tracebraid_clock_graph(trace, detail, &text, &error);
  Py_END_ALLOW_THREADS return code == 0 ? core_text(text) : core_raise(code, error);
}

/* memory_use(trace): bytes of tables, of streams and of mapped files */
static PyObject *memory_use(PyObject *self, PyObject *capsule) {
  (void)self;
  tracebraid_trace *trace = trace_of(capsule);
  if (trace == NULL) return NULL;
  tracebraid_error *error = NULL;
  uint64_t tables = 0, streams = 0, mapped = 0;
  int code = 0;
  Py_BEGIN_ALLOW_THREADS code =
      tracebraid_memory_use(trace, &tables, &streams, &mapped, &error);
  Py_END_ALLOW_THREADS if (code != 0) return core_raise(code, error);
  return Py_BuildValue("KKK", (unsigned long long)tables, (unsigned long long)streams,
                       (unsigned long long)mapped);
}

/* clock_find(trace, name, machine, file, sequence) */
static PyObject *clock_find(PyObject *self, PyObject *args) {
  PyObject *capsule = NULL;
  const char *name = NULL, *machine = NULL, *file = NULL;
  long long sequence = -1;
  (void)self;
  if (!PyArg_ParseTuple(args, "OzzzL", &capsule, &name, &machine, &file, &sequence)) return NULL;
  tracebraid_trace *trace = trace_of(capsule);
  if (trace == NULL) return NULL;
  tracebraid_clock *clock = NULL;
  tracebraid_error *error = NULL;
  const int code = tracebraid_clock_find(trace, name, machine, file, sequence, &clock, &error);
  if (code != 0) return core_raise(code, error);
  PyObject *made = PyCapsule_New(clock, CORE_CLOCK, free_clock);
  if (made == NULL) tracebraid_clock_free(clock);
  return made;
}
static PyObject *clock_label(PyObject *self, PyObject *capsule) {
  (void)self;
  const tracebraid_clock *clock = PyCapsule_GetPointer(capsule, CORE_CLOCK);
  return clock == NULL ? NULL : PyUnicode_FromString(tracebraid_clock_label(clock));
}

/* clock_convert(from, to, values, out, bounds, valid): contiguous buffers of int64, and of bits */
static PyObject *clock_convert(PyObject *self, PyObject *args) {
  PyObject *from = NULL, *to = NULL;
  Py_buffer values, out, bounds, valid;
  (void)self;
  if (!PyArg_ParseTuple(args, "OOy*w*w*w*", &from, &to, &values, &out, &bounds, &valid))
    return NULL;
  const tracebraid_clock *source = PyCapsule_GetPointer(from, CORE_CLOCK),
                         *target = PyCapsule_GetPointer(to, CORE_CLOCK);
  tracebraid_error *error = NULL;
  int code = TRACEBRAID_OK;
  const int fits =
      out.len == values.len && bounds.len == values.len && valid.len >= (values.len / 8 + 7) / 8;
  if (!fits) PyErr_SetString(PyExc_ValueError, "the sizes of the buffers differ");
  if (fits && source != NULL && target != NULL) {
    Py_BEGIN_ALLOW_THREADS code = tracebraid_clock_convert(
        source, target, values.buf, (size_t)values.len / 8, out.buf, bounds.buf, valid.buf, &error);
    Py_END_ALLOW_THREADS
  }
  PyBuffer_Release(&values);
  PyBuffer_Release(&out);
  PyBuffer_Release(&bounds);
  PyBuffer_Release(&valid);
  if (code != 0) return core_raise(code, error);
  if (PyErr_Occurred()) return NULL;
  Py_RETURN_NONE;
}

PyMethodDef core_trace_methods[] = {{"version", version, METH_NOARGS, NULL},
                                    {"build_info", build_info, METH_NOARGS, NULL},
                                    {"options_keys", options_keys, METH_NOARGS, NULL},
                                    {"set_error_factory", core_set_error_factory, METH_O, NULL},
                                    {"control_new", control_new, METH_VARARGS, NULL},
                                    {"control_cancel", control_cancel, METH_O, NULL},
                                    {"open", open_trace, METH_VARARGS, NULL},
                                    {"export", export_trace, METH_VARARGS, NULL},
                                    {"merge", merge, METH_VARARGS, NULL},
                                    {"manifest_template", manifest_template, METH_VARARGS, NULL},
                                    {"manifest_validate", manifest_validate, METH_VARARGS, NULL},
                                    {"report", report, METH_VARARGS, NULL},
                                    {"memory_use", memory_use, METH_O, NULL},
                                    {"clock_find", clock_find, METH_VARARGS, NULL},
                                    {"clock_label", clock_label, METH_O, NULL},
                                    {"clock_convert", clock_convert, METH_VARARGS, NULL},
                                    {NULL, NULL, 0, NULL}};
