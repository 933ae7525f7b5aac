#include "kernel/ftrace_marks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/plain_args.h"

namespace tracebraid {
namespace {

// "B
// 500
// name": fields between bars. The last field may contain bars.
struct Marks {
  std::array<std::string_view, 5> fields;
  size_t count = 0;
};

Marks split(std::string_view text, size_t most) {
  Marks marks;
  while (marks.count + 1 < most) {
    const size_t bar = text.find('|');
    if (bar == std::string_view::npos) break;
    marks.fields[marks.count++] = text.substr(0, bar);
    text.remove_prefix(bar + 1);
  }
  marks.fields[marks.count++] = text;
  return marks;
}

template <class Number>
std::optional<Number> number_of(std::string_view text, bool whole = true) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || (whole && end != text.data() + text.size())) return std::nullopt;
  return value;
}

}  // namespace

bool FtraceMarks::add(const MarkAt& event, std::string_view text) {
  if (text.empty()) return false;
  const char phase = text.front();
  const Marks head = split(text, 2);
  if (head.fields[0].empty()) return false;
  const std::string_view rest = head.fields[1];  // "500|name"
  const auto tgid = head.count > 1 ? number_of<uint32_t>(rest, false) : std::nullopt;
  if (phase == 'E') {
    end(event, tgid.value_or(0));
    return true;
  }
  if (!tgid) return false;
  switch (phase) {
    case 'B': {
      const Marks marks = split(rest, 2);
      begin(event, *tgid, marks.count > 1 ? marks.fields[1] : std::string_view());
      return true;
    }
    case 'I': {
      const Marks marks = split(rest, 2);
      if (marks.count < 2 || marks.fields[1].empty()) return false;
      instant(event, *tgid, marks.fields[1]);
      return true;
    }
    case 'C': {
      const Marks marks = split(rest, 4);
      const auto value = number_of<int64_t>(marks.fields[2]);
      if (marks.count < 3 || marks.fields[1].empty() || !value) return false;
      counter(event, *tgid, marks.fields[1], *value);
      return true;
    }
    case 'S':
    case 'F': {
      const Marks marks = split(rest, 4);
      const auto cookie = number_of<int64_t>(marks.fields[2]);
      if (marks.count < 3 || marks.fields[1].empty() || !cookie) return false;
      async(event, *tgid, marks.fields[1], *cookie, phase == 'S');
      return true;
    }
    case 'N':
    case 'G':
    case 'H':
      return on_track(event, *tgid, phase, rest);
    default:
      return false;
  }
}

uint32_t FtraceMarks::thread(const MarkAt& event) {
  return sink_.thread({.machine = event.machine, .tid = event.tid});
}

uint32_t FtraceMarks::track(const MarkAt& event, uint32_t tgid) {
  const uint32_t machine = event.machine;
  const uint32_t owner =
      tgid == 0 ? thread(event) : sink_.thread({.machine = machine, .tid = event.tid, .pid = tgid});
  return thread_track(machine, owner);
}

uint32_t FtraceMarks::thread_track(uint32_t machine, uint32_t owner) {
  if (owner < thread_tracks_.size() && thread_tracks_[owner] != kNone) return thread_tracks_[owner];
  if (owner >= thread_tracks_.size()) thread_tracks_.resize(owner + 1, kNone);
  return thread_tracks_[owner] = sink_.track({.scope = TrackScope::Thread,
                                              .machine = machine,
                                              .owner = owner,
                                              .type = sink_.string("thread_execution")});
}

void FtraceMarks::begin(const MarkAt& event, uint32_t tgid, std::string_view name) {
  const uint32_t on = track(event, tgid);
  EventParts parts{.name = sink_.string(name.empty() ? "[empty slice name]" : name)};
  decorate(event, parts);
  sink_.event(make_slice_begin(event.time, on, parts), event.rank);
  if (name.starts_with("lmk,")) kill(event, name);
}

void FtraceMarks::end(const MarkAt& event, uint32_t tgid) {
  const uint32_t on = track(event, tgid);
  sink_.open_args();
  add_args(event);
  const EventParts parts{.args = sink_.close_args()};
  sink_.event(make_slice_end(event.time, on, parts, event.counts_ends), event.rank);
}

// Adds the additional fields of Chromium's form.
void FtraceMarks::decorate(const MarkAt& event, EventParts& slice) {
  if (!event.category.empty()) slice.category = sink_.string(event.category);
  if (event.args.empty()) return;
  sink_.open_args();
  add_args(event);
  slice.args = sink_.close_args();
}

// Adds "key=value;key=value" as args; values may contain '='.
void FtraceMarks::add_args(const MarkAt& event) {
  for (std::string_view rest = event.args; !rest.empty();) {
    const std::string_view piece = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(piece.size() + 1, rest.size()));
    const size_t equals = piece.find('=');
    if (equals == 0 || equals == std::string_view::npos) continue;
    add_text("args." + std::string(piece.substr(0, equals)), piece.substr(equals + 1), sink_);
  }
}

void FtraceMarks::instant(const MarkAt& event, uint32_t tgid, std::string_view name) {
  const uint32_t on = track(event, tgid);
  sink_.event(make_instant(event.time, on, {.name = sink_.string(name)}), event.rank);
}

// Handles "lmk,PID,reason,ADJ,...": the process that the low memory killer killed.
void FtraceMarks::kill(const MarkAt& event, std::string_view name) {
  std::array<std::string_view, 4> parts;
  for (std::string_view& part : parts) {
    const size_t comma = name.find(',');
    part = name.substr(0, comma);
    if (part.empty()) return;
    name.remove_prefix(comma == std::string_view::npos ? name.size() : comma + 1);
  }
  const auto pid = number_of<int64_t>(parts[1]), adj = number_of<int64_t>(parts[3]);
  if (!pid || !adj) return;
  const uint32_t machine = event.machine;
  const uint32_t process = sink_.process({.machine = machine, .pid = *pid});
  emit_counter(
      event.time,
      tracks_.process_counter(machine, process, {.type = "oom_score_adj", .name = "oom_score_adj"}),
      static_cast<double>(*adj), sink_, event.rank);
  killed(event, *pid);
}

void FtraceMarks::killed(const MarkAt& event, int64_t pid) {
  const uint32_t machine = event.machine;
  const uint32_t track = tracks_.track({.scope = TrackScope::Process,
                                        .machine = machine,
                                        .owner = sink_.process({.machine = machine, .pid = pid}),
                                        .type = sink_.string("android_lmk"),
                                        .name = sink_.string("LMK")});
  sink_.event(make_instant(event.time, track, {.name = sink_.string("mem.lmk")}), event.rank);
}

void FtraceMarks::counter(const MarkAt& event, uint32_t tgid, std::string_view name,
                          int64_t value) {
  const uint32_t machine = event.machine;
  const auto emit = [&](uint32_t track, uint32_t args = kNone) {
    emit_counter(event.time, track, static_cast<double>(value), sink_, event.rank, args);
  };
  if (name == "ScreenState")
    return emit(tracks_.global_counter(machine, {.type = "screen_state", .name = "ScreenState"}));
  if (name.starts_with("battery_stats."))
    return emit(tracks_.global_counter(machine, {.type = "battery_stats", .name = name},
                                       {{"bstats_item_name", name}}));
  if (name == "kill_one_process" && value != 0) killed(event, value);
  const uint32_t process = sink_.process({.machine = machine, .pid = tgid});
  emit(tracks_.process_counter(machine, process, {.type = "atrace_counter", .name = name},
                               {{"name", name}}),
       thread_arg(event, "utid"));
}

void FtraceMarks::real_counter(const MarkAt& event, uint32_t tgid, std::string_view name,
                               double value) {
  const uint32_t process = sink_.process({.machine = event.machine, .pid = tgid});
  emit_counter(event.time,
               tracks_.process_counter(event.machine, process,
                                       {.type = "atrace_counter", .name = name}, {{"name", name}}),
               value, sink_, event.rank, thread_arg(event, "utid"));
}

// Returns a set with the emitting thread.
uint32_t FtraceMarks::thread_arg(const MarkAt& event, std::string_view key) {
  sink_.open_args();
  add_int(key, thread(event), sink_, ArgType::ThreadUint);
  return sink_.close_args();
}

uint32_t FtraceMarks::async_track(const MarkAt& event, uint32_t tgid, std::string_view type,
                                  std::string_view name, int64_t cookie) {
  const uint32_t machine = event.machine;
  return tracks_.track({.scope = TrackScope::Process,
                        .lanes = Lanes::ByCookie,
                        .machine = machine,
                        .owner = sink_.process({.machine = machine, .pid = tgid}),
                        .type = sink_.string(type),
                        .name = sink_.string(name),
                        .cookie = static_cast<uint64_t>(cookie)},
                       {{"name", name}});
}

void FtraceMarks::async(const MarkAt& event, uint32_t tgid, std::string_view name, int64_t cookie,
                        bool begins) {
  const uint32_t on = async_track(event, tgid, "atrace_async_slice", name, cookie);
  EventParts parts;
  if (begins) {
    parts.name = sink_.string(name);
    sink_.open_args();
    add_int("cookie", cookie, sink_);
    if (!event.category.empty()) parts.category = sink_.string(event.category);
    add_args(event);
    parts.args = sink_.close_args();
  } else if (!event.args.empty()) {
    sink_.open_args();
    add_args(event);
    parts.args = sink_.close_args();
  }
  sink_.event(
      begins ? make_slice_begin_once(event.time, on, parts) : make_slice_end(event.time, on, parts),
      event.rank);
}

// Handles N
// tgid
// track
// name, G
// tgid
// track
// name
// cookie and H
// tgid
// track
// [name
// ]cookie; `rest` lacks the phase.
bool FtraceMarks::on_track(const MarkAt& event, uint32_t tgid, char phase, std::string_view rest) {
  const Marks marks = split(rest, phase == 'N' ? 3 : 4);
  const std::string_view track = marks.fields[1];
  if (marks.count < 3 || track.empty()) return false;
  constexpr std::string_view kType = "atrace_async_slice_for_track";
  if (phase == 'N') {
    if (marks.fields[2].empty()) return false;
    if (track == "DeviceStateChanged") {
      device_state(event, marks.fields[2]);
      return true;
    }
    const uint32_t on = async_track(event, tgid, kType, track, 0);
    const EventParts parts{.name = sink_.string(marks.fields[2]),
                           .args = thread_arg(event, "utid")};
    sink_.event(make_instant(event.time, on, parts), event.rank);
    return true;
  }
  if (phase == 'G' && marks.count < 4) return false;
  const auto cookie = number_of<int64_t>(marks.fields[marks.count - 1]);
  if (!cookie) return false;
  const uint32_t on = async_track(event, tgid, kType, track, *cookie);
  EventParts parts;
  if (phase == 'G') parts.name = sink_.string(marks.fields[2]);
  parts.args = thread_arg(event, phase == 'G' ? "utid" : "end_utid");
  sink_.event(phase == 'G' ? make_slice_begin(event.time, on, parts)
                           : make_slice_end(event.time, on, parts),
              event.rank);
  return true;
}

void FtraceMarks::device_state(const MarkAt& event, std::string_view state) {
  const uint32_t track = tracks_.track({.machine = event.machine,
                                        .type = sink_.string("android_device_state"),
                                        .name = sink_.string("DeviceStateChanged")});
  sink_.event(make_instant(event.time, track, {.name = sink_.string(state)}), event.rank);
}

}  // namespace tracebraid
