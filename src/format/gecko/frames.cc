#include "format/gecko/frames.h"

#include "format/profile.h"

namespace tracebraid::gecko {
namespace {

constexpr std::string_view kNoLibrary = "gecko";

template <class T>
T at(const std::vector<T>& list, int64_t index, T none) {
  return index >= 0 && static_cast<size_t>(index) < list.size() ? list[static_cast<size_t>(index)]
                                                                : none;
}

// Names of functions, and the libraries they are in.
struct Functions {
  std::vector<int64_t> names, resources, files;
  std::vector<int64_t> resource_libs, resource_names;
};

Functions read_functions(const JsonValue& thread, const ProfileFacts& facts) {
  const Table functions = table_of(thread, facts, "funcTable");
  const Table resources = table_of(thread, facts, "resourceTable");
  return {indexes(functions.column("name")), indexes(functions.column("resource")),
          indexes(functions.column("fileName")), indexes(resources.column("lib")),
          indexes(resources.column("name"))};
}

std::string_view library_of(int64_t function, const Functions& functions, const ProfileFacts& facts,
                            const std::vector<JsonValue>& strings) {
  const int64_t resource = at(functions.resources, function, kNoIndex);
  if (resource == kNoIndex) return {};
  const int64_t lib = at(functions.resource_libs, resource, kNoIndex);
  if (lib != kNoIndex && static_cast<size_t>(lib) < facts.libs.size())
    if (const auto name = json_text(json_member(facts.libs[static_cast<size_t>(lib)], "name")))
      return *name;
  return string_at(strings, at(functions.resource_names, resource, kNoIndex));
}

StackFrame frame_of(std::string_view location, std::string_view library, EventSink& sink) {
  const Location split = split_location(location);
  if (library.empty()) library = split.library.empty() ? kNoLibrary : split.library;
  StackFrame frame;
  frame.name = sink.string(split.function);
  frame.mapping = sink.mapping({.name = sink.string(library)});
  return frame;
}

// The frames of all rows of the frame table; kNone for bad rows.
std::vector<uint32_t> read_frames(const JsonValue& thread, const ProfileFacts& facts,
                                  const std::vector<JsonValue>& strings, EventSink& sink) {
  const Table table = table_of(thread, facts, "frameTable");
  const bool has_locations = table.has("location");
  const std::vector<int64_t> names = indexes(table.column(has_locations ? "location" : "func"));
  const std::vector<int64_t> lines = indexes(table.column("line"));
  const Functions functions = has_locations ? Functions{} : read_functions(thread, facts);
  std::vector<uint32_t> frames;
  for (size_t row = 0; row < table.rows(); ++row) {
    if (table.is_bad(row) || names[row] == kNoIndex) {
      frames.push_back(kNone);
      continue;
    }
    if (has_locations) {
      frames.push_back(sink.frame(frame_of(string_at(strings, names[row]), {}, sink)));
      continue;
    }
    StackFrame frame = frame_of(string_at(strings, at(functions.names, names[row], kNoIndex)),
                                library_of(names[row], functions, facts, strings), sink);
    const int64_t file = at(functions.files, names[row], kNoIndex);
    if (file != kNoIndex) {
      frame.has_symbol = true;
      frame.source_file = sink.string(string_at(strings, file));
      if (lines[row] != kNoIndex) frame.line = lines[row];
    }
    frames.push_back(sink.frame(frame));
  }
  return frames;
}

}  // namespace

std::vector<JsonValue> string_table(const JsonValue& thread, const ProfileFacts& facts) {
  for (const JsonValue* const of : {&thread, &facts.shared})
    for (const std::string_view name : {"stringArray", "stringTable"})
      if (std::vector<JsonValue> strings = json_items(json_member(*of, name)); !strings.empty())
        return strings;
  return {};
}

std::string_view string_at(const std::vector<JsonValue>& strings, int64_t index) {
  return json_text(at(strings, index, JsonValue{})).value_or("");
}

Table table_of(const JsonValue& thread, const ProfileFacts& facts, std::string_view name) {
  const JsonValue own = json_member(thread, name);
  return Table(own ? own : json_member(facts.shared, name));
}

std::vector<uint32_t> read_stacks(const JsonValue& thread, const ProfileFacts& facts,
                                  const std::vector<JsonValue>& strings, EventSink& sink) {
  const std::vector<uint32_t> frames = read_frames(thread, facts, strings, sink);
  const Table table = table_of(thread, facts, "stackTable");
  const std::vector<JsonValue> prefix_values = table.column("prefix");
  const std::vector<int64_t> prefixes = indexes(prefix_values);
  const std::vector<int64_t> leaves = indexes(table.column("frame"));
  std::vector<uint32_t> callsites(table.rows(), kNone);
  for (size_t row = 0; row < table.rows(); ++row) {
    const uint32_t frame = at(frames, leaves[row], kNone);
    // A prefix stands before the stacks that it is a part of.
    const bool is_bad = table.is_bad(row) || frame == kNone ||
                        prefixes[row] >= static_cast<int64_t>(row) ||
                        (prefixes[row] == kNoIndex && !json_is_null(prefix_values[row]));
    if (is_bad) {
      sink.tally(Stat::gecko_bad_row);
      continue;
    }
    callsites[row] = sink.callsite(at(callsites, prefixes[row], kNone), frame);
  }
  return callsites;
}

}  // namespace tracebraid::gecko
