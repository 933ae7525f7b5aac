#include "format/proto/window/message_rows.h"

#include <algorithm>
#include <protozero/buffer_string.hpp>
#include <protozero/varint.hpp>

#include "base/base64.h"
#include "format/common/proto_wire.h"

namespace tracebraid::proto {
namespace {

// Calls each(column) for each name of a list.
template <class Each>
void for_each_column(std::string_view columns, Each each) {
  while (!columns.empty()) {
    const size_t end = std::min(columns.find(' '), columns.size());
    each(columns.substr(0, end));
    columns.remove_prefix(std::min(end + 1, columns.size()));
  }
}

bool has_column(std::string_view columns, std::string_view name) {
  bool has = false;
  for_each_column(columns, [&](std::string_view column) { has |= column == name; });
  return has;
}

class Pruner {
 public:
  Pruner(DescriptorPool& pool, const FieldOfType& dropped) : pool_(pool), dropped_(dropped) {}

  void append(std::string_view type, std::string_view message, int depth, std::string& to) {
    Message fields(message);
    for (const char* begin = fields.position(); fields.next(); begin = fields.position()) {
      if (fields.number() == dropped_.number && type == dropped_.type) continue;
      const std::string_view whole(begin, static_cast<size_t>(fields.position() - begin));
      const FieldDescriptor* field =
          fields.wire() == Wire::Bytes ? pool_.field(type, fields.number()) : nullptr;
      if (field == nullptr || field->type != FieldType::Message || depth == kMaxArgDepth) {
        to += whole;
        continue;
      }
      std::string inner;
      append(field->type_name, fields.bytes(), depth + 1, inner);
      protozero::add_varint_to_buffer(
          &to, uint64_t{fields.number()} << 3 | static_cast<uint64_t>(Wire::Bytes));
      protozero::add_varint_to_buffer(&to, inner.size());
      to += inner;
    }
    is_malformed_ |= fields.bad();
  }
  bool is_malformed() const { return is_malformed_; }

 private:
  DescriptorPool& pool_;
  const FieldOfType& dropped_;
  bool is_malformed_ = false;
};

}  // namespace

void add_fields(const PacketInfo& packet, const MessageType& type, std::string_view message,
                ArraySizes& arrays, PacketOutput& out) {
  ArgPath path("");
  if (!add_whole_message_args(out.descriptors, type.name, message, path, arrays, out.sink))
    out.count(type.malformed, packet);
}

uint32_t message_args(const PacketInfo& packet, const MessageType& type, std::string_view message,
                      PacketOutput& out) {
  ArraySizes arrays;
  out.sink.open_args();
  add_fields(packet, type, message, arrays, out);
  return out.sink.close_args();
}

void add_raw(std::string_view message, RowWriter& row) {
  row.text("base64_proto_id", to_base64(message));
}

void add_cells(DescriptorPool& pool, std::string_view type, std::string_view message,
               std::string_view columns, RowWriter& row) {
  for (Message fields(message); fields.next();) {
    const FieldDescriptor* field = pool.field(type, fields.number());
    if (field == nullptr || !is_number(field->type) || !has_column(columns, field->name)) continue;
    row.integer(field->name, number_of(field->type, fields.u64()).value);
  }
}

void add_message_row(const PacketInfo& packet, const MessageTable& table, std::string_view message,
                     PacketOutput& out, absl::FunctionRef<void()> add_more) {
  ArraySizes arrays;
  out.sink.open_args();
  add_fields(packet, table.type, message, arrays, out);
  add_more();
  const uint32_t args = out.sink.close_args();
  RowWriter row(out.sink, table.table);
  add_raw(message, row);
  for_each_column(table.columns, [&](std::string_view column) { row.integer(column, 0); });
  add_cells(out.descriptors, table.type.name, message, table.columns, row);
  out.sink.event(row.finish(packet.time, args));
}

std::string without_field(const PacketInfo& packet, const MessageType& type,
                          std::string_view message, const FieldOfType& dropped, PacketOutput& out) {
  std::string pruned;
  Pruner pruner(out.descriptors, dropped);
  pruner.append(type.name, message, 0, pruned);
  if (pruner.is_malformed()) out.count(type.malformed, packet);
  return pruned;
}

}  // namespace tracebraid::proto
