#include "merge/place/writer_order.h"

#include <bit>

namespace tracebraid {
namespace {

using Candidate = WriterOrder::Candidate;

// Whether an event at `after` may be written after one at `before`.
bool may_follow(const Candidate& before, const Candidate& after) {
  return after.segment >= before.segment && __int128{after.ts} + WriterOrder::kSlackNs >= before.ts;
}

}  // namespace

void WriterOrder::add(uint32_t event, std::span<const Candidate> candidates) {
  if (candidates.empty()) return;
  if (candidates.size() > 1) {
    pending_.push_back({event, {candidates.begin(), candidates.end()}});
    return;
  }
  ++certain_;
  const Candidate& only = candidates.front();
  if (before_ && !may_follow(*before_, only)) return;
  ++in_order_;
  decide(&only);
  if (!before_ || only.ts > before_->ts) before_ = only;
}

void WriterOrder::finish() { decide(nullptr); }

// Chooses the segments of the pending events, which lie between `before_` and `next`, if any.
void WriterOrder::decide(const Candidate* next) {
  // Bit i of an element: candidate i is possible with some choice for all events before it.
  std::vector<uint64_t> possible(pending_.size());
  for (size_t at = 0; at < pending_.size(); ++at) {
    const std::vector<Candidate>& here = pending_[at].candidates;
    for (size_t i = 0; i < here.size(); ++i) {
      bool follows = at == 0 && (!before_ || may_follow(*before_, here[i]));
      if (at > 0) {
        const std::vector<Candidate>& earlier = pending_[at - 1].candidates;
        for (size_t k = 0; k < earlier.size() && !follows; ++k)
          follows = (possible[at - 1] >> k & 1U) != 0 && may_follow(earlier[k], here[i]);
      }
      if (follows) possible[at] |= uint64_t{1} << i;
    }
  }
  // Removes what no choice for the events after it allows.
  for (size_t at = pending_.size(); at-- > 0;) {
    const std::vector<Candidate>& here = pending_[at].candidates;
    for (size_t i = 0; i < here.size(); ++i) {
      bool leads = at + 1 == pending_.size() && (next == nullptr || may_follow(here[i], *next));
      if (at + 1 < pending_.size()) {
        const std::vector<Candidate>& later = pending_[at + 1].candidates;
        for (size_t k = 0; k < later.size() && !leads; ++k)
          leads = (possible[at + 1] >> k & 1U) != 0 && may_follow(here[i], later[k]);
      }
      if (!leads) possible[at] &= ~(uint64_t{1} << i);
    }
    if (std::has_single_bit(possible[at]))
      choices_.push_back(
          {pending_[at].event, here[static_cast<size_t>(std::countr_zero(possible[at]))].segment});
  }
  pending_.clear();
}

}  // namespace tracebraid
