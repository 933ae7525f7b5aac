// EventOrder: the events of all batches in the order in which tables are built. As TimeOrder, but
// orders events with equal times by the TieRule of their file, across the batches of the file.
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

// Requires: the visitor has an operator() for compact events, or there are none.
template <class Visit>
void visit_compact(Visit& visit, std::span<const SchedRecord> records, uint32_t batch) {
  if constexpr (std::is_invocable_v<Visit&, std::span<const SchedRecord>, uint32_t>)
    visit(records, batch);
}

// Calls visit(event, batch, sequence) for every event, visit(records, batch) for compact ones.
// `sequence` increases in order of time and, at equal times, in file order.
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

// Visits events as they are passed.
struct Pushing {
  EventQueue& queue;
  void operator()(const Event& event, uint32_t batch, uint64_t sequence) const {
    queue.push({&event, batch, 0, sequence});
  }
  void operator()(std::span<const SchedRecord> records, uint32_t batch) const {
    queue.push({records.data(), batch, static_cast<uint32_t>(records.size()), 0});
  }
};

// Visits as above, but another thread merges the runs while this thread visits, and runs tasks of
// `queues` (a TaskQueues) in its idle time.
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
  struct Closing {  // closes the queue also on an exception
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
      constexpr size_t kSoon = 12;  // distance of prefetching, events
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
