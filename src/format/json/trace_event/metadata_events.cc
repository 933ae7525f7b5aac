#include "format/json/trace_event/metadata_events.h"

#include <algorithm>
#include <bit>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/json/profile/heap_dumps.h"
#include "format/json/profile/stacks.h"
#include "format/json/stats.h"

namespace tracebraid::json {
namespace {

// Priorities of names (spec proto 4.1): an explicit name takes precedence over one from the
// scheduler, and a track descriptor over both.
constexpr int64_t kProcessNamePriority = 2;
constexpr int64_t kThreadNamePriority = 3;

void name_process(Chunk& chunk, const Members& members, const Dom& args, bool is_thread) {
  const Dom* const name = args.find("name");
  if (name == nullptr || !name->is(Kind::String) || name->text.empty())
    return note_failure(chunk, members, stats::json_name_missing);
  const Who who = chunk.threads.who(members);
  const uint32_t owner = is_thread ? chunk.threads.thread(who) : chunk.threads.process(who.pid);
  const StringId text = chunk.sink.string(name->text);
  chunk.sink.untimed(is_thread ? make_thread_name(chunk.at(0), owner, text, kThreadNamePriority)
                               : make_process_name(chunk.at(0), owner, text, kProcessNamePriority));
}

// Reads a number, or a text with a number.
bool read_number(const Dom* arg, Hint& hint) {
  if (arg == nullptr) return false;
  std::optional<Number> number;
  if (arg->is(Kind::Number)) number = arg->value.number;
  if (arg->is(Kind::String)) number = number_in(arg->text);
  if (!number) return false;
  if (const std::optional<int64_t> whole = to_int64(*number)) {
    hint.value = *whole;
  } else {
    const std::string_view text = arg->is(Kind::String) ? arg->text : arg->value.raw;
    hint.type = ArgType::Real;
    hint.value = std::bit_cast<int64_t>(to_double(*number, text));
  }
  return true;
}

void note_number(Chunk& chunk, const Members& members, const Dom* arg, Hint::Kind kind) {
  Hint hint{kind, 0, 0, ArgType::Int, 0, {}};
  if (!read_number(arg, hint)) return note_failure(chunk, members, stats::json_hint_invalid);
  const Who who = chunk.threads.who(members);
  hint.pid = who.pid;
  if (kind == Hint::Kind::ThreadSortIndex) hint.tid = who.tid;
  chunk.facts.hints.push_back(std::move(hint));
}

void note_labels(Chunk& chunk, const Members& members, const Dom* labels) {
  if (labels == nullptr || !labels->is(Kind::String))
    return note_failure(chunk, members, stats::json_hint_invalid);
  const int64_t pid = chunk.threads.who(members).pid;
  std::string_view rest = labels->text;
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    std::string_view label = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const size_t first = label.find_first_not_of(' ');
    if (first == std::string_view::npos) continue;
    label = label.substr(first, label.find_last_not_of(' ') - first + 1);
    chunk.facts.hints.push_back(
        {Hint::Kind::ProcessLabel, pid, 0, ArgType::String, 0, std::string(label)});
  }
}

void note_cpus(Chunk& chunk, const Members& members, const Dom* number) {
  Hint hint{};
  if (!read_number(number, hint) || hint.type != ArgType::Int)
    return note_failure(chunk, members, stats::json_hint_invalid);
  chunk.facts.num_cpus = std::max(chunk.facts.num_cpus, hint.value);
}

}  // namespace

void write_metadata(Chunk& chunk, const Members& members) {
  const Who who = chunk.threads.who(members);
  const uint32_t thread = chunk.threads.thread(who);
  chunk.sink.untimed(
      make_metadata_event(chunk.at(0), thread, name_of(chunk, members), slice_args(members)));
  if (!members[Field::Args].has(Kind::Object)) return;
  Dom args;
  Repairs ignored;  // counted when read as args
  if (parse_dom(members[Field::Args].raw, {0, chunk.depth_limit}, ignored, args) != Parse::Ok)
    return;
  const Value& name_value = members[Field::Name];
  std::string scratch;
  const std::string_view name = name_value.has(Kind::String) ? text_of(name_value, scratch) : "";
  if (name == "process_name" || name == "thread_name")
    return name_process(chunk, members, args, name == "thread_name");
  if (name == "process_sort_index")
    return note_number(chunk, members, args.find("sort_index"), Hint::Kind::ProcessSortIndex);
  if (name == "thread_sort_index")
    return note_number(chunk, members, args.find("sort_index"), Hint::Kind::ThreadSortIndex);
  if (name == "process_uptime_seconds")
    return note_number(chunk, members, args.find("uptime"), Hint::Kind::ProcessUptime);
  if (name == "process_labels") return note_labels(chunk, members, args.find("labels"));
  if (name == "stackFrames") return note_frames(chunk, members);
  if (name == "typeNames") return note_type_names(chunk, members);
  note_v8_code(chunk, members);
  if (name == "num_cpus") return note_cpus(chunk, members, args.find("number"));
  if (name == "TraceConfig")
    if (const Dom* const value = args.find("value"))
      chunk.facts.metadata.push_back({"json_TraceConfig", std::string(json_text(value->value))});
}

}  // namespace tracebraid::json
