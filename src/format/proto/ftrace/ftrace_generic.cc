#include "format/proto/ftrace/ftrace_generic.h"

#include <algorithm>
#include <array>
#include <bit>

#include "event/plain_args.h"
#include "format/proto/generated/fields.h"

namespace tracebraid::proto {
namespace {

// google.protobuf.DescriptorProto and FieldDescriptorProto.
enum Descriptor : uint32_t { kName = 1, kField = 2 };
enum FieldDescriptor : uint32_t { kFieldName = 1, kNumber = 3, kType = 5 };
enum Type : uint32_t {
  kDouble = 1,
  kFloat = 2,
  kInt64 = 3,
  kUint64 = 4,
  kInt32 = 5,
  kFixed64 = 6,
  kFixed32 = 7,
  kBool = 8,
  kString = 9,
  kUint32 = 13,
  kEnum = 14,
  kSfixed32 = 15,
  kSfixed64 = 16,
  kSint32 = 17,
  kSint64 = 18,
};

constexpr size_t kMaxFields = 1024;  // of one event

bool says_what_is_shown(std::string_view name) {
  return name == "track_event_type" || name == "counter_value" || name == "slice_name" ||
         name == "track_name" || name.starts_with("scope_");
}

GenericField read_field(Message fields, GenericEvent& event, EventSink& sink) {
  GenericField field;
  std::string_view name;
  while (fields.next()) {
    if (fields.number() == kFieldName) name = fields.bytes();
    if (fields.number() == kNumber) field.number = fields.u32();
    if (fields.number() == kType) field.type = fields.u32();
  }
  field.key = plain_key(name, sink);
  field.is_track_event = says_what_is_shown(name);
  event.is_track_event |= name == "track_event_type" || name == "counter_value";
  return field;
}

void add_arg(const GenericField& field, const Message& value, EventSink& sink) {
  const auto add = [&](ArgType type, int64_t bits) { sink.arg(field.key, type, bits); };
  // Repeated numbers may be packed; the last one applies in both cases.
  const auto last = [&] {
    uint64_t bits = 0;
    for_each_varint(value, [&](uint64_t each) { bits = each; });
    return static_cast<int64_t>(bits);
  };
  switch (field.type) {
    case kDouble:
    case kFloat:
      return add(ArgType::Real, bits_of(value.real()));
    case kInt64:
      return add(ArgType::Int, last());
    case kSfixed64:
      return add(ArgType::Int, value.i64());
    case kInt32:
    case kEnum:
      return add(ArgType::Int, static_cast<int32_t>(last()));
    case kSfixed32:
      return add(ArgType::Int, value.i32());
    case kSint32:
    case kSint64:
      return add(ArgType::Int, value.zigzag());
    case kUint64:
      return add(ArgType::Uint, last());
    case kFixed64:
      return add(ArgType::Uint, value.i64());
    case kUint32:
      return add(ArgType::Uint, static_cast<uint32_t>(last()));
    case kFixed32:
      return add(ArgType::Uint, value.u32());
    case kBool:
      return add(ArgType::Bool, value.flag() ? 1 : 0);
    case kString:
      return add(ArgType::String, sink.string(value.bytes()).row);
    default:
      return;
  }
}

}  // namespace

bool add_generic_descriptor(std::string_view message, GenericEvents& events, EventSink& sink) {
  using Field = field::FtraceEventBundle_GenericEventDescriptor;
  uint32_t number = 0;
  std::string_view descriptor;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Field::kFieldId) number = fields.u32();
    if (fields.number() == Field::kEventDescriptor) descriptor = fields.bytes();
  }
  if (number < kFirstGenericEvent) return false;
  if (events.contains(number)) return true;
  GenericEvent event;
  Message fields(descriptor);
  while (fields.next()) {
    if (fields.number() == kName) event.name = sink.string(fields.bytes());
    if (fields.number() == kField && event.fields.size() < kMaxFields)
      event.fields.push_back(read_field(fields.message(), event, sink));
  }
  if (fields.bad() || !event.name) return false;
  events.emplace(number, std::move(event));
  return true;
}

GenericArgs add_generic_args(const GenericEvent& event, std::string_view message, EventSink& sink) {
  GenericArgs result;
  std::vector<bool> present(event.fields.size());
  for (Message fields(message); fields.next();) {
    const auto field = std::ranges::find(event.fields, fields.number(), &GenericField::number);
    if (field == event.fields.end()) {
      result.has_unknown_fields = true;
      continue;
    }
    add_arg(*field, fields, sink);
    present[static_cast<size_t>(field - event.fields.begin())] = true;
  }
  for (size_t i = 0; i < present.size() && event.is_track_event; ++i)
    result.lacks_fields |= event.fields[i].is_track_event && !present[i];
  return result;
}

std::string_view add_legacy_args(std::string_view message, EventSink& sink) {
  using Event = field::GenericFtraceEvent;
  using Field = field::GenericFtraceEvent_Field;
  std::string_view event_name;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Event::kEventName) event_name = fields.bytes();
    if (fields.number() != Event::kField) continue;
    std::string_view name;
    ArgType type = ArgType::Null;
    int64_t value = 0;
    for (Message parts = fields.message(); parts.next();) {
      if (parts.number() == Field::kName) name = parts.bytes();
      if (parts.number() == Field::kStrValue) {
        type = ArgType::String;
        value = sink.string(parts.bytes()).row;
      }
      if (parts.number() == Field::kIntValue || parts.number() == Field::kUintValue) {
        type = ArgType::Int;
        value = parts.i64();
      }
    }
    if (type != ArgType::Null) sink.arg(plain_key(name, sink), type, value);
  }
  return event_name;
}

}  // namespace tracebraid::proto
