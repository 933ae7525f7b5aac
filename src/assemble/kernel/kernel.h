// Kernel: from kernel events to rows (spec proto 5.5). Readers of all formats state an event with
// its fields; the handler of the event's name says what the event means.
//
// Comes in: an event of kind FtraceEvent or FtraceMeaning, in the order of time. Goes out: slices,
// counters, flows, threads and rows of sched, through KernelEmitter, the only thing of the builders
// that handlers see. Called by the assembling thread. Handlers are free functions, one file a topic
// (topics.h), which also has what the topic remembers from event to event.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <memory>
#include <span>
#include <vector>

#include "assemble/kernel/emitter.h"
#include "assemble/kernel/handler.h"

namespace tracebraid {

class Kernel {
 public:
  Kernel(const KernelOutputs& outputs, std::span<const PlacedBatch> batches);

  // Does nothing if the event only is a row. `machine` and `utid`, of the thread that emitted the
  // event, are rows.
  void apply(const Event& event, uint32_t batch, uint32_t machine, uint32_t utid);
  // Name of the one event with a repeated field, whose row has only the last (spec proto 5.2).
  StringId call_event() const { return call_event_; }
  // Requires: all events have come.
  void finish() { emitter_.finish(); }

 private:
  struct Handler {
    KernelTopic* topic = nullptr;  // null: no topic handles the event
    size_t index = 0;
  };
  void add_handlers(KernelTopic& topic);
  const FieldNames& names_of(uint32_t batch);
  Handler handler_of(StringId name);

  struct Prefix {
    std::string_view text;
    Handler handler;
  };

  KernelEmitter emitter_;
  StringPool& strings_;
  DeferredArgs& args_;
  std::span<const PlacedBatch> batches_;
  std::vector<std::unique_ptr<KernelTopic>> topics_;
  absl::flat_hash_map<uint32_t, Handler> handlers_;  // by name
  std::vector<Prefix> prefixes_;
  StringId call_event_;
  std::vector<std::unique_ptr<FieldNames>> names_;  // by batch
};

}  // namespace tracebraid
