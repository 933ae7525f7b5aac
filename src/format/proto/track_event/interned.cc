#include "format/proto/track_event/interned.h"

#include <algorithm>
#include <string>

#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/profile/stacks.h"
#include "format/proto/recording/own.h"

namespace tracebraid::proto {
namespace {

// Returns the table of texts for a field of InternedData; null for other fields.
InternTable<StringId>* text_table(uint32_t field, InternedData& data) {
  switch (field) {
    case field::InternedData::kEventCategories:
      return &data.categories;
    case field::InternedData::kEventNames:
      return &data.event_names;
    case field::InternedData::kDebugAnnotationStringValues:
      return &data.annotation_strings;
    case field::InternedData::kDebugAnnotationValueTypeNames:
      return &data.annotation_types;
    case field::InternedData::kLogMessageBody:
      return &data.log_bodies;
    case field::InternedData::kHistogramNames:
      return &data.histogram_names;
    case field::InternedData::kCorrelationIdStr:
      return &data.correlation_ids;
    case field::InternedData::kKernelSymbols:
      return &data.kernel_symbols;
    case field::InternedData::kFunctionNames:
      return &data.function_names;
    case field::InternedData::kAndroidJobName:
      return &data.job_names;
    case field::InternedData::kVulkanMemoryKeys:
      return &data.vulkan_keys;
    default:
      return nullptr;
  }
}

// Whether the field holds texts of window traces.
bool is_window_text(uint32_t field) {
  using Field = field::InternedData;
  return (field >= Field::kProtologStringArgs && field <= Field::kViewcaptureClassName) ||
         field == Field::kViewcaptureContentDescription || field == Field::kViewcaptureText;
}

bool is_kept_message(uint32_t field) {
  using Field = field::InternedData;
  return field == Field::kGraphicsContexts || field == Field::kGpuSpecifications ||
         field == Field::kGpuCounterDescriptors || field == Field::kPacketContext ||
         field == Field::kAppWakelockInfo || field == Field::kComputeKernels ||
         field == Field::kComputeArgNames || is_window_text(field) ||
         field == Field::kUnsymbolizedSourceLocations ||
         (field >= Field::kV8JsFunctionName && field <= Field::kV8Isolate) ||
         field == Field::kStackSampleTaskContexts ||
         field == Field::kStackSampleExecutionContexts ||
         field == Field::kStackSampleCounterDescriptors ||
         field == Field::kStackSampleAsyncContextDescriptors;
}

void add_own_key(std::string_view message, const InternEntry& entry, InternedData& data,
                 EventSink& sink) {
  std::optional<std::string_view> flat, path;
  for (Message fields(message); fields.next();) {
    if (fields.number() == own::kFlatText) flat = fields.bytes();
    if (fields.number() == own::kPathText) path = fields.bytes();
  }
  data.own_keys.add(entry.iid, own::arg_key(entry.text, flat, path, sink));
}

}  // namespace

void InternedData::clear() {
  for (InternTable<StringId>* table :
       {&categories, &event_names, &annotation_strings, &annotation_types, &log_bodies,
        &histogram_names, &correlation_ids, &kernel_symbols, &vulkan_keys, &function_names,
        &job_names})
    table->clear();
  annotation_names.clear();
  own_keys.clear();
  source_locations.clear();
  messages.clear();
  stacks.reset();
}

uint32_t read_interned(std::string_view message, InternedData& data, EventSink& sink) {
  uint32_t errors = 0;
  for (Message fields(message); fields.next();) {
    if (fields.wire() != Wire::Bytes) continue;
    const InternEntry entry = read_intern_entry(Message(fields.bytes()));
    if (entry.iid == 0) {
      ++errors;
      continue;
    }
    // A field can serve both: function names are also names in other packets.
    if (InternedStacks::is_field(fields.number())) {
      if (!data.stacks) data.stacks = std::make_shared<InternedStacks>();
      data.stacks->add(fields.number(), fields.bytes(), sink);
    }
    if (InternTable<StringId>* table = text_table(fields.number(), data)) {
      if (table->find(entry.iid) == nullptr) table->add(entry.iid, sink.string(entry.text));
    } else if (fields.number() == field::InternedData::kDebugAnnotationNames) {
      if (data.annotation_names.find(entry.iid) == nullptr)
        data.annotation_names.add(entry.iid, annotation_name(entry.text, sink));
    } else if (fields.number() == field::InternedData::kSourceLocations) {
      data.source_locations.add(entry.iid, read_source_location(fields.bytes(), sink));
    } else if (fields.number() == own::kField) {
      add_own_key(fields.bytes(), entry, data, sink);
    } else if (is_kept_message(fields.number())) {
      data.messages[fields.number()].add(entry.iid, std::string(fields.bytes()));
    }
  }
  return errors;
}

StringId key_part(std::string_view text, EventSink& sink) {
  if (text.find_first_of(".[]") == std::string_view::npos) return sink.string(text);
  std::string safe(text);
  std::ranges::replace_if(safe, [](char c) { return c == '.' || c == '[' || c == ']'; }, '_');
  return sink.string(safe);
}

AnnotationName annotation_name(std::string_view name, EventSink& sink) {
  const StringId text = key_part(name, sink);
  const bool is_same = sink.batch().strings.get(text) == name;
  return {text, is_same ? text : sink.string(name)};
}

SourceLocationText read_source_location(std::string_view message, EventSink& sink) {
  SourceLocationText location;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case field::SourceLocation::kFileName: {
        std::string path(fields.bytes());
        std::ranges::replace(path, '\\', '/');
        location.file = sink.string(path);
        break;
      }
      case field::SourceLocation::kFunctionName:
        location.function = sink.string(fields.bytes());
        break;
      case field::SourceLocation::kLineNumber:
        location.line = fields.u32();
        location.has_line = true;
        break;
      default:
        break;
    }
  }
  return location;
}

}  // namespace tracebraid::proto
