#include "assemble/kernel/kernel.h"

#include "assemble/kernel/topics.h"

namespace tracebraid {

Kernel::Kernel(const KernelOutputs& outputs, std::span<const PlacedBatch> batches)
    : emitter_(outputs),
      strings_(outputs.store.strings),
      args_(outputs.args),
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

void Kernel::apply(const Event& event, uint32_t batch, uint32_t machine, uint32_t utid) {
  const Handler handler = handler_of(event.name);
  if (handler.topic == nullptr && !names_of(batch).has_track_events) return;
  const KernelEvent e{.event = event,
                      .from = batches_[batch],
                      .batch = batch,
                      .machine = machine,
                      .utid = utid,
                      .rows = args_.rows({batch, event.args}),
                      .names = names_of(batch),
                      .strings = strings_};
  if (handler.topic != nullptr) return handler.topic->handle(handler.index, emitter_, e);
  kernel_track_event(emitter_, e);
}

}  // namespace tracebraid
