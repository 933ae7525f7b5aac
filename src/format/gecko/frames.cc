#include "format/gecko/frames.h"

#include "format/common/profile.h"

namespace tracebraid::gecko {
namespace {

constexpr std::string_view kNoLibrary = "gecko";

template <class T>
T at(const std::vector<T>& list, int64_t index, T none) {
  return index >= 0 && static_cast<size_t>(index) < list.size() ? list[static_cast<size_t>(index)]
                                                                : none;
}

// A function in the processed dialect.
struct Function {
  int64_t name = kNoIndex, file = kNoIndex;
  StringId library;  // none if not given
};

// Returns the libraries that functions refer to by `resource`.
std::vector<StringId> read_resources(const JsonFields& thread, const ProfileFacts& facts,
                                     Strings& strings, EventSink& sink) {
  std::vector<StringId> libraries;
  // Up to version 41 of processed profiles, each thread has libraries of its own.
  const json::Value& own = thread["libs"];
  const std::vector<std::string> libs = own.is_given() ? names_in(own) : facts.libs;
  table_of(thread, facts, "resourceTable")
      .for_each_row<2>({"lib", "name"}, nullptr, [&](const Row&, const auto& values) {
        const auto lib = static_cast<uint64_t>(index_in(values[0]));
        const bool has_name = lib < libs.size() && !libs[lib].empty();
        libraries.push_back(has_name ? sink.string(libs[lib]) : strings.id(index_in(values[1])));
      });
  return libraries;
}

std::vector<Function> read_functions(const JsonFields& thread, const ProfileFacts& facts,
                                     Strings& strings, EventSink& sink) {
  const std::vector<StringId> libraries = read_resources(thread, facts, strings, sink);
  // Profiles since 2025 refer to a table of sources.
  std::vector<int64_t> sources;
  table_of(thread, facts, "sources")
      .for_each_row<1>({"filename"}, nullptr, [&](const Row&, const auto& values) {
        sources.push_back(index_in(values[0]));
      });
  std::vector<Function> functions;
  table_of(thread, facts, "funcTable")
      .for_each_row<4>(
          {"name", "fileName", "resource", "source"}, nullptr, [&](const Row&, const auto& values) {
            const int64_t file = index_in(values[1]);
            const int64_t source = at(sources, index_in(values[3]), kNoIndex);
            functions.push_back({.name = index_in(values[0]),
                                 .file = file != kNoIndex ? file : source,
                                 .library = at(libraries, index_in(values[2]), StringId{})});
          });
  return functions;
}

StackFrame frame_of(std::string_view location, StringId library, EventSink& sink) {
  const Location split = split_location(location);
  if (!library) library = sink.string(split.library.empty() ? kNoLibrary : split.library);
  StackFrame frame;
  frame.name = sink.string(split.function);
  frame.mapping = sink.mapping({.name = library});
  return frame;
}

// Returns the frames of all rows of the frame table; kNone for bad rows.
std::vector<uint32_t> read_frames(const JsonFields& thread, const ProfileFacts& facts,
                                  Strings& strings, EventSink& sink) {
  const Table table = table_of(thread, facts, "frameTable");
  const bool has_locations = table.has("location");
  std::vector<Function> functions;
  if (!has_locations) functions = read_functions(thread, facts, strings, sink);
  std::vector<uint32_t> frames;
  table.for_each_row<2>(
      {has_locations ? "location" : "func", "line"}, facts.input,
      [&](const Row& row, const auto& values) {
        const int64_t index = index_in(values[0]);
        if (row.is_bad || index == kNoIndex) return frames.push_back(kNone);
        if (has_locations)
          return frames.push_back(sink.frame(frame_of(strings.text(index), {}, sink)));
        const Function function = at(functions, index, Function{});
        StackFrame frame = frame_of(strings.text(function.name), function.library, sink);
        if (function.file != kNoIndex) {
          frame.has_symbol = true;
          frame.source_file = strings.id(function.file);
          if (const int64_t line = index_in(values[1]); line != kNoIndex) frame.line = line;
        }
        frames.push_back(sink.frame(frame));
      });
  return frames;
}

}  // namespace

Table table_of(const JsonFields& thread, const ProfileFacts& facts, std::string_view name) {
  const json::Value& own = thread[name];
  return Table(own.kind != json::Kind::Absent ? own : facts.shared[name]);
}

std::vector<uint32_t> read_stacks(const JsonFields& thread, const ProfileFacts& facts,
                                  Strings& strings, EventSink& sink) {
  const std::vector<uint32_t> frames = read_frames(thread, facts, strings, sink);
  std::vector<uint32_t> callsites;
  table_of(thread, facts, "stackTable")
      .for_each_row<2>({"prefix", "frame"}, facts.input, [&](const Row& row, const auto& values) {
        const int64_t prefix = index_in(values[0]);
        const uint32_t frame = at(frames, index_in(values[1]), kNone);
        // A prefix must precede its stacks.
        if (row.is_bad || frame == kNone || prefix >= static_cast<int64_t>(row.number) ||
            (prefix == kNoIndex && values[0].is_given() && scanned_integer(values[0]) != -1)) {
          count_bad_reference(row, facts, sink);
          return callsites.push_back(kNone);
        }
        callsites.push_back(sink.callsite(at(callsites, prefix, kNone), frame));
      });
  return callsites;
}

}  // namespace tracebraid::gecko
