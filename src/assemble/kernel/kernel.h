// Kernel: converts kernel events to rows (spec proto 5.5). Readers of all formats emit an event
// with its fields; the handler of its name defines its meaning.
//
// Input: events in order of time. Output: rows of ftrace_event, and slices, counters, flows,
// threads and rows of sched, through KernelEmitter, which is all that handlers see of the builders.
// Called by the assembling thread. Handlers are free functions, one file per topic (topics.h),
// which also has the state that the topic keeps from event to event.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <memory>
#include <span>
#include <vector>

#include "assemble/identity/cpus.h"
#include "assemble/kernel/emitter.h"
#include "assemble/kernel/handler.h"
#include "assemble/placed_event.h"

namespace tracebraid {

class Kernel {
 public:
  Kernel(const KernelOutputs& outputs, Cpus& cpus, std::span<const PlacedBatch> batches);

  // An event of kind FtraceEvent, FtraceMeaning or FtraceRow.
  void add(const PlacedEvent& at);
  // Call after the last event.
  void finish() {
    for (const std::unique_ptr<KernelTopic>& topic : topics_) topic->finish(emitter_);
    emitter_.finish();
  }

 private:
  struct Handler {
    KernelTopic* topic = nullptr;  // null: no topic handles the event
    size_t index = 0;
  };
  void add_handlers(KernelTopic& topic);
  void add_row(const PlacedEvent& at, uint32_t utid);
  void apply(const PlacedEvent& at, uint32_t utid);
  const FieldNames& names_of(uint32_t batch);
  Handler handler_of(StringId name);

  struct Prefix {
    std::string_view text;
    Handler handler;
  };

  KernelEmitter emitter_;
  StringPool& strings_;
  Identity& identity_;
  DeferredArgs& args_;
  Cpus& cpus_;
  std::span<const PlacedBatch> batches_;
  std::vector<std::unique_ptr<KernelTopic>> topics_;
  absl::flat_hash_map<uint32_t, Handler> handlers_;  // by name
  std::vector<Prefix> prefixes_;
  StringId call_event_;                             // the one with a repeated field
  std::vector<std::unique_ptr<FieldNames>> names_;  // by batch
};

}  // namespace tracebraid
