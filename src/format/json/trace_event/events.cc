#include "format/json/trace_event/events.h"

#include <algorithm>
#include <array>
#include <span>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/stats.h"
#include "format/json/profile/memory_dumps.h"
#include "format/json/profile/stacks.h"
#include "format/json/recording/clock_sync.h"
#include "format/json/stats.h"
#include "format/json/trace_event/async_events.h"
#include "format/json/trace_event/counters.h"
#include "format/json/trace_event/identified.h"
#include "format/json/trace_event/ids.h"
#include "format/json/trace_event/metadata_events.h"
#include "format/json/trace_event/slice_extra.h"

namespace tracebraid::json {
namespace {

void count_repairs(EventSink& sink, const Members& members) {
  const Repairs& repairs = members.repairs;
  const auto count = [&](StatId stat, uint64_t amount) {
    if (amount == 0) return;
    sink.count(stat, members.at, members.text);
    if (amount > 1) sink.tally(stat, static_cast<int64_t>(amount - 1));
  };
  count(stats::json_duplicate_key, repairs.duplicate_keys);
  count(stats::json_extra_comma, repairs.extra_commas);
  count(stats::json_nonfinite_number, repairs.nonfinite_numbers);
  count(stats::json_max_depth_exceeded, repairs.too_deep);
}

void write_thread_slice(Chunk& chunk, const Members& members, EventKind kind, int64_t ts,
                        int64_t dur) {
  const Who who = chunk.threads.who(members);
  const uint32_t track = chunk.threads.track(who);
  EventParts parts;
  parts.name = name_of(chunk, members);
  if (!parts.name && kind != EventKind::SliceEnd) parts.name = chunk.sink.string(kNoName);
  parts.category = category_of(chunk, members);
  parts.args = slice_args(members);
  parts.extra = slice_extra(chunk, members, ThreadTimes::Take);
  chunk.sink.event(make_slice_event(chunk.at(ts), kind, track, dur, parts));
}

// Writes a slice that was open when recording stopped: its duration is not known.
void write_unfinished(Chunk& chunk, const Members& members, int64_t ts) {
  note_failure(chunk, members, stats::json_complete_without_dur);
  const Who who = chunk.threads.who(members);
  const uint32_t thread = chunk.threads.thread(who);
  StringId name = name_of(chunk, members);
  if (!name) name = chunk.sink.string(kNoName);
  const StringId category = category_of(chunk, members);
  chunk.sink.event(
      make_unfinished_complete(chunk.at(ts), thread, ns_of(members[Field::Tts]).value_or(kUnset),
                               name, category, slice_args(members), colour_of(chunk, members)));
}

void write_complete(Chunk& chunk, const Members& members, int64_t ts) {
  const Value& value = members[Field::Dur];
  if (!value.is_given()) return write_unfinished(chunk, members, ts);
  const std::optional<int64_t> dur = ns_of(value);
  if (!dur) return drop(chunk, members, stats::json_tokenizer_failure);
  if (*dur < 0) return drop(chunk, members, stats::slice_negative_duration);
  write_thread_slice(chunk, members, EventKind::Slice, ts, *dur);
}

// Returns a track for the instants of a process, or of the whole file.
uint32_t instant_track(Chunk& chunk, bool global, int64_t pid) {
  TrackName name;
  name.scope = global ? TrackScope::Global : TrackScope::Process;
  name.owner = global ? kNone : chunk.threads.process(pid);
  name.type =
      chunk.sink.string(global ? "legacy_chrome_global_instants" : "chrome_process_instant");
  const auto [at, added] = chunk.instant_tracks.try_emplace(name.owner, kNone);
  if (added) {
    chunk.sink.open_args();
    chunk.args.add_text("source", "chrome");
    name.source_args = chunk.sink.close_args();
    at->second = chunk.sink.track(name);
  }
  return at->second;
}

void write_instant(Chunk& chunk, const Members& members, int64_t ts) {
  const Value& scope = members[Field::InstantScope];
  const bool global = is_text(scope, "g");
  const bool of_process = is_text(scope, "p");
  if (scope.is_given() && !global && !of_process && !is_text(scope, "t"))
    chunk.sink.count(stats::json_instant_bad_scope, members.at, members.text);
  const Who who = chunk.threads.who(members);
  if (!global && !who.has_pid && (of_process || !who.has_tid))
    return note_failure(chunk, members, stats::json_event_incomplete);

  uint32_t track = kNone;
  EventParts parts;
  parts.name = name_of(chunk, members);
  parts.category = category_of(chunk, members);
  parts.args = slice_args(members);
  if (global || of_process) {
    track = instant_track(chunk, global, who.pid);
    if (who.has_pid || who.has_tid) note_thread(chunk, who, ts);
    ignore_stack(chunk, members);
    if (const StringId colour = colour_of(chunk, members))
      add_json_extra(chunk, parts, {.colour = colour});
  } else {
    track = chunk.threads.track(who);
    if (!parts.name) parts.name = chunk.sink.string(kNoName);
    parts.extra = slice_extra(chunk, members, ThreadTimes::Take);
  }
  note_v8_code(chunk, members);
  chunk.sink.event(make_instant(chunk.at(ts), track, parts));
}

// Returns the first character of the phase, with all its bytes.
std::string_view phase_character(std::string_view text) {
  size_t size = 1;
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80) ++size;
  return text.substr(0, size);
}

void write_unhandled(Chunk& chunk, const Members& members, int64_t ts) {
  chunk.sink.count(stats::json_unknown_phase, members.at, members.text);
  const Who who = chunk.threads.who(members);
  const uint32_t thread = chunk.threads.thread(who);
  const StringId phase =
      chunk.sink.string(phase_character(text_of(members[Field::Phase], chunk.scratch)));
  chunk.sink.event(
      make_unhandled_event(chunk.at(ts), thread, phase, chunk.sink.string(members.text)));
}

void write_timed(Chunk& chunk, const Members& members, char phase, int64_t ts) {
  switch (phase) {
    case 'B':
      return write_thread_slice(chunk, members, EventKind::SliceBegin, ts, 0);
    case 'E':
      return write_thread_slice(chunk, members, EventKind::SliceEnd, ts, 0);
    case 'X':
      return write_complete(chunk, members, ts);
    case 'i':
    case 'I':
    case 'R':
      return write_instant(chunk, members, ts);
    case 'C':
      return write_counter(chunk, members, ts);
    case 'b':
    case 'n':
    case 'e':
      return write_nestable_async(chunk, members, phase, ts);
    case 'S':
    case 'F':
    case 'T':
    case 'p':
      return write_legacy_async(chunk, members, phase, ts);
    case 's':
    case 't':
    case 'f':
      return write_flow(chunk, members, phase, ts);
    case 'c':
      return note_clock_sync(chunk, members, ts);
    case 'P':
      return write_sample(chunk, members, ts);
    case 'N':
    case 'O':
    case 'D':
      return write_object(chunk, members, phase, ts);
    case '(':
    case ')':
      return write_context(chunk, members, phase, ts);
    case '=':
      return write_link(chunk, members, ts);
    case 'V':
    case 'v':
      return write_memory_dump(chunk, members, phase, ts);
    default:
      return write_unhandled(chunk, members, ts);
  }
}

// Removes rows that were read ahead and that the event does not use.
void take_back_args(Chunk& chunk, const Members& members) {
  if (members.args != kNone) chunk.sink.batch().args.rows.resize(members.args);
}

constexpr auto kKeepsArgs = [] {
  std::array<bool, 256> keeps{};
  for (const char phase : std::string_view("BEXiIRbneSFTpstfMND()"))
    keeps[static_cast<unsigned char>(phase)] = true;
  return keeps;
}();

bool keeps_args(char phase) { return kKeepsArgs[static_cast<unsigned char>(phase)]; }

void write_known(Chunk& chunk, Members& members) {
  count_repairs(chunk.sink, members);
  const Value& phase_value = members[Field::Phase];
  std::string decoded;
  const std::string_view phase_text =
      phase_value.has(Kind::String) ? text_of(phase_value, decoded) : "";
  if (phase_text.empty()) {
    take_back_args(chunk, members);
    return drop(chunk, members, stats::json_tokenizer_failure);
  }
  const char phase = members.phase = phase_text[0];
  const Value& args = members[Field::Args];
  const bool is_stripped = is_text(args, "__stripped__");
  if (args.is_given() && !args.has(Kind::Object) && !args.has(Kind::Array) && !is_stripped)
    chunk.sink.count(stats::json_args_not_object, members.at, members.text);
  if (!keeps_args(phase)) take_back_args(chunk, members);
  if (phase == 'M') return write_metadata(chunk, members);
  const std::optional<int64_t> ts = ns_of(members[Field::Ts]);
  if (!ts) {
    take_back_args(chunk, members);
    return drop(chunk, members, stats::json_tokenizer_failure);
  }
  write_timed(chunk, members, phase, *ts);
}

// The time of metadata has no meaning (spec json 4.14).
void note_time_of_losses(Chunk& chunk, const Members& members, size_t first) {
  if (members.phase == 'M') return;
  const std::optional<int64_t> ts = ns_of(members[Field::Ts]);
  if (!ts) return;
  for (LogRow& row : std::span(chunk.sink.batch().log).subspan(first))
    row.time = {*ts, chunk.clock};
}

}  // namespace

void write_event(Chunk& chunk, Members& members) {
  if (!members.any) return;
  const size_t logged = chunk.sink.batch().log.size();
  members.phase = '\0';
  write_known(chunk, members);
  if (chunk.sink.batch().log.size() > logged) note_time_of_losses(chunk, members, logged);
}

}  // namespace tracebraid::json
