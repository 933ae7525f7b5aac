// Rows that show messages of window traces (spec proto-2 11): all fields of a message as args, its
// bytes as base64, and some fields as cells.
//
// Input: messages whose fields the descriptor pool knows. Output: arg sets and cells of rows of
// plain tables. Called by the readers of this folder.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "event/row.h"
#include "format/proto/packet_info.h"
#include "format/proto/packet_output.h"

namespace tracebraid::proto {

// A type of message, and the stat that counts malformed ones.
struct MessageType {
  std::string_view name;
  StatId malformed;
};

// Returns an arg set of all fields. Counts a malformed message, and keeps what precedes the error.
uint32_t message_args(const PacketInfo& packet, const MessageType& type, std::string_view message,
                      PacketOutput& out);
// Adds all fields to the open arg set, as message_args does.
void add_fields(const PacketInfo& packet, const MessageType& type, std::string_view message,
                ArraySizes& arrays, PacketOutput& out);

// Adds the cell base64_proto_id.
void add_raw(std::string_view message, RowWriter& row);

// Adds the numbers of fields as cells of columns with the names of the fields: those of `columns`,
// separated by blanks. Absent fields have no cell.
void add_cells(DescriptorPool& pool, std::string_view type, std::string_view message,
               std::string_view columns, RowWriter& row);

// Messages of one kind that become rows of a table each, with the columns ts, arg_set_id,
// base64_proto_id and `columns`, which are named as fields of the message and are 0 without one.
struct MessageTable {
  std::string_view table;  // member of Store
  MessageType type;
  std::string_view columns = {};
};
// `add_more` adds further args to the open arg set.
void add_message_row(
    const PacketInfo& packet, const MessageTable& table, std::string_view message,
    PacketOutput& out, absl::FunctionRef<void()> add_more = [] {});

// A field of messages of a type, wherever they occur in a message.
struct FieldOfType {
  std::string_view type;
  uint32_t number;
};
// Returns the message without these fields. Counts a malformed message; it ends before the error.
std::string without_field(const PacketInfo& packet, const MessageType& type,
                          std::string_view message, const FieldOfType& dropped, PacketOutput& out);

}  // namespace tracebraid::proto
