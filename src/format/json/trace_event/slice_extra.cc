#include "format/json/trace_event/slice_extra.h"

#include <vector>

#include "event/colours.h"
#include "event/emit.h"
#include "event/make_event.h"
#include "format/json/profile/stacks.h"
#include "format/json/stats.h"
#include "format/json/trace_event/ids.h"

namespace tracebraid::json {
namespace {

int64_t integer_or_unset(const Value& value) {
  std::optional<Number> number;
  if (value.has(Kind::Number)) number = value.number;
  std::string scratch;
  if (value.has(Kind::String)) number = number_in(text_of(value, scratch));
  return number ? to_int64(*number).value_or(kUnset) : kUnset;
}

// Other phases have no flows of this kind (spec json 3.1).
bool may_bind(char phase) { return phase == 'X' || phase == 'B' || phase == 'b' || phase == 'n'; }

uint32_t flow_of(Chunk& chunk, const Members& members) {
  if (!members.has(Field::BindId) || !may_bind(members.phase)) return kNone;
  const std::optional<CanonicalId> id = canonical_id(members[Field::BindId]);
  if (!id) return kNone;
  const bool in = is_true(members[Field::FlowIn]);
  const bool out = is_true(members[Field::FlowOut]);
  FlowStepKind kind = FlowStepKind::None;
  if (in && out)
    kind = FlowStepKind::Step;
  else if (in)
    kind = FlowStepKind::In;
  else if (out)
    kind = FlowStepKind::Out;
  std::vector<FlowStep>& flows = chunk.sink.batch().flows;
  flows.push_back({as_number(*id), kind, true});
  return static_cast<uint32_t>(flows.size() - 1);
}

}  // namespace

StringId colour_of(Chunk& chunk, const Members& members) {
  const Value& value = members[Field::Colour];
  if (!value.is_given()) return {};
  std::string scratch;
  const std::string_view name = value.has(Kind::String) ? text_of(value, scratch) : "";
  if (reserved_colour(name)) return chunk.sink.string(name);
  chunk.sink.count(stats::json_unknown_cname, members.at, members.text);
  return {};
}

void add_json_extra(Chunk& chunk, EventParts& slice, const JsonExtra& extra) {
  EventBatch& batch = chunk.sink.batch();
  if (slice.extra == kNone) slice.extra = append_record(batch.slice_extras, {});
  std::vector<JsonExtra>& extras = batch.json.extras;
  uint32_t& index = batch.slice_extras[slice.extra].json;
  if (index != kNone) {
    const StringId colour = extras[index].colour;
    extras[index] = extra;
    if (!extra.colour) extras[index].colour = colour;
    return;
  }
  index = static_cast<uint32_t>(extras.size());
  extras.push_back(extra);
}

uint32_t slice_extra(Chunk& chunk, const Members& members, ThreadTimes times) {
  constexpr auto bit = [](Field field) { return 1U << static_cast<unsigned>(field); };
  constexpr uint32_t kAny = bit(Field::Tts) | bit(Field::Tdur) | bit(Field::InstructionCount) |
                            bit(Field::InstructionDelta) | bit(Field::BindId) |
                            bit(Field::StartFrame) | bit(Field::EndFrame) | bit(Field::StartStack) |
                            bit(Field::EndStack) | bit(Field::Colour);
  if ((members.present & kAny) == 0) return kNone;
  SliceExtra extra;
  if (times == ThreadTimes::Take) {
    extra.thread_ts = ns_of(members[Field::Tts]).value_or(kUnset);
    extra.thread_dur = ns_of(members[Field::Tdur]).value_or(kUnset);
    extra.instruction_count = integer_or_unset(members[Field::InstructionCount]);
    extra.instruction_delta = integer_or_unset(members[Field::InstructionDelta]);
  }
  extra.flows = flow_of(chunk, members);
  extra.stack = slice_stack(chunk, members);
  if (const StringId colour = colour_of(chunk, members)) {
    std::vector<JsonExtra>& json = chunk.sink.batch().json.extras;
    extra.json = static_cast<uint32_t>(json.size());
    json.push_back({.colour = colour});
  }
  std::vector<SliceExtra>& extras = chunk.sink.batch().slice_extras;
  extras.push_back(extra);
  return static_cast<uint32_t>(extras.size() - 1);
}

}  // namespace tracebraid::json
