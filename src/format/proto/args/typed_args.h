// Typed args: converts messages to args by descriptors, which are built in or in the trace (spec
// proto 2.8, item 8).
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/functional/function_ref.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "event/sink.h"
#include "format/common/proto_wire.h"
#include "format/proto/args/args.h"

namespace tracebraid::proto {

enum class FieldType : uint8_t {
  Double,
  Float,
  Int32,
  Int64,
  Uint32,
  Uint64,
  Sint32,
  Sint64,
  Fixed32,
  Fixed64,
  Sfixed32,
  Sfixed64,
  Bool,
  String,
  Bytes,
  Enum,
  Message,
};

struct FieldDescriptor {
  std::string name;
  FieldType type = FieldType::Bytes;
  bool is_repeated = false;
  std::string type_name;  // name of a message or enum type
};

// Built-in descriptors are loaded at first use, because most traces need none. Threads may look up
// descriptors in parallel while nothing is added.
class DescriptorPool {
 public:
  // Adds the descriptors of an ExtensionDescriptor, or of a FileDescriptorSet. Existing descriptors
  // stay. Returns false if the bytes are malformed; descriptors read before the error are added.
  bool add_extensions(std::string_view extension_descriptor);
  bool add_set(std::string_view file_descriptor_set);

  // Returns the number of fields and enum values added so far.
  size_t added() const { return added_; }

  // Returns null for an unknown field.
  const FieldDescriptor* field(std::string_view message, uint32_t number);
  bool has_message(std::string_view message);
  // Returns an empty text for an unknown value. Valid until more descriptors are added.
  std::string_view enum_name(std::string_view enum_type, int64_t value);

 private:
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  template <class Value>
  using ByName = absl::flat_hash_map<std::string, Value, TextHash, std::equal_to<>>;
  using Fields = absl::flat_hash_map<uint32_t, FieldDescriptor>;
  using Values = absl::flat_hash_map<int64_t, std::string>;

  void add_file(std::string_view file);
  void add_message(const std::string& scope, std::string_view descriptor, int depth);
  void add_enum(const std::string& scope, std::string_view descriptor);
  void add_field(const std::string& owner, std::string_view descriptor, bool is_extension);

  void load();

  std::once_flag loaded_;
  ByName<Fields> messages_;
  ByName<Values> enums_;
  size_t added_ = 0;
};

constexpr bool is_number(FieldType type) {
  return type != FieldType::String && type != FieldType::Bytes && type != FieldType::Message;
}
// The value of a number and its type: Real, Bool, Int or Uint, in the form of an arg. The number of
// an enum is an Int.
struct FieldNumber {
  ArgType type;
  int64_t value;
};
FieldNumber number_of(FieldType type, uint64_t bits);
// Calls each(bits) for the values of a numeric field, packed or not.
void for_each_number(FieldType type, const Message& field,
                     absl::FunctionRef<void(uint64_t bits)> each);

// Adds a field below `path`, the path of its message, in a way of its own, or returns false: then
// the field is added as it is. `depth` counts the messages around the field.
using AddField = absl::FunctionRef<bool(const FieldDescriptor& field, const Message& value,
                                        ArgPath& path, int depth)>;

// Adds the fields of a message below `path`. Leaves out fields without a descriptor. Counts
// messages without a descriptor, or too deep, as track_event_parser_errors. `depth` counts the
// messages around this one. `add_own` may be null.
void add_message_args(DescriptorPool& pool, std::string_view type, std::string_view message,
                      ArgPath& path, ArraySizes& arrays, EventSink& sink, int depth = 0,
                      const AddField* add_own = nullptr);

// As add_message_args, but counts nothing: returns false if the message or a message in it is
// malformed, has no descriptor or is too deep.
[[nodiscard]] bool add_whole_message_args(DescriptorPool& pool, std::string_view type,
                                          std::string_view message, ArgPath& path,
                                          ArraySizes& arrays, EventSink& sink);

// Adds one field of a message. Requires: `field` is its descriptor.
void add_field_args(DescriptorPool& pool, const FieldDescriptor& field, const Message& value,
                    ArgPath& path, ArraySizes& arrays, EventSink& sink,
                    const AddField* add_own = nullptr);

}  // namespace tracebraid::proto
