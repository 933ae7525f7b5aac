#include "export/perfetto/events.h"

#include <algorithm>
#include <cmath>

#include "export/perfetto/tables.h"
#include "format/proto/recording/own.h"

namespace tracebraid::perfetto {
namespace {

namespace own = proto::own;

using Field = field::TrackEvent;
using Type = field::TrackEvent_Type;

// Returns the end of a slice; the largest time for a slice without an end.
int64_t end_of(const SliceTable& slices, uint32_t row) {
  return end_of_row(slices, row).value_or(kNever);
}

bool is_whole(double value) {
  constexpr double kExact = 9007199254740992;  // 2^53
  return std::trunc(value) == value && std::abs(value) < kExact &&
         !(value == 0 && std::signbit(value));
}

}  // namespace

Events::Events(const Store& store, const Selection& selection, const Machines& machines,
               const Descriptors& descriptors, PacketFile& file)
    : store_(store),
      selection_(selection),
      machines_(machines),
      descriptors_(descriptors),
      file_(file),
      interned_(store.machines.rows(), Interned(store)),
      open_(store.tracks.rows()),
      callstacks_(store) {
  holds_others_.resize(store.slices.rows());
  for (uint32_t row = 0; row < store.slices.rows(); ++row)
    if (const OptRow parent = store.slices.parent_id[row]; parent.row != OptRow::kNull)
      holds_others_[parent.row] = true;
}

void Events::add_callstack(uint32_t row, bool is_end, protozero::pbf_writer& event) {
  const TrackEventCallstacksTable& stacks = store_.track_event_callstacks;
  for (const auto& [slice, at] : callstacks_.of(row)) {
    const OptRow begin = stacks.callsite_id[at], end = stacks.end_callsite_id[at];
    const bool has_begin = begin.row != OptRow::kNull,
               has_both = has_begin && end.row != OptRow::kNull;
    const OptRow callsite = is_end ? end : begin;
    if (callsite.row == OptRow::kNull) continue;
    Interned& interned = this->interned(store_.slices.track_id[row]);
    event.add_uint64(Field::kCallstackIid, interned.callsite(callsite.row));
    const double weight = stacks.weight[at];
    if (!std::isnan(weight) && (!is_end || !has_begin))
      event.add_double(Field::kCallstackWeight, weight);
    if (!has_both) return;
    const uint64_t end_iid = interned.callsite(end.row);
    protozero::pbf_writer about(own_);
    if (is_end)
      about.add_bool(own::Event::kIsStackTold, true);
    else
      about.add_uint64(own::Event::kEndCallstack, end_iid);
    return;
  }
}

void Events::write_packet(uint32_t track, int64_t ts) {
  Interned& interned = this->interned(track);
  Packet packet(file_, machines_.events(store_.tracks.machine_id[track]), ts);
  packet->add_uint32(field::TracePacket::kSequenceFlags, kNeedsState);
  if (interned.has_new()) {
    packet->add_message(field::TracePacket::kInternedData, interned.fresh());
    interned.clear_fresh();
  }
  packet->add_message(field::TracePacket::kTrackEvent, event_);
}

Result<> Events::write_slices(const FlowMarks& flows) {
  const SliceTable& slices = store_.slices;
  size_t mark = 0;
  for (uint32_t row = 0; row < slices.rows(); ++row) {
    const size_t first_mark = mark;
    while (mark < flows.marks.size() && flows.marks[mark].slice == row) ++mark;
    if (descriptors_.track_uuid(slices.track_id[row]) == 0 ||
        !selection_.takes_time(slices.ts[row], slices.dur[row]))
      continue;
    write_slice(row, std::span(flows.marks).subspan(first_mark, mark - first_mark));
    ++rows_;
    file_.advance(1);
    TB_TRY(file_.drain());
  }
  for (Stack& stack : open_) {
    while (!stack.empty()) close(stack);
    TB_TRY(file_.drain());
  }
  return {};
}

// Ends are written before the next slice of the track, so the order of packets gives the same
// nesting.
void Events::write_slice(uint32_t row, std::span<const FlowMark> flows) {
  const SliceTable& slices = store_.slices;
  Stack& stack = open_[slices.track_id[row]];
  const uint32_t depth = slices.depth[row];
  bool follows_instant = false;
  while (stack.size() > depth) {
    follows_instant |= stack.back().is_instant && slices.ts[stack.back().row] == slices.ts[row];
    close(stack);
  }
  // Two instants at the same time would nest. An instant that must not, and one that contains
  // slices, is written as a slice that ends at once.
  const bool is_instant = slices.dur[row] == 0 && !follows_instant && !holds_others_[row];
  stack.push_back({row, is_instant, false, lane_of(row, stack)});
  write_begin(stack.back(), flows);
}

// Returns the first lane in which no slice around `row` ends before it.
uint32_t Events::lane_of(uint32_t row, const Stack& stack) {
  const SliceTable& slices = store_.slices;
  const int64_t end = end_of(slices, row);
  if (stack.empty() || (stack.back().lane == 0 && end_of(slices, stack.back().row) >= end))
    return 0;
  std::vector<Lane>& lanes = lanes_[slices.track_id[row]];
  for (uint32_t lane = 0;; ++lane) {
    const bool ends_first = std::ranges::any_of(stack, [&](const Open& around) {
      return around.lane == lane && end_of(slices, around.row) < end;
    });
    if (ends_first) continue;
    if (lane == 0) return 0;
    if (lane > lanes.size()) lanes.emplace_back();
    Lane& found = lanes[lane - 1];
    const bool is_inside =
        std::ranges::any_of(stack, [&](const Open& around) { return around.lane == lane; });
    if (!is_inside && found.end > slices.ts[row]) continue;
    found.end = std::max(found.end, end);
    return lane;
  }
}

uint64_t Events::lane_uuid(uint32_t track, uint32_t lane) {
  Lane& found = lanes_[track][lane - 1];
  if (found.uuid != 0) return found.uuid;
  found.uuid = ++lanes_described_ * 4;  // distinct from those of descriptors.h
  descriptors_.write_lane(track, found.uuid, file_);
  return found.uuid;
}

void Events::add_track(const Open& open, protozero::pbf_writer& event) {
  const uint32_t track = store_.slices.track_id[open.row];
  event.add_uint64(Field::kTrackUuid,
                   open.lane == 0 ? descriptors_.track_uuid(track) : lane_uuid(track, open.lane));
  if (open.lane == 0) return;
  protozero::pbf_writer about(own_);
  about.add_uint64(own::Event::kTrack, descriptors_.track_uuid(track));
}

void Events::write_begin(const Open& open, std::span<const FlowMark> flows) {
  const SliceTable& slices = store_.slices;
  const uint32_t row = open.row;
  const bool is_instant = open.is_instant;
  const uint32_t track = slices.track_id[row];
  Interned& interned = this->interned(track);
  event_.clear();
  protozero::pbf_writer event(event_);
  event.add_enum(Field::kType, is_instant ? Type::kInstant : Type::kSliceBegin);
  add_track(open, event);
  if (const StringId name = slices.name[row])
    event.add_uint64(Field::kNameIid, interned.name(name));
  if (const StringId category = slices.category[row])
    event.add_uint64(Field::kCategoryIids, interned.category(category));
  for (const FlowMark& flow : flows)
    event.add_fixed64(flow.ends ? Field::kTerminatingFlowIds : Field::kFlowIds, flow.id);
  if (const OptRow args = slices.arg_set_id[row]; args.row != OptRow::kNull)
    add_annotations(store_, args.row, interned, event);
  add_callstack(row, false, event);
  add_own_times(row, false, is_instant);
  add_own_flows(flows);
  write_own(event);
  write_packet(track, slices.ts[row]);
}

void Events::add_own_times(uint32_t row, bool is_end, bool is_instant) {
  const SliceTable& slices = store_.slices;
  int64_t time = slices.thread_ts.get(row), instructions = slices.thread_instruction_count.get(row);
  const int64_t dur = slices.thread_dur.get(row), delta = slices.thread_instruction_delta.get(row);
  const auto add_to = [](int64_t& value, int64_t amount) {
    if (value == OptInt::kNull) return;
    if (amount == OptInt::kNull || __builtin_add_overflow(value, amount, &value))
      value = OptInt::kNull;
  };
  if (is_end) {
    add_to(time, dur);
    add_to(instructions, delta);
  }
  protozero::pbf_writer about(own_);
  if (time != OptInt::kNull) about.add_int64(own::Event::kThreadTime, time);
  if (instructions != OptInt::kNull) about.add_int64(own::Event::kInstructions, instructions);
  // An end at the thread time of its begin would leave the duration open.
  if (!is_end && !is_instant && time != OptInt::kNull && dur == 0)
    about.add_int64(own::Event::kThreadDur, 0);
  if (!is_instant) return;
  if (time != OptInt::kNull && dur != 0) about.add_int64(own::Event::kThreadDur, dur);
  if (instructions != OptInt::kNull && delta != 0)
    about.add_int64(own::Event::kInstructionDelta, delta);
}

void Events::add_own_flows(std::span<const FlowMark> flows) {
  protozero::pbf_writer about(own_);
  bool has_anchors = false;
  for (const FlowMark& flow : flows) {
    if ((flow.id & own::kAnchor) == 0) continue;
    has_anchors = true;
    const bool has_id = flow.trace_id.value != OptInt::kNull;
    if (!flow.ends || (!has_id && !flow.is_back)) continue;
    protozero::pbf_writer arrow(about, own::Event::kArrow);
    arrow.add_fixed64(own::Arrow::kFlow, flow.id);
    if (has_id) arrow.add_fixed64(own::Arrow::kTraceId, static_cast<uint64_t>(flow.trace_id.value));
    if (flow.is_back) arrow.add_bool(own::Arrow::kIsBack, true);
  }
  if (has_anchors) about.add_bool(own::Event::kAnchors, true);
}

void Events::write_own(protozero::pbf_writer& event) {
  if (!own_.empty()) event.add_message(own::kField, own_);
  own_.clear();
}

void Events::close(Stack& stack) {
  const Open last = stack.back();
  stack.pop_back();
  const int64_t end = end_of(store_.slices, last.row);
  if (!stack.empty() && end > end_of(store_.slices, stack.back().row))
    stack.back().must_be_named = true;
  if (!last.is_instant && store_.slices.dur[last.row] >= 0) write_end(last);
}

void Events::write_end(const Open& open) {
  const SliceTable& slices = store_.slices;
  const uint32_t row = open.row;
  const uint32_t track = slices.track_id[row];
  event_.clear();
  protozero::pbf_writer event(event_);
  event.add_enum(Field::kType, Type::kSliceEnd);
  add_track(open, event);
  if (open.must_be_named) {
    if (const StringId name = slices.name[row])
      event.add_uint64(Field::kNameIid, interned(track).name(name));
    if (const StringId category = slices.category[row])
      event.add_uint64(Field::kCategoryIids, interned(track).category(category));
  }
  add_callstack(row, true, event);
  add_own_times(row, true, false);
  write_own(event);
  write_packet(track, end_of(slices, row));
}

Result<> Events::write_counters() {
  const CounterTable& counters = store_.counters;
  for (uint32_t row = 0; row < counters.rows(); ++row) {
    const uint32_t track = counters.track_id[row];
    const int64_t ts = counters.ts[row];
    if (descriptors_.track_uuid(track) == 0 || !selection_.takes_time(ts, 0)) continue;
    event_.clear();
    protozero::pbf_writer event(event_);
    event.add_enum(Field::kType, Type::kCounter);
    event.add_uint64(Field::kTrackUuid, descriptors_.track_uuid(track));
    if (const double value = counters.value[row]; is_whole(value))
      event.add_int64(Field::kCounterValue, static_cast<int64_t>(value));
    else
      event.add_double(Field::kDoubleCounterValue, value);
    if (const OptRow args = counters.arg_set_id[row]; args.row != OptRow::kNull)
      add_annotations(store_, args.row, interned(track), event);
    write_packet(track, ts);
    ++rows_;
    file_.advance(1);
    TB_TRY(file_.drain());
  }
  return {};
}

Result<> Events::write_states() {
  const StateTable& states = store_.states;
  std::vector<uint32_t> last(store_.tracks.rows(), OptRow::kNull);  // row, by track
  const auto end = [&](uint32_t row) {
    if (states.dur[row] < 0) return;
    write_state(states.track_id[row], states.ts[row] + states.dur[row], row, true);
  };
  for (uint32_t row = 0; row < states.rows(); ++row) {
    const uint32_t track = states.track_id[row];
    if (descriptors_.track_uuid(track) == 0 ||
        !selection_.takes_time(states.ts[row], states.dur[row]))
      continue;
    if (last[track] != OptRow::kNull) end(last[track]);
    last[track] = row;
    write_state(track, states.ts[row], row, false);
    ++rows_;
    file_.advance(1);
    TB_TRY(file_.drain());
  }
  for (const uint32_t row : last)
    if (row != OptRow::kNull) end(row);
  return {};
}

void Events::write_state(uint32_t track, int64_t ts, uint32_t row, bool is_end) {
  const StateTable& states = store_.states;
  event_.clear();
  protozero::pbf_writer event(event_);
  event.add_enum(Field::kType, Type::kState);
  event.add_uint64(Field::kTrackUuid, descriptors_.track_uuid(track));
  if (!is_end) {
    event.add_uint64(Field::kNameIid, interned(track).name(states.value[row]));
    if (const StringId category = states.category[row])
      event.add_uint64(Field::kCategoryIids, interned(track).category(category));
    if (const OptRow args = states.arg_set_id[row]; args.row != OptRow::kNull)
      add_annotations(store_, args.row, interned(track), event);
  }
  write_packet(track, ts);
}

}  // namespace tracebraid::perfetto
