#include "export/arrow/stream_messages.h"

#include <flatbuffers/flatbuffers.h>

namespace tracebraid::arrow {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using flatbuffers::Table;
using flatbuffers::uoffset_t;
using flatbuffers::voffset_t;

// Numbers of the Arrow format.
constexpr int16_t kVersion5 = 4;
enum Header : uint8_t { kSchema = 1, kDictionaryBatch = 2, kRecordBatch = 3 };
enum Type : uint8_t { kNull = 1, kInt = 2, kFloatingPoint = 3, kBinary = 4, kUtf8 = 5 };
constexpr int16_t kDouble = 2;

// The struct Buffer of Message.fbs.
struct BufferOfBody {
  int64_t offset, length;
};

// Returns the place of a field in the vtable, by its number in the schema.
constexpr voffset_t slot(int number) { return static_cast<voffset_t>(4 + 2 * number); }

// Ends a table that was begun at `start`.
Offset<Table> end(FlatBufferBuilder& to, uoffset_t start) { return {to.EndTable(start)}; }

Offset<Table> int_type(FlatBufferBuilder& to, int32_t bits) {
  const uoffset_t start = to.StartTable();
  to.AddElement<int32_t>(slot(0), bits, 0);
  to.AddElement<uint8_t>(slot(1), 1, 0);  // signed
  return end(to, start);
}

Offset<Table> double_type(FlatBufferBuilder& to) {
  const uoffset_t start = to.StartTable();
  to.AddElement<int16_t>(slot(0), kDouble, 0);
  return end(to, start);
}

Offset<Table> empty_table(FlatBufferBuilder& to) {
  const uoffset_t start = to.StartTable();
  return end(to, start);
}

struct FieldType {
  Type type = kNull;
  Offset<Table> table{};
};

FieldType field_type(FlatBufferBuilder& to, DataType type) {
  switch (type) {
    case DataType::Int64:
      return {kInt, int_type(to, 64)};
    case DataType::Float64:
      return {kFloatingPoint, double_type(to)};
    case DataType::Utf8:
    case DataType::Dictionary:
    case DataType::Variant:
      return {kUtf8, empty_table(to)};
    case DataType::Binary:
      return {kBinary, empty_table(to)};
    case DataType::Null:
    case DataType::Unknown:
      break;
  }
  return {kNull, empty_table(to)};
}

Offset<Table> dictionary_encoding(FlatBufferBuilder& to, int64_t id) {
  const Offset<Table> index = int_type(to, 32);
  const uoffset_t start = to.StartTable();
  to.AddElement<int64_t>(slot(0), id, -1);
  to.AddOffset(slot(1), index);
  return end(to, start);
}

Offset<Table> key_value(FlatBufferBuilder& to, std::string_view key, std::string_view value) {
  const auto key_text = to.CreateString(key.data(), key.size());
  const auto value_text = to.CreateString(value.data(), value.size());
  const uoffset_t start = to.StartTable();
  to.AddOffset(slot(0), key_text);
  to.AddOffset(slot(1), value_text);
  return end(to, start);
}

Offset<Table> field(FlatBufferBuilder& to, const Field& field, int64_t number) {
  const auto name = to.CreateString(field.name);
  const FieldType type = field_type(to, field.type);
  Offset<Table> dictionary;
  if (field.type == DataType::Dictionary) dictionary = dictionary_encoding(to, number);
  const auto children = to.CreateVector(std::vector<Offset<Table>>());
  Offset<flatbuffers::Vector<Offset<Table>>> metadata;
  const std::string_view column_type =
      field.type == DataType::Variant ? std::string_view("mixed") : field.meaning;
  if (!column_type.empty())
    metadata = to.CreateVector(std::vector{key_value(to, "tracebraid.type", column_type)});

  const uoffset_t start = to.StartTable();
  to.AddOffset(slot(0), name);
  to.AddElement<uint8_t>(slot(1), 1, 0);  // nullable
  to.AddElement<uint8_t>(slot(2), type.type, 0);
  to.AddOffset(slot(3), type.table);
  to.AddOffset(slot(4), dictionary);
  to.AddOffset(slot(5), children);
  to.AddOffset(slot(6), metadata);
  return end(to, start);
}

Offset<Table> record_batch(FlatBufferBuilder& to, size_t rows, std::span<const Node> nodes,
                           std::span<const size_t> sizes) {
  std::vector<BufferOfBody> buffers;
  int64_t offset = 0;
  for (const size_t size : sizes) {
    buffers.push_back({offset, static_cast<int64_t>(size)});
    offset += static_cast<int64_t>(padded(size));
  }
  const auto node_vector = to.CreateVectorOfStructs(nodes.data(), nodes.size());
  const auto buffer_vector = to.CreateVectorOfStructs(buffers);
  const uoffset_t start = to.StartTable();
  to.AddElement<int64_t>(slot(0), static_cast<int64_t>(rows), 0);
  to.AddOffset(slot(1), node_vector);
  to.AddOffset(slot(2), buffer_vector);
  return end(to, start);
}

// Returns the message, whose length prefix is that of a stream: a marker, and the length of the
// metadata with its padding.
std::string message(FlatBufferBuilder& to, Header header, Offset<Table> table,
                    std::span<const size_t> sizes) {
  int64_t body = 0;
  for (const size_t size : sizes) body += static_cast<int64_t>(padded(size));
  const uoffset_t start = to.StartTable();
  to.AddElement<int64_t>(slot(3), body, 0);
  to.AddOffset(slot(2), table);
  to.AddElement<int16_t>(slot(0), kVersion5, 0);
  to.AddElement<uint8_t>(slot(1), header, 0);
  to.Finish(end(to, start));

  const auto length = static_cast<uint32_t>(padded(to.GetSize()));
  std::string bytes = "\xff\xff\xff\xff";
  for (int byte = 0; byte < 4; ++byte) bytes.push_back(static_cast<char>(length >> (8 * byte)));
  bytes.append(reinterpret_cast<const char*>(to.GetBufferPointer()), to.GetSize());
  bytes.resize(8 + length);
  return bytes;
}

}  // namespace

std::string schema_message(const Schema& schema) {
  FlatBufferBuilder to;
  std::vector<Offset<Table>> fields;
  for (size_t i = 0; i < schema.fields.size(); ++i)
    fields.push_back(field(to, schema.fields[i], static_cast<int64_t>(i)));
  const auto field_vector = to.CreateVector(fields);
  const uoffset_t start = to.StartTable();
  to.AddOffset(slot(1), field_vector);  // slot 0 is the byte order: little by default
  return message(to, kSchema, end(to, start), {});
}

std::string batch_message(size_t rows, std::span<const Node> nodes, std::span<const size_t> sizes) {
  FlatBufferBuilder to;
  return message(to, kRecordBatch, record_batch(to, rows, nodes, sizes), sizes);
}

std::string dictionary_message(int64_t id, bool is_delta, size_t entries,
                               std::span<const size_t> sizes) {
  FlatBufferBuilder to;
  const Node node{static_cast<int64_t>(entries), 0};
  const Offset<Table> data = record_batch(to, entries, {&node, 1}, sizes);
  const uoffset_t start = to.StartTable();
  to.AddElement<int64_t>(slot(0), id, 0);
  to.AddOffset(slot(1), data);
  to.AddElement<uint8_t>(slot(2), is_delta ? 1 : 0, 0);
  return message(to, kDictionaryBatch, end(to, start), sizes);
}

}  // namespace tracebraid::arrow
