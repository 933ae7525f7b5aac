#include "capi/arrow_export.h"

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tracebraid::capi {
namespace {

// What the private_data of a struct owns. Children are released with their parent, unless a
// consumer has moved them out, which clears their `release`.
struct SchemaParts {
  std::string format, name, metadata;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
  ArrowSchema dictionary{};
};

struct ArrayParts {
  ArrayParts(const ArrayData& of, std::shared_ptr<HeldBuffers> in) : data(of), held(std::move(in)) {
    held->add(data);
  }
  ~ArrayParts() { held->remove(data); }
  ArrayParts(const ArrayParts&) = delete;
  ArrayParts& operator=(const ArrayParts&) = delete;

  ArrayData data;  // keeps the buffers alive
  std::shared_ptr<HeldBuffers> held;
  std::array<const void*, 3> buffers{};
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
  ArrowArray dictionary{};
};

template <class Struct, class Parts>
void release(Struct* of) {
  auto* const parts = static_cast<Parts*>(of->private_data);
  for (Struct& child : parts->children)
    if (child.release != nullptr) child.release(&child);
  if (parts->dictionary.release != nullptr) parts->dictionary.release(&parts->dictionary);
  of->release = nullptr;
  delete parts;
}

// The children of a Variant, in their order.
constexpr DataType kVariantTypes[] = {DataType::Null, DataType::Int64, DataType::Float64,
                                      DataType::Utf8, DataType::Binary};

std::string_view format_of(DataType type) {
  switch (type) {
    case DataType::Int64:
      return "l";
    case DataType::Float64:
      return "g";
    case DataType::Dictionary:
      return "i";
    case DataType::Binary:
      return "z";
    case DataType::Utf8:
      return "u";
    case DataType::Variant:
      return "+ud:0,1,2,3,4";
    case DataType::Unknown:
    case DataType::Null:
      break;
  }
  return "n";
}

// Encodes one pair of key and value as the interface defines.
std::string metadata_of(std::string_view key, std::string_view value) {
  std::string bytes;
  const auto add = [&bytes](size_t number) {
    const auto value32 = static_cast<int32_t>(number);
    char raw[sizeof value32];
    std::memcpy(raw, &value32, sizeof raw);
    bytes.append(raw, sizeof raw);
  };
  add(1);
  for (const std::string_view text : {key, value}) {
    add(text.size());
    bytes += text;
  }
  return bytes;
}

// Fills *out from parts that are complete; cannot fail.
void finish(std::unique_ptr<SchemaParts> parts, ArrowSchema* out) noexcept {
  *out = {};
  out->format = parts->format.c_str();
  out->name = parts->name.c_str();
  out->metadata = parts->metadata.empty() ? nullptr : parts->metadata.c_str();
  out->n_children = static_cast<int64_t>(parts->children.size());
  out->children = parts->pointers.empty() ? nullptr : parts->pointers.data();
  out->dictionary = parts->dictionary.release == nullptr ? nullptr : &parts->dictionary;
  out->release = release<ArrowSchema, SchemaParts>;
  out->private_data = parts.release();
}

template <class Parts>
void add_pointers(Parts& parts) {
  for (auto& child : parts.children) parts.pointers.push_back(&child);
}

// Releases what was made before an exception.
template <class Parts>
struct Guard {
  std::unique_ptr<Parts> parts;
  ~Guard() {
    if (parts == nullptr) return;
    for (auto& child : parts->children)
      if (child.release != nullptr) child.release(&child);
    if (parts->dictionary.release != nullptr) parts->dictionary.release(&parts->dictionary);
  }
};

void export_field(const Field& field, ArrowSchema* out) {
  Guard<SchemaParts> guard{std::make_unique<SchemaParts>()};
  SchemaParts& parts = *guard.parts;
  parts.format = format_of(field.type);
  parts.name = field.name;
  const std::string_view meaning =
      field.type == DataType::Unknown ? std::string_view("unknown") : field.meaning;
  if (!meaning.empty()) parts.metadata = metadata_of("tracebraid.type", meaning);
  if (field.type == DataType::Dictionary)
    export_field({.name = "", .type = DataType::Utf8}, &parts.dictionary);
  if (field.type == DataType::Variant) {
    parts.children.resize(std::size(kVariantTypes));
    add_pointers(parts);
    for (size_t i = 0; i < parts.children.size(); ++i)
      export_field({.name = "", .type = kVariantTypes[i]}, &parts.children[i]);
  }
  finish(std::move(guard.parts), out);
  out->flags = ARROW_FLAG_NULLABLE;
}

void finish(std::unique_ptr<ArrayParts> parts, int64_t buffers, ArrowArray* out) noexcept {
  *out = {};
  out->length = static_cast<int64_t>(parts->data.length);
  out->null_count = static_cast<int64_t>(parts->data.null_count);
  out->n_buffers = buffers;
  out->buffers = buffers == 0 ? nullptr : parts->buffers.data();
  out->n_children = static_cast<int64_t>(parts->children.size());
  out->children = parts->pointers.empty() ? nullptr : parts->pointers.data();
  out->dictionary = parts->dictionary.release == nullptr ? nullptr : &parts->dictionary;
  out->release = release<ArrowArray, ArrayParts>;
  out->private_data = parts.release();
}

// Consumers read buffers of arrays without rows: offsets have one entry there.
alignas(64) constexpr char kNoBytes[64] = {};

const void* or_empty(const Buffer& buffer) {
  return buffer.data == nullptr ? static_cast<const void*>(kNoBytes) : buffer.data;
}

void export_array(const ArrayData& data, const std::shared_ptr<HeldBuffers>& held,
                  ArrowArray* out) {
  Guard<ArrayParts> guard{std::make_unique<ArrayParts>(data, held)};
  ArrayParts& parts = *guard.parts;
  int64_t buffers = 0;
  if (data.type == DataType::Null) {
    parts.data.null_count = data.length;
  } else if (data.type == DataType::Variant) {
    parts.data.null_count = 0;  // unions have no validity of their own
    parts.buffers = {or_empty(data.values), or_empty(data.offsets)};
    parts.children.resize(data.children.size());
    add_pointers(parts);
    for (size_t i = 0; i < data.children.size(); ++i)
      export_array(data.children[i], held, &parts.children[i]);
    buffers = 2;
  } else {
    parts.buffers[0] = data.null_count == 0 ? nullptr : data.validity.data;
    parts.buffers[1] = or_empty(data.values);
    const bool has_bytes = data.type == DataType::Utf8 || data.type == DataType::Binary;
    if (has_bytes) parts.buffers[2] = or_empty(data.bytes);
    buffers = has_bytes ? 3 : 2;
  }
  if (data.type == DataType::Dictionary) {
    static const ArrayData kNoTexts{.type = DataType::Utf8};
    export_array(data.dictionary == nullptr ? kNoTexts : *data.dictionary, held, &parts.dictionary);
  }
  finish(std::move(guard.parts), buffers, out);
}

}  // namespace

void export_schema(const Schema& schema, ArrowSchema* out) {
  Guard<SchemaParts> guard{std::make_unique<SchemaParts>()};
  SchemaParts& parts = *guard.parts;
  parts.format = "+s";
  parts.children.resize(schema.fields.size());
  add_pointers(parts);
  for (size_t i = 0; i < schema.fields.size(); ++i)
    export_field(schema.fields[i], &parts.children[i]);
  finish(std::move(guard.parts), out);
}

void export_batch(const RecordBatch& batch, const std::shared_ptr<HeldBuffers>& held,
                  ArrowArray* out) {
  Guard<ArrayParts> guard{std::make_unique<ArrayParts>(ArrayData{.length = batch.rows}, held)};
  ArrayParts& parts = *guard.parts;
  parts.children.resize(batch.columns.size());
  add_pointers(parts);
  for (size_t i = 0; i < batch.columns.size(); ++i)
    export_array(batch.columns[i], held, &parts.children[i]);
  finish(std::move(guard.parts), 1, out);
}

}  // namespace tracebraid::capi
