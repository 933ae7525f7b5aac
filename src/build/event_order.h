// EventOrder: the events of all batches, one after the other, as they are to be
// built. Like TimeOrder, but equal times of a file whose TieRule asks for it are
// put in that order, across the file's pieces.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/workers.h"
#include "build/build.h"
#include "build/event_queue.h"
#include "event/order.h"
#include "event/tie.h"

namespace tracebraid {

// Calls visit(event, batch, sequence) for every event. `sequence` rises with
// the events' times and, where times are equal, as they stand in the file.
template <class Visit>
void for_each_in_order(std::span<const TrackName> tracks, std::span<const PlacedBatch> batches,
                       std::vector<Run> runs, Visit visit) {
  TimeOrder order(std::move(runs));
  uint64_t sequence = 0;
  std::vector<TiedEvent> tied;
  uint32_t batch = 0;
  const Event* event = order.next(batch);
  while (event != nullptr) {
    const int64_t ts = event->ts;
    const FileId file = batches[batch].file;
    const bool orders_ties = batches[batch].batch.tie_rule == TieRule::TraceEventFormat;
    uint32_t next_batch = 0;
    const Event* next = order.next(next_batch);
    if (!orders_ties || next == nullptr || next->ts != ts || batches[next_batch].file != file) {
      visit(*event, batch, sequence++);
      event = next;
      batch = next_batch;
      continue;
    }
    tied.assign(1, {event, batch, 0});
    while (next != nullptr && next->ts == ts && batches[next_batch].file == file) {
      tied.push_back({next, next_batch, static_cast<uint32_t>(tied.size())});
      next = order.next(next_batch);
    }
    order_ties(tracks, tied);
    for (const TiedEvent& one : tied) visit(*one.event, one.batch, sequence + one.position);
    sequence += tied.size();
    event = next;
    batch = next_batch;
  }
}

// The same, but another thread finds the order while this one visits, and does of `later` (a
// Later) what it has time for.
template <class Later, class Visit>
void for_each_in_order(std::span<const TrackName> tracks, std::span<const PlacedBatch> batches,
                       std::vector<Run> runs, Workers& workers, Later& later, Visit visit) {
  if (workers.threads() == 1) {
    for_each_in_order(tracks, batches, std::move(runs), visit);
    return;
  }
  EventQueue queue([&later] { return later.help(); });
  later.begin_help([&queue] { queue.ask(); });
  TaskGroup ordering(workers);
  struct Closing {  // also when an exception ends the visits
    EventQueue& queue;
    Later& later;
    ~Closing() {
      later.end_help();
      queue.close();
    }
  };
  {
    const Closing closing{queue, later};
    ordering.add([&queue, tracks, batches, &runs] {
      struct Ending {
        EventQueue& queue;
        ~Ending() { queue.end(); }
      };
      {
        const Ending ending{queue};
        for_each_in_order(tracks, batches, std::move(runs),
                          [&](const Event& event, uint32_t batch, uint64_t sequence) {
                            queue.push({&event, batch, sequence});
                          });
      }
      queue.serve();
    });
    for (auto block = queue.pop(); !block.empty(); block = queue.pop()) {
      constexpr size_t kSoon = 12;  // events that lie anywhere in memory
      for (size_t i = 0; i < block.size(); ++i) {
        __builtin_prefetch(block[std::min(i + kSoon, block.size() - 1)].event);
        visit(*block[i].event, block[i].batch, block[i].sequence);
      }
    }
  }
  ordering.wait();
}

}  // namespace tracebraid
