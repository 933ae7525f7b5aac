#include "format/systrace/kernel.h"

#include <string>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/plain_args.h"

namespace tracebraid::systrace {
namespace {

void state(const Line& line, EventKind kind, std::string_view name, uint32_t args, Piece& piece) {
  piece.sink().event(make_kernel_event(
      piece.time(line), kind,
      {.cpu = line.cpu, .tid = line.tid, .name = piece.sink().string(name), .args = args}));
}

TrackName named_track(std::string_view kind, std::string_view name, Piece& piece) {
  return {.type = piece.sink().string("ftrace_" + std::string(kind)),
          .name = piece.sink().string(name)};
}

void slice(const Line& line, EventKind kind, uint32_t track, std::string_view name, uint32_t args,
           Piece& piece) {
  const StringId text = name.empty() ? StringId{} : piece.sink().string(name);
  piece.sink().event(
      make_slice_event(piece.time(line), kind, track, 0, {.name = text, .args = args}));
}

}  // namespace

KernelDetails details_of(const Line& line) {
  KernelDetails details;
  split_details(line.details, details);
  return details;
}

void state_event(const Line& line, Piece& piece) {
  const uint32_t args = details_args(details_of(line), piece.sink());
  state(line, piece.form().keep_raw ? EventKind::FtraceEvent : EventKind::FtraceMeaning, line.name,
        args, piece);
}

void state_other_event(const Line& line, Piece& piece) {
  const auto each = [&](EventKind kind, uint32_t args) {
    state(line, kind, line.name, args, piece);
  };
  state_text(line.name, line.details, piece.form().keep_raw, piece.sink(), each);
}

void state_row(const Line& line, Piece& piece) {
  if (!piece.form().keep_raw) return;
  state_row(line, piece, details_args(details_of(line), piece.sink()));
}

void state_row(const Line& line, Piece& piece, uint32_t args) {
  state(line, EventKind::FtraceRow, line.name, args, piece);
}

void state_meaning(const Line& line, std::string_view name, std::initializer_list<Field> fields,
                   Piece& piece) {
  state(line, EventKind::FtraceMeaning, name, field_args(fields, piece.sink()), piece);
}

uint32_t thread_track(const Line& line, Piece& piece) {
  return piece.sink().track({.scope = TrackScope::Thread,
                             .owner = piece.thread(line),
                             .type = piece.sink().string("thread_execution")});
}

uint32_t cpu_track(uint32_t cpu, std::string_view kind, std::string_view name, Piece& piece) {
  TrackName track = named_track(kind, name, piece);
  track.scope = TrackScope::Cpu;
  track.owner = cpu;
  return piece.sink().track(track);
}

uint32_t machine_track(std::string_view kind, std::string_view name, Piece& piece) {
  return piece.tracks().track(named_track(kind, name, piece), {{"name", name}});
}

uint32_t lane_track(std::string_view kind, std::string_view name, uint64_t cookie, Piece& piece) {
  TrackName track = named_track(kind, name, piece);
  track.lanes = Lanes::ByCookie;
  track.cookie = cookie;
  return piece.tracks().track(track, {{"name", name}});
}

void begin(const Line& line, uint32_t track, std::string_view name, Piece& piece, uint32_t args) {
  slice(line, EventKind::SliceBegin, track, name, args, piece);
}

void end(const Line& line, uint32_t track, std::string_view name, Piece& piece, uint32_t args) {
  slice(line, EventKind::SliceEnd, track, name, args, piece);
}

void instant(const Line& line, uint32_t track, std::string_view name, Piece& piece, uint32_t args) {
  slice(line, EventKind::Instant, track, name, args, piece);
}

void count(const Line& line, const CounterKind& kind, std::string_view dimension, double value,
           Piece& piece) {
  const uint32_t track = dimension.empty()
                             ? piece.tracks().global_counter(0, kind)
                             : piece.tracks().global_counter(0, kind, {{"name", dimension}});
  emit_counter(piece.time(line), track, value, piece.sink());
}

}  // namespace tracebraid::systrace
