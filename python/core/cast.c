/* Streams whose texts and bytes have another layout, because a consumer requests it: plain texts
 * instead of dictionaries, offsets of 64 bits, or views. Other columns are passed on. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

enum { AS_IS, PLAIN, LARGE, VIEW };

/* The private data of the stream. */
struct cast {
  struct ArrowArrayStream inner;
  int64_t count;
  const char *message; /* of an error of this file, or NULL */
  unsigned char kinds[]; /* one for each column */
};

/* ---- Schemas ---- */

static void release_schema_leaf(struct ArrowSchema *schema) {
  free(schema->private_data);
  schema->release = NULL;
}
static void release_schema_parent(struct ArrowSchema *schema) {
  for (int64_t i = 0; i < schema->n_children; ++i)
    if (schema->children[i]->release != NULL) schema->children[i]->release(schema->children[i]);
  free(schema->private_data);
  schema->release = NULL;
}

/* Bytes of the metadata of a field, as the Arrow C interface encodes it. */
static size_t size_of_metadata(const char *metadata) {
  if (metadata == NULL) return 0;
  const char *at = metadata;
  int32_t pairs = 0, length = 0;
  memcpy(&pairs, at, sizeof pairs);
  at += sizeof pairs;
  for (int32_t i = 0; i < 2 * pairs; ++i) {
    memcpy(&length, at, sizeof length);
    at += sizeof length + (size_t)length;
  }
  return (size_t)(at - metadata);
}

/* Makes the field of a column with another layout. Returns an errno value. */
static int cast_field(struct ArrowSchema *from, int kind, struct ArrowSchema *out) {
  static const char *const formats[2][4] = {{NULL, "u", "U", "vu"}, {NULL, "z", "Z", "vz"}};
  const size_t name = from->name == NULL ? 1 : strlen(from->name) + 1;
  const size_t metadata = size_of_metadata(from->metadata);
  char *copy = malloc(name + metadata);
  if (copy == NULL) return ENOMEM;
  memcpy(copy, from->name == NULL ? "" : from->name, name);
  if (metadata != 0) memcpy(copy + name, from->metadata, metadata);
  *out = (struct ArrowSchema){.format = formats[from->format[0] == 'z'][kind],
                              .name = copy,
                              .metadata = metadata == 0 ? NULL : copy + name,
                              .flags = from->flags,
                              .release = release_schema_leaf,
                              .private_data = copy};
  return 0;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  struct cast *cast = stream->private_data;
  struct ArrowSchema from;
  int code = cast->inner.get_schema(&cast->inner, &from);
  if (code != 0) return code;
  /* The pointers, and behind them the children. */
  struct ArrowSchema **pointers =
      calloc((size_t)cast->count, sizeof *pointers + sizeof(struct ArrowSchema));
  if (pointers == NULL) {
    from.release(&from);
    return ENOMEM;
  }
  struct ArrowSchema *children = (struct ArrowSchema *)(pointers + cast->count);
  for (int64_t i = 0; i < cast->count && code == 0; ++i) {
    pointers[i] = &children[i];
    if (cast->kinds[i] != AS_IS) {
      code = cast_field(from.children[i], cast->kinds[i], &children[i]);
    } else {
      children[i] = *from.children[i];
      from.children[i]->release = NULL; /* moved */
    }
  }
  from.release(&from);
  struct ArrowSchema made = {.format = "+s",
                             .name = "",
                             .n_children = cast->count,
                             .children = pointers,
                             .release = release_schema_parent,
                             .private_data = pointers};
  if (code != 0) {
    for (int64_t i = 0; i < cast->count; ++i)
      if (pointers[i] == NULL) pointers[i] = &children[i]; /* is empty */
    made.release(&made);
    return code;
  }
  *out = made;
  return 0;
}

/* ---- Arrays ---- */

static void release_array_leaf(struct ArrowArray *array) {
  for (int64_t i = 0; i < array->n_buffers; ++i) free((void *)array->buffers[i]);
  free(array->private_data);
  array->release = NULL;
}
static void release_array_parent(struct ArrowArray *array) {
  for (int64_t i = 0; i < array->n_children; ++i)
    if (array->children[i]->release != NULL) array->children[i]->release(array->children[i]);
  free(array->private_data);
  array->release = NULL;
}

/* The texts of a column: those of its dictionary, or its own. */
struct texts {
  const struct ArrowArray *column, *values;
  const int32_t *codes, *offsets;
  const char *bytes;
};

static struct texts texts_of(const struct ArrowArray *column) {
  struct texts texts = {.column = column, .values = column};
  if (column->dictionary != NULL) {
    texts.values = column->dictionary;
    texts.codes = (const int32_t *)column->buffers[1] + column->offset;
  }
  texts.offsets = (const int32_t *)texts.values->buffers[1] + texts.values->offset;
  texts.bytes = texts.values->buffers[2];
  return texts;
}

static int is_null(const struct texts *texts, int64_t row) {
  const unsigned char *bits = texts->column->buffers[0];
  const int64_t at = row + texts->column->offset;
  return bits != NULL && (bits[at / 8] >> at % 8 & 1) == 0;
}

/* Returns the length of a text, and where it begins in the bytes. */
static int32_t text_at(const struct texts *texts, int64_t row, int32_t *begin) {
  *begin = 0;
  if (is_null(texts, row)) return 0;
  const int64_t value = texts->codes == NULL ? row : texts->codes[row];
  *begin = texts->offsets[value];
  return texts->offsets[value + 1] - *begin;
}

/* Copies the bits of validity. NULL if all values are valid; sets *failed without memory. */
static void *copy_validity(const struct texts *texts, int *failed) {
  if (texts->column->buffers[0] == NULL) return NULL;
  const int64_t rows = texts->column->length;
  unsigned char *bits = calloc((size_t)(rows + 7) / 8 + 1, 1);
  *failed |= bits == NULL;
  for (int64_t row = 0; bits != NULL && row < rows; ++row)
    if (!is_null(texts, row)) bits[row / 8] |= (unsigned char)(1 << row % 8);
  return bits;
}

/* Makes offsets of 32 or 64 bits, and the bytes. Returns an errno value. */
static int cast_to_offsets(const struct texts *texts, int is_large, const void **buffers) {
  const int64_t rows = texts->column->length;
  int64_t size = 0;
  int32_t begin = 0;
  for (int64_t row = 0; row < rows; ++row) size += text_at(texts, row, &begin);
  if (!is_large && size > INT32_MAX) return EOVERFLOW;
  int64_t *large = is_large ? malloc(((size_t)rows + 1) * sizeof *large) : NULL;
  int32_t *small = is_large ? NULL : malloc(((size_t)rows + 1) * sizeof *small);
  char *bytes = malloc((size_t)size + 1);
  buffers[1] = is_large ? (void *)large : (void *)small;
  buffers[2] = bytes;
  if (buffers[1] == NULL || bytes == NULL) return ENOMEM;
  int64_t at = 0;
  for (int64_t row = 0; row <= rows; ++row) {
    if (is_large)
      large[row] = at;
    else
      small[row] = (int32_t)at;
    if (row == rows) break;
    const int32_t length = text_at(texts, row, &begin);
    if (length != 0) memcpy(bytes + at, texts->bytes + begin, (size_t)length);
    at += length;
  }
  return 0;
}

/* Makes views, and one buffer of all texts of the dictionary. Returns an errno value. */
static int cast_to_views(const struct texts *texts, const void **buffers) {
  struct view {
    int32_t length;
    char prefix[4];
    int32_t buffer, begin;
  };
  const int64_t rows = texts->column->length;
  const int64_t size = texts->offsets == NULL ? 0 : texts->offsets[texts->values->length];
  struct view *views = calloc((size_t)rows + 1, sizeof *views);
  char *bytes = malloc((size_t)size + 1);
  int64_t *sizes = malloc(sizeof *sizes);
  buffers[1] = views;
  buffers[2] = bytes;
  buffers[3] = sizes;
  if (views == NULL || bytes == NULL || sizes == NULL) return ENOMEM;
  *sizes = size;
  if (size != 0) memcpy(bytes, texts->bytes, (size_t)size);
  for (int64_t row = 0; row < rows; ++row) {
    int32_t begin = 0;
    views[row].length = text_at(texts, row, &begin);
    if (views[row].length <= 12) { /* within the view */
      if (views[row].length != 0)
        memcpy(views[row].prefix, bytes + begin, (size_t)views[row].length);
      continue;
    }
    memcpy(views[row].prefix, bytes + begin, sizeof views[row].prefix);
    views[row].begin = begin;
  }
  return 0;
}

static int cast_column(const struct ArrowArray *from, int kind, struct ArrowArray *out) {
  const void **buffers = calloc(4, sizeof *buffers);
  if (buffers == NULL) return ENOMEM;
  const struct texts texts = texts_of(from);
  int failed = 0;
  buffers[0] = copy_validity(&texts, &failed);
  int code = failed ? ENOMEM
             : kind == VIEW ? cast_to_views(&texts, buffers)
                            : cast_to_offsets(&texts, kind == LARGE, buffers);
  struct ArrowArray made = {.length = from->length,
                            .null_count = from->null_count,
                            .n_buffers = kind == VIEW ? 4 : 3,
                            .buffers = buffers,
                            .release = release_array_leaf,
                            .private_data = buffers};
  if (code != 0)
    made.release(&made);
  else
    *out = made;
  return code;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  struct cast *cast = stream->private_data;
  struct ArrowArray from;
  int code = cast->inner.get_next(&cast->inner, &from);
  if (code != 0) return code;
  if (from.release == NULL) { /* the end */
    out->release = NULL;
    return 0;
  }
  /* The only buffer, the pointers, and behind them the children. */
  const size_t count = (size_t)cast->count;
  void **memory = calloc(1 + count, sizeof *memory + sizeof(struct ArrowArray));
  if (memory == NULL) {
    from.release(&from);
    cast->message = "out of memory";
    return ENOMEM;
  }
  struct ArrowArray **pointers = (struct ArrowArray **)(memory + 1);
  struct ArrowArray *children = (struct ArrowArray *)(memory + 1 + count);
  for (size_t i = 0; i < count; ++i) pointers[i] = &children[i];
  for (size_t i = 0; i < count && code == 0; ++i) {
    if (cast->kinds[i] != AS_IS) {
      code = cast_column(from.children[i], cast->kinds[i], &children[i]);
    } else {
      children[i] = *from.children[i];
      from.children[i]->release = NULL; /* moved */
    }
  }
  struct ArrowArray made = {.length = from.length,
                            .n_buffers = 1,
                            .n_children = cast->count,
                            .buffers = (const void **)memory,
                            .children = pointers,
                            .release = release_array_parent,
                            .private_data = memory};
  from.release(&from);
  if (code != 0) {
    made.release(&made);
    cast->message = code == ENOMEM ? "out of memory" : "a batch has more than 2 GB of texts";
    return code;
  }
  *out = made;
  return 0;
}

/* ---- The stream ---- */

static const char *get_last_error(struct ArrowArrayStream *stream) {
  struct cast *cast = stream->private_data;
  return cast->message != NULL ? cast->message : cast->inner.get_last_error(&cast->inner);
}
static void release_stream(struct ArrowArrayStream *stream) {
  struct cast *cast = stream->private_data;
  stream->release = NULL;
  if (cast->inner.release != NULL) cast->inner.release(&cast->inner);
  free(cast);
}

static int kind_of(const char *format) {
  static const char *const formats[] = {"", "plain", "large", "view"};
  for (int kind = AS_IS; kind <= VIEW; ++kind)
    if (strcmp(format, formats[kind]) == 0) return kind;
  return -1;
}

/* cast(stream, kinds): a stream whose columns have the layouts "plain", "large" or "view"; "" keeps
 * that of a column. Takes the stream out of its capsule. */
static PyObject *cast_stream(PyObject *self, PyObject *args) {
  PyObject *capsule = NULL, *kinds = NULL;
  (void)self;
  if (!PyArg_ParseTuple(args, "OO", &capsule, &kinds)) return NULL;
  struct ArrowArrayStream *inner = PyCapsule_GetPointer(capsule, CORE_STREAM);
  const Py_ssize_t count = inner == NULL ? -1 : PyList_Size(kinds);
  if (count < 0) return NULL;
  struct cast *cast = calloc(1, sizeof *cast + (size_t)count);
  if (cast == NULL) return PyErr_NoMemory();
  cast->count = count;
  for (Py_ssize_t i = 0; i < count; ++i) {
    const char *text = PyUnicode_AsUTF8AndSize(PyList_GetItem(kinds, i), NULL);
    const int kind = text == NULL ? -1 : kind_of(text);
    if (kind < 0) {
      free(cast);
      return text == NULL ? NULL : PyErr_Format(PyExc_ValueError, "no layout: %s", text);
    }
    cast->kinds[i] = (unsigned char)kind;
  }
  cast->inner = *inner;
  inner->release = NULL;
  const struct ArrowArrayStream stream = {get_schema, get_next, get_last_error, release_stream,
                                          cast};
  return core_stream_capsule(&stream);
}

PyMethodDef core_cast_methods[] = {{"cast", cast_stream, METH_VARARGS, NULL},
                                   {NULL, NULL, 0, NULL}};
