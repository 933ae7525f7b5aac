#include "assemble/kernel/kernel.h"

#include "assemble/kernel/topics.h"
#include "event/event_kind.h"

namespace tracebraid {

Kernel::Kernel(const KernelOutputs& outputs, Cpus& cpus, std::span<const PlacedBatch> batches)
    : emitter_(outputs),
      strings_(outputs.store.strings),
      identity_(outputs.identity),
      args_(outputs.args),
      cpus_(cpus),
      batches_(batches),
      topics_(kernel_topics()),
      names_(batches.size()) {
  for (const std::unique_ptr<KernelTopic>& topic : topics_) add_handlers(*topic);
  call_event_ = strings_.intern("sys_enter");
}

void Kernel::add_handlers(KernelTopic& topic) {
  for (size_t i = 0; i < topic.size(); ++i) {
    std::string_view name = topic.name(i);
    if (name.ends_with('*')) {
      name.remove_suffix(1);
      prefixes_.push_back({name, {&topic, i}});
    } else {
      handlers_[strings_.intern(name).row] = {&topic, i};
    }
  }
}

const FieldNames& Kernel::names_of(uint32_t batch) {
  if (!names_[batch])
    names_[batch] = std::make_unique<FieldNames>(batches_[batch].batch.args, strings_);
  return *names_[batch];
}

Kernel::Handler Kernel::handler_of(StringId name) {
  const auto [known, is_new] = handlers_.try_emplace(name.row);
  if (is_new)
    for (const Prefix& prefix : prefixes_)
      if (name && strings_.get(name).starts_with(prefix.text)) known->second = prefix.handler;
  return known->second;
}

void Kernel::add(const PlacedEvent& at) {
  const EventKind kind = at.event.what();
  const bool is_of_cpu = at.event.track != kNone;
  if (is_of_cpu && !cpus_.note(at.machine(), at.event.track)) return;
  if (!is_of_cpu && kind != EventKind::FtraceMeaning) return;
  const uint32_t utid = identity_.thread_of(at.machine(), at.event.value);
  if (kind != EventKind::FtraceMeaning) add_row(at, utid);
  if (kind != EventKind::FtraceRow) apply(at, utid);
}

// Adds a row. The row of an event with a repeated field has only the last value (spec proto 5.2).
void Kernel::add_row(const PlacedEvent& at, uint32_t utid) {
  const bool has_array = at.event.name == call_event_;
  const uint32_t flags = at.event.extra == kNone ? 0 : at.event.extra;
  const uint32_t ucpu = ucpu_of(at.machine(), at.event.track);
  args_.add_row({at.event.ts, at.event.name, utid, flags, ucpu}, at.args(), has_array);
}

void Kernel::apply(const PlacedEvent& at, uint32_t utid) {
  const Handler handler = handler_of(at.event.name);
  if (handler.topic == nullptr && !names_of(at.batch).has_track_events) return;
  const KernelEvent e{.event = at.event,
                      .from = at.from,
                      .batch = at.batch,
                      .machine = at.machine(),
                      .utid = utid,
                      .rows = args_.rows(at.args()),
                      .names = names_of(at.batch),
                      .strings = strings_};
  if (handler.topic != nullptr) return handler.topic->handle(handler.index, emitter_, e);
  kernel_track_event(emitter_, e);
}

}  // namespace tracebraid
