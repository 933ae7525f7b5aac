// EventOrder: the events of all batches, one after the other, as they are to be
// built. Like TimeOrder, but equal times of a file whose TieRule asks for it are
// put in that order, across the file's pieces.
#pragma once

#include <algorithm>
#include <span>
#include <type_traits>
#include <vector>

#include "assemble/order/event_queue.h"
#include "assemble/order/tie_lookahead.h"
#include "assemble/placed_batch.h"
#include "base/workers.h"
#include "event/order.h"
#include "event/tie.h"

namespace tracebraid {

// Whoever visits has an operator() for compact events, or there are none.
template <class Visit>
void visit_compact(Visit& visit, std::span<const SchedRecord> records, uint32_t batch) {
  if constexpr (std::is_invocable_v<Visit&, std::span<const SchedRecord>, uint32_t>)
    visit(records, batch);
}

// Calls visit(event, batch, sequence) for every event, visit(records, batch) for compact ones.
// `sequence` rises with the events' times and, where times are equal, as they stand in the file.
template <class Visit>
void for_each_in_order(std::span<const TrackName> tracks, std::span<const PlacedBatch> batches,
                       std::span<const Run> runs, Visit visit) {
  TimeOrder order(runs);
  TieLookahead lookahead(batches);
  uint64_t sequence = 0;
  std::vector<TiedEvent> tied;
  TimeOrder::Next at = order.next();
  for (;;) {
    if (at.event == nullptr) {
      if (at.sched.empty()) return;
      visit_compact(visit, at.sched, at.batch);
      sequence += at.sched.size();
      at = order.next();
      continue;
    }
    const int64_t ts = at.event->ts;
    const FileId file = batches[at.batch].file;
    const bool orders_ties = batches[at.batch].batch.tie_rule == TieRule::TraceEventFormat;
    const auto is_tied = [&](const TimeOrder::Next& next) {
      return next.event != nullptr && next.event->ts == ts && batches[next.batch].file == file;
    };
    TimeOrder::Next next = order.next();
    if (!orders_ties || !is_tied(next)) {
      visit(*at.event, at.batch, sequence++);
      at = next;
      continue;
    }
    tied.assign(1, {at.event, at.batch, 0});
    for (; is_tied(next); next = order.next())
      tied.push_back({next.event, next.batch, static_cast<uint32_t>(tied.size())});
    lookahead.settle(tied, next, order);
    order_ties(tracks, tied);
    for (const TiedEvent& one : tied) visit(*one.event, one.batch, sequence + one.position);
    sequence += tied.size();
    at = next;
  }
}

// Visits by handing over.
struct Pushing {
  EventQueue& queue;
  void operator()(const Event& event, uint32_t batch, uint64_t sequence) const {
    queue.push({&event, batch, 0, sequence});
  }
  void operator()(std::span<const SchedRecord> records, uint32_t batch) const {
    queue.push({records.data(), batch, static_cast<uint32_t>(records.size()), 0});
  }
};

// The same, but another thread finds the order while this one visits, and helps with `queues` (a
// TaskQueues) when it has time.
template <class Queues, class Visit>
void for_each_in_order(std::span<const TrackName> tracks, std::span<const PlacedBatch> batches,
                       std::span<const Run> runs, Workers& workers, Queues& queues, Visit visit) {
  if (workers.threads() == 1) {
    for_each_in_order(tracks, batches, runs, visit);
    return;
  }
  EventQueue queue([&queues] { return queues.help(); });
  queues.begin_help([&queue] { queue.ask(); });
  TaskGroup ordering(workers);
  struct Closing {  // also when an exception ends the visits
    EventQueue& queue;
    Queues& queues;
    ~Closing() {
      queues.end_help();
      queue.close();
    }
  };
  {
    const Closing closing{queue, queues};
    ordering.add([&queue, tracks, batches, &runs] {
      struct Ending {
        EventQueue& queue;
        ~Ending() { queue.end(); }
      };
      {
        const Ending ending{queue};
        for_each_in_order(tracks, batches, runs, Pushing{queue});
      }
      queue.serve();
    });
    for (auto block = queue.pop(); !block.empty(); block = queue.pop()) {
      constexpr size_t kSoon = 12;  // events that lie anywhere in memory
      for (size_t i = 0; i < block.size(); ++i) {
        __builtin_prefetch(block[std::min(i + kSoon, block.size() - 1)].at);
        if (block[i].compact > 0)
          visit_compact(visit, block[i].sched(), block[i].batch);
        else
          visit(block[i].event(), block[i].batch, block[i].sequence);
      }
    }
  }
  ordering.wait();
}

}  // namespace tracebraid
