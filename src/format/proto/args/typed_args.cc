#include "format/proto/args/typed_args.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "base/base64.h"
#include "format/common/proto_wire.h"
#include "format/proto/stats.h"

namespace tracebraid::proto {
namespace {

// Limit of the nesting of type declarations.
constexpr int kMaxTypeDepth = 32;

bool is_fixed64(FieldType type) {
  return type == FieldType::Double || type == FieldType::Fixed64 || type == FieldType::Sfixed64;
}
bool is_fixed32(FieldType type) {
  return type == FieldType::Float || type == FieldType::Fixed32 || type == FieldType::Sfixed32;
}

class Walker {
 public:
  Walker(DescriptorPool& pool, ArgPath& path, ArraySizes& arrays, EventSink& sink,
         const AddField* add_own)
      : pool_(pool), path_(path), arrays_(arrays), sink_(sink), add_own_(add_own) {}

  void add_message(std::string_view type, std::string_view message, int depth) {
    if (depth > kMaxArgDepth || !pool_.has_message(type)) {
      ++skipped_;
      return;
    }
    bool any = false;
    Message fields(message);
    while (fields.next()) {
      any = true;
      if (const FieldDescriptor* field = pool_.field(type, fields.number()))
        add_field(*field, fields, depth);
    }
    is_malformed_ |= fields.bad();
    if (!any) sink_.arg(path_.arg_key(sink_), ArgType::Null, 0);
  }

  void add_field(const FieldDescriptor& field, const Message& value, int depth) {
    if (add_own_ != nullptr && (*add_own_)(field, value, path_, depth)) return;
    const ArgPath::Mark mark = path_.mark();
    path_.enter(field.name);
    if (is_number(field.type))
      for_each_number(field.type, value, [&](uint64_t bits) { add_number(field, bits); });
    else if (value.wire() == Wire::Bytes)
      add_bytes(field, value.bytes(), depth);
    path_.leave(mark);
  }

  // The number of messages that were left out.
  int64_t skipped() const { return skipped_; }
  bool is_malformed() const { return is_malformed_; }

 private:
  void enter_element(const FieldDescriptor& field) {
    if (field.is_repeated) path_.enter(arrays_.add(path_));
  }

  void add_bytes(const FieldDescriptor& field, std::string_view bytes, int depth) {
    const ArgPath::Mark mark = path_.mark();
    enter_element(field);
    if (field.type == FieldType::Message)
      add_message(field.type_name, bytes, depth + 1);
    else
      sink_.arg(path_.arg_key(sink_), ArgType::String,
                sink_.string(field.type == FieldType::Bytes ? to_base64(bytes) : bytes).row);
    path_.leave(mark);
  }

  void add_number(const FieldDescriptor& field, uint64_t bits) {
    const ArgPath::Mark mark = path_.mark();
    enter_element(field);
    const uint32_t key = path_.arg_key(sink_);
    const FieldNumber number = number_of(field.type, bits);
    if (field.type == FieldType::Enum) {
      const std::string_view name = pool_.enum_name(field.type_name, number.value);
      const StringId text = sink_.string(name.empty() ? std::to_string(number.value) : name);
      sink_.arg(key, ArgType::String, text.row);
    } else {
      sink_.arg(key, number.type, number.value);
    }
    path_.leave(mark);
  }

  DescriptorPool& pool_;
  ArgPath& path_;
  ArraySizes& arrays_;
  EventSink& sink_;
  const AddField* add_own_;
  int64_t skipped_ = 0;
  bool is_malformed_ = false;
};

void count_skipped(const Walker& walker, EventSink& sink) {
  if (walker.skipped() > 0) sink.tally(stats::track_event_parser_errors, walker.skipped());
}

// Field numbers of descriptor.proto.
namespace file_descriptor {
constexpr uint32_t kPackage = 2, kMessageType = 4, kEnumType = 5, kExtension = 7;
}
namespace message_descriptor {
constexpr uint32_t kName = 1, kField = 2, kNestedType = 3, kEnumType = 4, kExtension = 6;
}
namespace field_descriptor {
constexpr uint32_t kName = 1, kExtendee = 2, kNumber = 3, kLabel = 4, kType = 5, kTypeName = 6;
}
namespace enum_descriptor {
constexpr uint32_t kName = 1, kValue = 2, kNumber = 2;
}
constexpr uint32_t kFiles = 1;         // of a FileDescriptorSet
constexpr uint32_t kExtensionSet = 1;  // of an ExtensionDescriptor
constexpr uint32_t kRepeated = 3;      // a label

// Maps FieldDescriptorProto.Type; 10 is a group.
FieldType type_of(uint32_t number) {
  using enum FieldType;
  constexpr FieldType kTypes[] = {Bytes,   Double,   Float,    Int64,  Uint64,  Int32, Fixed64,
                                  Fixed32, Bool,     String,   Bytes,  Message, Bytes, Uint32,
                                  Enum,    Sfixed32, Sfixed64, Sint32, Sint64};
  return number < std::size(kTypes) ? kTypes[number] : Bytes;
}

std::string joined(const std::string& scope, std::string_view name) {
  return scope.empty() ? std::string(name) : fmt::format("{}.{}", scope, name);
}

// Full names begin with a dot.
std::string full_name(std::string_view name) {
  return std::string(name.starts_with('.') ? name.substr(1) : name);
}

// The tables are data, because code for each row would take too long to compile.
struct KnownField {
  std::string_view message;
  uint32_t number;
  std::string_view name;
  FieldType type;
  bool is_repeated;
  std::string_view type_name;
};
struct KnownValue {
  std::string_view type;
  int64_t number;
  std::string_view name;
};
constexpr KnownField kKnownFields[] = {
#define TB_TYPED_FIELD(message, number, name, type, repeated, ref) \
  {message, number, name, FieldType::type, repeated, ref},
#define TB_ENUM_VALUE(type, number, name)
#include "format/proto/generated/typed_fields.inc"
#undef TB_TYPED_FIELD
#undef TB_ENUM_VALUE
};
constexpr KnownValue kKnownValues[] = {
#define TB_TYPED_FIELD(message, number, name, type, repeated, ref)
#define TB_ENUM_VALUE(type, number, name) {type, number, name},
#include "format/proto/generated/typed_fields.inc"
#undef TB_TYPED_FIELD
#undef TB_ENUM_VALUE
};

}  // namespace

void DescriptorPool::load() {
  std::call_once(loaded_, [this] {
    for (const KnownField& known : kKnownFields)
      messages_[known.message].try_emplace(
          known.number, FieldDescriptor{std::string(known.name), known.type, known.is_repeated,
                                        std::string(known.type_name)});
    for (const KnownValue& known : kKnownValues)
      enums_[known.type].try_emplace(known.number, known.name);
  });
}

bool DescriptorPool::add_extensions(std::string_view extension_descriptor) {
  bool is_whole = true;
  Message fields(extension_descriptor);
  while (fields.next())
    if (fields.number() == kExtensionSet) is_whole &= add_set(fields.bytes());
  return is_whole && !fields.bad();
}

bool DescriptorPool::add_set(std::string_view file_descriptor_set) {
  load();
  bool is_whole = true;
  Message files(file_descriptor_set);
  while (files.next()) {
    if (files.number() != kFiles) continue;
    Message file(files.bytes());
    while (file.next()) {
    }
    is_whole &= !file.bad();
    add_file(files.bytes());
  }
  return is_whole && !files.bad();
}

void DescriptorPool::add_file(std::string_view file) {
  std::string package;
  for (Message fields(file); fields.next();)
    if (fields.number() == file_descriptor::kPackage) package = fields.bytes();
  for (Message fields(file); fields.next();) {
    if (fields.number() == file_descriptor::kMessageType) add_message(package, fields.bytes(), 0);
    if (fields.number() == file_descriptor::kEnumType) add_enum(package, fields.bytes());
    if (fields.number() == file_descriptor::kExtension) add_field(package, fields.bytes(), true);
  }
}

void DescriptorPool::add_message(const std::string& scope, std::string_view descriptor, int depth) {
  namespace D = message_descriptor;
  if (depth > kMaxTypeDepth) return;
  std::string name;
  for (Message fields(descriptor); fields.next();)
    if (fields.number() == D::kName) name = joined(scope, fields.bytes());
  messages_[name];
  for (Message fields(descriptor); fields.next();) {
    if (fields.number() == D::kField) add_field(name, fields.bytes(), false);
    if (fields.number() == D::kExtension) add_field(name, fields.bytes(), true);
    if (fields.number() == D::kEnumType) add_enum(name, fields.bytes());
    if (fields.number() == D::kNestedType) add_message(name, fields.bytes(), depth + 1);
  }
}

void DescriptorPool::add_enum(const std::string& scope, std::string_view descriptor) {
  namespace D = enum_descriptor;
  std::string name;
  for (Message fields(descriptor); fields.next();)
    if (fields.number() == D::kName) name = joined(scope, fields.bytes());
  Values& values = enums_[name];
  for (Message fields(descriptor); fields.next();) {
    if (fields.number() != D::kValue) continue;
    std::string text;
    int64_t number = 0;
    for (Message value = fields.message(); value.next();) {
      if (value.number() == D::kName) text = value.bytes();
      if (value.number() == D::kNumber) number = value.i32();
    }
    if (values.try_emplace(number, std::move(text)).second) ++added_;
  }
}

void DescriptorPool::add_field(const std::string& owner, std::string_view descriptor,
                               bool is_extension) {
  namespace D = field_descriptor;
  FieldDescriptor field;
  std::string extended = owner;
  uint32_t number = 0;
  for (Message fields(descriptor); fields.next();) {
    switch (fields.number()) {
      case D::kName:
        field.name = fields.bytes();
        break;
      case D::kExtendee:
        if (is_extension) extended = full_name(fields.bytes());
        break;
      case D::kNumber:
        number = fields.u32();
        break;
      case D::kLabel:
        field.is_repeated = fields.u32() == kRepeated;
        break;
      case D::kType:
        field.type = type_of(fields.u32());
        break;
      case D::kTypeName:
        field.type_name = full_name(fields.bytes());
        break;
      default:
        break;
    }
  }
  if (messages_[extended].try_emplace(number, std::move(field)).second) ++added_;
}

bool DescriptorPool::has_message(std::string_view message) {
  load();
  return messages_.contains(message);
}

const FieldDescriptor* DescriptorPool::field(std::string_view message, uint32_t number) {
  load();
  const auto fields = messages_.find(message);
  if (fields == messages_.end()) return nullptr;
  const auto at = fields->second.find(number);
  return at == fields->second.end() ? nullptr : &at->second;
}

std::string_view DescriptorPool::enum_name(std::string_view enum_type, int64_t value) {
  load();
  const auto values = enums_.find(enum_type);
  if (values == enums_.end()) return {};
  const auto at = values->second.find(value);
  return at == values->second.end() ? std::string_view() : std::string_view(at->second);
}

FieldNumber number_of(FieldType type, uint64_t bits) {
  const auto number = static_cast<int64_t>(bits);
  switch (type) {
    case FieldType::Double:
      return {ArgType::Real, number};
    case FieldType::Float:
      return {ArgType::Real, bits_of(double{std::bit_cast<float>(static_cast<uint32_t>(bits))})};
    case FieldType::Bool:
      return {ArgType::Bool, bits != 0 ? 1 : 0};
    case FieldType::Uint32:
    case FieldType::Fixed32:
      return {ArgType::Uint, static_cast<uint32_t>(bits)};
    case FieldType::Uint64:
    case FieldType::Fixed64:
      return {ArgType::Uint, number};
    case FieldType::Sint32:
    case FieldType::Sint64:
      return {ArgType::Int, zigzag(bits)};
    case FieldType::Int32:
    case FieldType::Sfixed32:
    case FieldType::Enum:
      return {ArgType::Int, static_cast<int32_t>(bits)};
    default:
      return {ArgType::Int, number};
  }
}

void for_each_number(FieldType type, const Message& field,
                     absl::FunctionRef<void(uint64_t bits)> each) {
  const size_t size = is_fixed64(type) ? 8 : is_fixed32(type) ? 4 : 0;
  if (field.wire() != Wire::Bytes) return each(field.u64());
  if (size == 0) {
    for_each_varint(field, each);
    return;
  }
  for (std::string_view rest = field.bytes(); rest.size() >= size; rest.remove_prefix(size)) {
    uint64_t bits = 0;
    std::memcpy(&bits, rest.data(), size);
    each(bits);
  }
}

void add_message_args(DescriptorPool& pool, std::string_view type, std::string_view message,
                      ArgPath& path, ArraySizes& arrays, EventSink& sink, int depth,
                      const AddField* add_own) {
  Walker walker(pool, path, arrays, sink, add_own);
  walker.add_message(type, message, depth);
  count_skipped(walker, sink);
}

bool add_whole_message_args(DescriptorPool& pool, std::string_view type, std::string_view message,
                            ArgPath& path, ArraySizes& arrays, EventSink& sink) {
  Walker walker(pool, path, arrays, sink, nullptr);
  walker.add_message(type, message, 0);
  return walker.skipped() == 0 && !walker.is_malformed();
}

void add_field_args(DescriptorPool& pool, const FieldDescriptor& field, const Message& value,
                    ArgPath& path, ArraySizes& arrays, EventSink& sink, const AddField* add_own) {
  Walker walker(pool, path, arrays, sink, add_own);
  walker.add_field(field, value, 0);
  count_skipped(walker, sink);
}

}  // namespace tracebraid::proto
