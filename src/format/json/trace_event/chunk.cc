#include "format/json/trace_event/chunk.h"

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/stats.h"
#include "format/json/stats.h"

namespace tracebraid::json {
namespace {

// Limit of the names of counters, which join shared texts, relative to the size of their text.
constexpr size_t kLeastNameBytes = size_t{1} << 20;
constexpr size_t kNameBytesPerByte = 4;

}  // namespace

Chunk::Chunk(EventSink& into, uint32_t max_depth, size_t text_bytes)
    : sink(into),
      args(into, max_depth, text_bytes),
      threads(into),
      depth_limit(max_depth),
      clock(own_clock(into)),
      counter_name_room(kLeastNameBytes + kNameBytesPerByte * text_bytes) {
  sink.batch().tie_rule = TieRule::TraceEventFormat;
}

uint32_t own_clock(EventSink& sink) {
  ClockName clock;
  clock.domain = kPrivateClock;
  clock.by_default = true;
  return sink.clock(clock);
}

std::optional<int64_t> ns_of(const Value& value) {
  if (value.has(Kind::Number)) return to_ns(value.number);
  if (!value.has(Kind::String)) return std::nullopt;
  std::string scratch;
  const std::optional<Number> number = number_in(text_of(value, scratch));
  return number ? to_ns(*number) : std::nullopt;
}

StringId name_of(Chunk& chunk, const Members& members) {
  const Value& value = members[Field::Name];
  if (!value.is_given()) return {};
  if (value.has(Kind::Object) || value.has(Kind::Array))
    chunk.sink.count(stats::json_name_type, members.at, members.text);
  return chunk.sink.string(text_of(value, chunk.scratch));
}

StringId category_of(Chunk& chunk, const Members& members) {
  const Value& value = members[Field::Category];
  if (!value.is_given()) return {};
  if (!value.has(Kind::Array)) return chunk.sink.string(text_of(value, chunk.scratch));
  Dom list;
  Repairs ignored;
  if (parse_dom(value.raw, {}, ignored, list) != Parse::Ok) return {};
  std::string joined;
  for (const Dom& item : list.items) {
    if (&item != &list.items.front()) joined += ',';
    joined += item.is(Kind::String) ? std::string_view(item.text) : item.value.raw;
  }
  return chunk.sink.string(joined);
}

bool is_true(const Value& value) {
  switch (value.kind) {
    case Kind::Bool:
      return value.truth;
    case Kind::Number:
      return value.number.mantissa != 0 || !value.number.is_finite();
    case Kind::String:
      return is_text(value, "1") || is_text(value, "true");
    default:
      return false;
  }
}

uint32_t slice_args(const Members& members) {
  return members[Field::Args].has(Kind::Object) || members[Field::Args].has(Kind::Array)
             ? members.args
             : kNone;
}

void note_thread(Chunk& chunk, const Who& who, int64_t ts) {
  if (chunk.threads.see(who))
    chunk.sink.event(make_thread_seen(chunk.at(ts), chunk.threads.thread(who)));
}

void drop(Chunk& chunk, const Members& members, StatId stat) {
  chunk.sink.count(stat, members.at, members.text);
}

void note_failure(Chunk& chunk, const Members& members, StatId what) {
  chunk.sink.count(stats::json_parser_failure, members.at, members.text);
  chunk.sink.count(what, members.at, members.text);
}

}  // namespace tracebraid::json
