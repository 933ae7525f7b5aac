#include "assemble/slices/slice_times.h"

#include <algorithm>

namespace tracebraid {

uint32_t SliceTimes::note(uint32_t slice, const SliceExtra& extra) {
  if (extra.thread_ts == kUnset && extra.thread_dur == kUnset &&
      extra.instruction_count == kUnset && extra.instruction_delta == kUnset)
    return kNone;
  all_.push_back(
      {slice, extra.thread_ts, extra.thread_dur, extra.instruction_count, extra.instruction_delta});
  return static_cast<uint32_t>(all_.size() - 1);
}

void SliceTimes::end(uint32_t number, const SliceExtra* at_end, EndRule rule) {
  Times& times = all_[number];
  const SliceExtra extra = at_end == nullptr ? SliceExtra{} : *at_end;
  // Async slices have thread times if both ends give them (spec json 4.7).
  if (rule == EndRule::JsonAsync && extra.thread_ts == kUnset) times.thread_ts = kUnset;
  const auto passed = [](int64_t from, int64_t to) {
    int64_t amount = 0;
    if (from == kUnset || to == kUnset || __builtin_sub_overflow(to, from, &amount)) return kUnset;
    return amount;
  };
  int64_t dur = passed(times.thread_ts, extra.thread_ts);
  // A legacy proto end with the same thread time leaves the duration unset (spec proto 2.7).
  if (rule == EndRule::Matching && dur == 0) dur = kUnset;
  if (dur != kUnset) times.thread_dur = dur;
  const int64_t delta = passed(times.instruction_count, extra.instruction_count);
  // The value of a JSON begin takes precedence (spec json 4.2).
  const bool is_said = rule != EndRule::Matching && times.instruction_delta != kUnset;
  if (delta != kUnset && !is_said) times.instruction_delta = delta;
  if (extra.instruction_delta != kUnset) times.instruction_delta = extra.instruction_delta;
}

void SliceTimes::move_slices(std::span<const uint32_t> new_rows) {
  for (Times& times : all_) times.row = new_rows[times.row];
  std::ranges::sort(all_, {}, &Times::row);
}

void SliceTimes::fill(SliceTable& table) {
  for (const Times& times : all_) {
    if (times.thread_ts != kUnset) table.thread_ts.set(times.row, times.thread_ts);
    if (times.thread_dur != kUnset) table.thread_dur.set(times.row, times.thread_dur);
    if (times.instruction_count != kUnset)
      table.thread_instruction_count.set(times.row, times.instruction_count);
    if (times.instruction_delta != kUnset)
      table.thread_instruction_delta.set(times.row, times.instruction_delta);
  }
  all_ = {};
}

}  // namespace tracebraid
