#include "assemble/slices/async_steps.h"

#include <algorithm>

#include "assemble/args/event_problem.h"
#include "assemble/stats.h"

namespace tracebraid {

void AsyncSteps::add(uint32_t parent, const TrackName& where, const SliceEvent& from) {
  const Event& event = *from.event;
  if (parent == kNone) {
    count_event(stats::json_async_end_without_begin, where, event, problems_, args_);
    return;
  }
  const auto [at, is_new] = indexes_.try_emplace(parent, static_cast<uint32_t>(parents_.size()));
  if (is_new) parents_.push_back({parent, where.file, where.machine, {}});
  args_.hold(from.args());
  parents_[at->second].steps.push_back(
      {event.ts, event.name, from.args(), event.extra, event.value == 1});
}

std::vector<AsyncSteps::Made> AsyncSteps::make_slices(Slices& slices) {
  std::vector<Made> made;
  for (const Parent& parent : parents_) {
    const auto to_next = std::ranges::count_if(parent.steps, &Step::to_next);
    if (to_next == 0 || to_next == static_cast<ptrdiff_t>(parent.steps.size()))
      divide(parent, slices, made);
    else
      problems_.count_at(stats::json_async_mixed_steps, parent.machine, parent.file,
                         slices_.ts[parent.slice]);
  }
  parents_ = {};
  indexes_ = {};
  return made;
}

void AsyncSteps::divide(const Parent& parent, Slices& slices, std::vector<Made>& made) {
  const int64_t begin = slices_.ts[parent.slice];
  const int64_t dur = slices_.dur[parent.slice];
  const StringId category = slices.labels().category[parent.slice];
  int64_t last = begin;
  for (size_t i = 0; i < parent.steps.size(); ++i) {
    const Step& step = parent.steps[i];
    int64_t from = last;
    int64_t length = duration_between(last, step.ts);
    last = step.ts;
    if (step.to_next) {
      from = step.ts;
      const bool is_final = i + 1 == parent.steps.size();
      const int64_t until =
          is_final ? end_of(begin, std::max<int64_t>(dur, 0)) : parent.steps[i + 1].ts;
      length = is_final && dur < 0 ? -1 : duration_between(from, until);
    }
    made.push_back(
        {static_cast<uint32_t>(slices_.ts.size()), parent.slice, step.args.source, step.extra});
    slices.add_child(parent.slice, from, length, step.name, category, args_.set(step.args));
  }
}

}  // namespace tracebraid
