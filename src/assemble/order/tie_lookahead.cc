#include "assemble/order/tie_lookahead.h"

#include <algorithm>
#include <limits>

#include "assemble/saturate.h"
#include "event/event_kind.h"

namespace tracebraid {
namespace {

constexpr size_t kMaxLookBack = 512;
constexpr int64_t kLongest = std::numeric_limits<int64_t>::max();

// Returns whether the batch of this begin does not determine its duration.
bool is_unknown(const TiedEvent& begin, const TiedEvent& complete) {
  if (begin.event->what() != EventKind::SliceBegin) return false;
  if (begin.event->track != complete.event->track) return false;
  return begin.event->value == kLongest ||
         (begin.event->value == 0 && begin.batch != complete.batch);
}

}  // namespace

void TieLookahead::settle(std::vector<TiedEvent>& tied, TimeOrder::Next next,
                          const TimeOrder& order) {
  if (!find_contested(tied)) return;
  open_.clear();
  for (TiedEvent& one : tied) take(*one.event, &one);
  const FileId file = batches_[tied.front().batch].file;
  for (TimeOrder ahead = order.ahead(); contested_ > 0 && budget_ > 0; next = ahead.next()) {
    budget_ -= std::min<uint64_t>(budget_, 1 + next.sched.size());
    if (!next.sched.empty()) continue;
    if (next.event == nullptr || next.event->ts > until_) return;
    if (batches_[next.batch].file == file) take(*next.event, nullptr);
  }
}

bool TieLookahead::find_contested(std::vector<TiedEvent>& tied) {
  contested_ = 0;
  tracks_.clear();
  const bool is_border = tied.front().batch != tied.back().batch;
  const bool any = std::ranges::any_of(tied, [&](const TiedEvent& one) {
    return one.event->what() == EventKind::SliceBegin &&
           (is_border || one.event->value == kLongest);
  });
  if (!any) return false;
  until_ = tied.front().event->ts;
  for (size_t i = 1; i < tied.size(); ++i) {
    const Event& complete = *tied[i].event;
    if (complete.what() != EventKind::Slice || complete.value <= 0) continue;
    const size_t limit = i - std::min(i, kMaxLookBack);
    for (size_t j = i; j-- > limit;) {
      if (!is_unknown(tied[j], tied[i])) continue;
      until_ = std::max(until_, end_of(complete.ts, complete.value));
      if (tied[j].lasts == 0) ++contested_;
      tied[j].lasts = kLongest;
      if (!matters(complete.track)) tracks_.push_back(complete.track);
    }
  }
  return contested_ > 0;
}

bool TieLookahead::matters(uint32_t track) const {
  return std::ranges::find(tracks_, track) != tracks_.end();
}

// An end closes the innermost begin that it matches.
void TieLookahead::take(const Event& event, TiedEvent* tied) {
  const bool begins = event.what() == EventKind::SliceBegin;
  if ((!begins && event.what() != EventKind::SliceEnd) || !matters(event.track)) return;
  if (begins) {
    open_.push_back({&event, tied});
    return;
  }
  const size_t limit = open_.size() - std::min(open_.size(), kMaxLookBack);
  for (const bool with_category : {true, false}) {
    for (size_t i = open_.size(); i-- > limit;) {
      const Begin begin = open_[i];
      if (begin.event->track != event.track) continue;
      if (!name_matches(event.name, begin.event->name)) continue;
      if (with_category && !category_matches(event.category, begin.event->category)) continue;
      open_.erase(open_.begin() + static_cast<ptrdiff_t>(i));
      if (begin.tied == nullptr || begin.tied->lasts == 0) return;
      begin.tied->lasts = duration_between(begin.event->ts, event.ts);
      --contested_;
      return;
    }
  }
}

}  // namespace tracebraid
