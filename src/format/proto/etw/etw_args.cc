#include "format/proto/etw/etw_args.h"

#include "event/plain_args.h"
#include "format/proto/generated/fields.h"

namespace tracebraid::proto {
namespace {

enum class Type : uint8_t { Pointer, Uint, Int, String, InfoClass, ExtraInfo };

struct KnownEvent {
  uint32_t event, opcode;
  std::string_view name;
};
constexpr KnownEvent kEvents[] = {
#define TB_ETW_EVENT(event, opcode, name) {event, opcode, name},
#include "format/proto/generated/etw_events.inc"
#undef TB_ETW_EVENT
};

struct KnownArg {
  uint32_t event, field;
  std::string_view key;
  Type type;
};
constexpr KnownArg kArgs[] = {
#define TB_ETW_ARG(event, field, key, type) {event, field, key, Type::type},
#include "format/proto/generated/etw_args.inc"
#undef TB_ETW_ARG
};

struct KnownName {
  EtwName kind;
  uint64_t value;
  std::string_view name;
};
constexpr KnownName kNames[] = {
#define TB_ETW_NAME(kind, value, name) {EtwName::kind, value, name},
#include "format/proto/generated/etw_names.inc"
#undef TB_ETW_NAME
};

const KnownEvent* find_event(uint32_t event) {
  for (const KnownEvent& known : kEvents)
    if (known.event == event) return &known;
  return nullptr;
}

// Extra information is the disposition or the new size of a file, depending on the class.
std::string_view extra_info_key(const Message& message, std::string_view usual) {
  constexpr uint64_t kDisposition = 13, kAllocation = 19, kEndOfFile = 20;
  const auto info_class = find_field(message, field::FileIoInfoEtwEvent::kInfoClass);
  if (!info_class) return usual;
  if (info_class->u64() == kDisposition) return "Disposition";
  const bool is_size = info_class->u64() == kAllocation || info_class->u64() == kEndOfFile;
  return is_size ? "File Size" : usual;
}

void add_arg(const KnownArg& arg, const Message& message, const Message& value, EventSink& sink) {
  switch (arg.type) {
    case Type::Pointer:
      return add_int(arg.key, value.i64(), sink, ArgType::Pointer);
    case Type::Uint:
      return add_int(arg.key, value.i64(), sink, ArgType::Uint);
    case Type::Int:
      return add_int(arg.key, value.i64(), sink);
    case Type::String:
      return add_text(arg.key, value.bytes(), sink);
    case Type::ExtraInfo:
      return add_int(extra_info_key(message, arg.key), value.i64(), sink, ArgType::Uint);
    case Type::InfoClass:
      if (const auto name = etw_name(EtwName::InfoClass, value.u64()))
        add_text(arg.key, *name, sink);
      else
        add_int(arg.key, value.i64(), sink, ArgType::Uint);
  }
}

}  // namespace

std::optional<std::string_view> etw_name(EtwName kind, uint64_t value) {
  for (const KnownName& known : kNames)
    if (known.kind == kind && known.value == value) return known.name;
  return std::nullopt;
}

bool is_etw_file_operation(uint32_t event) {
  return event != field::EtwTraceEvent::kDiskIo && find_event(event) != nullptr;
}

StringId etw_operation_name(uint32_t event, const Message& fields, EventSink& sink) {
  constexpr uint64_t kFirstOpcode = 64, kLastOpcode = 86;
  const KnownEvent* known = find_event(event);
  if (known == nullptr) return {};
  std::optional<Message> opcode;
  if (known->opcode != 0) opcode = find_field(fields, known->opcode);
  if (!opcode || opcode->u64() < kFirstOpcode || opcode->u64() > kLastOpcode)
    return sink.string(known->name);
  const auto name = etw_name(EtwName::FileOpcode, opcode->u64());
  return name ? sink.string(*name) : StringId{};
}

std::optional<uint64_t> etw_request(uint32_t event, const Message& fields) {
  uint32_t number = field::FileIoOpEndEtwEvent::kIrpPtr;  // ends have no arg with the pointer
  for (const KnownArg& arg : kArgs)
    if (arg.event == event && arg.key == "I/O Request Packet") number = arg.field;
  const auto pointer = find_field(fields, number);
  return pointer ? std::optional(pointer->u64()) : std::nullopt;
}

void add_etw_args(uint32_t event, const Message& fields, EventSink& sink) {
  for (const KnownArg& arg : kArgs)
    if (arg.event == event)
      if (const auto value = find_field(fields, arg.field)) add_arg(arg, fields, *value, sink);
}

}  // namespace tracebraid::proto
