#include "format/proto/track_event/interned_values.h"

#include <algorithm>
#include <string>
#include <utility>

#include "format/proto/args/debug_annotations.h"
#include "format/proto/generated/fields.h"
#include "format/proto/profile/stacks.h"

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
  if (field.name == "mojo_interface_method_iid" && path.key() == "chrome_mojo_event_info")
    return add_method(value, path, sink);
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

// The mapping and the address of the method, whose symbol may come later: assembling replaces them
// then.
bool InternedValues::add_method(const Message& value, const ArgPath& path, EventSink& sink) {
  using Field = field::UnsymbolizedSourceLocation;
  const std::string* location = packet_.sequence->find_message(
      field::InternedData::kUnsymbolizedSourceLocations, value.u64());
  if (location == nullptr || !packet_.sequence->interned->stacks) return false;
  uint64_t mapping_iid = 0, rel_pc = 0;
  for (Message fields(*location); fields.next();) {
    if (fields.number() == Field::kMappingId) mapping_iid = fields.u64();
    if (fields.number() == Field::kRelPc) rel_pc = fields.u64();
  }
  const std::optional<uint32_t> mapping =
      packet_.sequence->interned->stacks->known_mapping(mapping_iid, packet_.machine, sink);
  // The field occurs once in an event; further ones keep their number.
  if (!mapping || std::exchange(has_method_, true)) return false;
  const auto key = [&](std::initializer_list<std::string_view> names) {
    ArgPath member = path;
    for (const std::string_view name : names) member.enter(name);
    return member.arg_key(sink);
  };
  MethodArgs method{.first = static_cast<uint32_t>(sink.batch().args.rows.size()),
                    .mapping = *mapping,
                    .mapping_key = key({"mojo_interface_method", "native_symbol", "mapping_id"}),
                    .name_key = key({"mojo_method_name"}),
                    .interface_key = key({"mojo_interface_tag"})};
  sink.arg(method.mapping_key, ArgType::Uint, 0);
  sink.arg(key({"mojo_interface_method", "native_symbol", "rel_pc"}), ArgType::Uint,
           static_cast<int64_t>(rel_pc));
  sink.batch().stacks.methods.push_back(method);
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
