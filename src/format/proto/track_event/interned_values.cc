#include "format/proto/track_event/interned_values.h"

#include <algorithm>
#include <string>

#include "format/proto/args/debug_annotations.h"
#include "format/proto/generated/fields.h"

namespace tracebraid::proto {
namespace {

// Messages with a field that is the number of a source location, and its name.
struct LocationField {
  std::string_view path, field;
};
constexpr LocationField kLocations[] = {
    {"begin_impl_frame_args.current_args", "source_location_iid"},
    {"begin_impl_frame_args.last_args", "source_location_iid"},
    {"begin_frame_observer_state.last_begin_frame_args", "source_location_iid"},
    {"chrome_memory_pressure_notification", "creation_location_iid"},
};

}  // namespace

bool InternedValues::add(const FieldDescriptor& field, const Message& value, ArgPath& path,
                         int depth, ArraySizes& arrays, EventSink& sink) {
  if (is_annotation(field, value)) {
    errors_ += read_annotation_below(value.bytes(), path, depth + 1, packet_.machine,
                                     packet_.sequence->interned.get(), pool_, arrays, sink);
    return true;
  }
  if (!field.name.ends_with("_iid")) return false;
  const auto is_here = [&](const LocationField& known) {
    return field.name == known.field && path.key().ends_with(known.path);
  };
  if (std::ranges::any_of(kLocations, is_here)) return add_location(value, path, sink);
  if (field.name == "job_name_iid" && path.key() == "job_scheduler_job")
    return add_job_name(value, path, sink);
  return false;
}

bool InternedValues::add_location(const Message& value, const ArgPath& path, EventSink& sink) {
  const auto* location = packet_.sequence->find(&InternedData::source_locations, value.u64());
  if (location == nullptr) return false;
  const auto key = [&](std::string_view name) {
    ArgPath member = path;
    member.enter(name);
    return member.arg_key(sink);
  };
  if (location->file) sink.arg(key("file_name"), ArgType::String, location->file.row);
  if (location->function) sink.arg(key("function_name"), ArgType::String, location->function.row);
  if (location->has_line) sink.arg(key("line_number"), ArgType::Int, location->line);
  return true;
}

bool InternedValues::add_job_name(const Message& value, const ArgPath& path, EventSink& sink) {
  const StringId* name = packet_.sequence->find(&InternedData::job_names, value.u64());
  if (name == nullptr) return false;
  ArgPath member = path;
  member.enter("job_name");
  sink.arg(member.arg_key(sink), ArgType::String, name->row);
  return true;
}

}  // namespace tracebraid::proto
