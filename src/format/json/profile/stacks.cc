#include "format/json/profile/stacks.h"

#include <bit>

#include "event/emit.h"
#include "event/event_kind.h"
#include "format/json/profile/callsites.h"
#include "format/json/stats.h"
#include "format/json/trace_event/ids.h"

namespace tracebraid::json {
namespace {

// Returns the frame that a member refers to, as text; none for another value.
StringId frame_id(Chunk& chunk, const Value& value) {
  if (value.has(Kind::String)) return chunk.sink.string(text_of(value, chunk.scratch));
  const std::optional<CanonicalId> number = canonical_id(value);
  return number ? chunk.sink.string(number->spelling) : StringId{};
}

struct StackFields {
  Field frame, stack;
};
constexpr StackFields kStart{Field::StartFrame, Field::StartStack};
constexpr StackFields kEnd{Field::EndFrame, Field::EndStack};

bool has(const Members& members, StackFields fields) {
  return members[fields.frame].is_given() || members[fields.stack].is_given();
}

// Returns the callstack of the fields; stores a reference `ref` to a callstack that needs the whole
// file.
uint32_t stack_of(Chunk& chunk, const Members& members, StackFields fields, StackRef ref) {
  const bool has_frame = members[fields.frame].is_given();
  if (has_frame && members[fields.stack].is_given())
    chunk.sink.count(stats::json_sf_and_stack, members.at, members.text);
  if (has_frame) {
    ref.frame = frame_id(chunk, members[fields.frame]);
    ref.pid = chunk.threads.who(members).pid;
    if (ref.frame) chunk.facts.stacks.refs.push_back(ref);
    return kNone;
  }
  Dom stack;
  Repairs ignored;
  const Value& value = members[fields.stack];
  if (!value.has(Kind::Array) || parse_dom(value.raw, {}, ignored, stack) != Parse::Ok)
    return kNone;
  return callsite_of(chunk.sink, stack);
}

V8Event v8_event(Chunk& chunk, const Members& members, V8Event::Kind kind, int64_t ts) {
  const Who who = chunk.threads.who(members);
  chunk.threads.thread(who);
  return {kind, ts, who.pid, who.tid, {}, std::string(members[Field::Args].raw)};
}

}  // namespace

uint32_t slice_stack(Chunk& chunk, const Members& members) {
  if (!has(members, kStart) && !has(members, kEnd)) return kNone;
  std::vector<SliceStack>& stacks = chunk.sink.batch().stacks.slice_stacks;
  const auto index = static_cast<uint32_t>(stacks.size());
  const bool is_end = members.phase == 'E' || members.phase == 'e';
  SliceStack stack;
  // The start stack of an end event is the stack of the end.
  if (has(members, kStart)) {
    const StackRef ref{is_end ? StackRef::To::SliceEnd : StackRef::To::SliceBegin, index, 0, {}};
    (is_end ? stack.end_callsite : stack.callsite) = stack_of(chunk, members, kStart, ref);
  }
  if (!is_end && has(members, kEnd))
    stack.end_callsite = stack_of(chunk, members, kEnd, {StackRef::To::SliceEnd, index, 0, {}});
  stacks.push_back(stack);
  return index;
}

void note_flow_stack(Chunk& chunk, const Members& members, uint32_t index) {
  const uint32_t callsite = stack_of(chunk, members, kStart, {StackRef::To::Flow, index, 0, {}});
  chunk.sink.batch().flow_extras[index].callsite = callsite;
}

void ignore_stack(Chunk& chunk, const Members& members) {
  if (has(members, kStart) || has(members, kEnd))
    chunk.sink.count(stats::json_stack_ignored, members.at, members.text);
}

void write_sample(Chunk& chunk, const Members& members, int64_t ts) {
  const Value& name_value = members[Field::Name];
  std::string scratch;
  const std::string_view name = name_value.has(Kind::String) ? text_of(name_value, scratch) : "";
  if (name.starts_with("Profile")) {
    V8Event event = v8_event(chunk, members, V8Event::Kind::Profile, ts);
    if (const std::optional<EventId> id = id_of(members, false))
      event.id =
          id->id.is_number && !id->id.negative ? std::to_string(id->id.number) : id->id.spelling;
    chunk.facts.stacks.v8.push_back(std::move(event));
    return;
  }
  if (name == "V8Sample") {
    chunk.facts.stacks.v8.push_back(v8_event(chunk, members, V8Event::Kind::Sample, ts));
    return;
  }
  std::vector<SampleExtra>& samples = chunk.sink.batch().stacks.samples;
  SampleExtra extra;
  extra.rows = SampleRows::Json;
  const auto index = static_cast<uint32_t>(samples.size());
  if (has(members, kStart)) {
    extra.callsite = stack_of(chunk, members, kStart, {StackRef::To::Sample, index, 0, {}});
  } else {
    const StringId leaf = chunk.sink.string(name_value.is_given() ? name : kNoName);
    extra.callsite = chunk.sink.callsite(kNone, chunk.sink.frame({.name = leaf}));
  }
  const Who who = chunk.threads.who(members);
  const uint32_t thread = chunk.threads.thread(who);
  const StringId shown = name_of(chunk, members);
  emit_sample(chunk.sink, chunk.at(ts), thread, {.name = shown, .source = chunk.sink.string("P")},
              extra);
}

void note_v8_code(Chunk& chunk, const Members& members) {
  const std::string_view name = members[Field::Name].raw;
  const bool added = name == "JitCodeAdded";
  if (!added && name != "JitCodeMoved") return;
  chunk.facts.stacks.v8.push_back(
      v8_event(chunk, members, added ? V8Event::Kind::CodeAdded : V8Event::Kind::CodeMoved, 0));
}

void note_frames(Chunk& chunk, const Members& members) {
  chunk.facts.stacks.frames.emplace_back(chunk.threads.who(members).pid, members[Field::Args].raw);
}

}  // namespace tracebraid::json
