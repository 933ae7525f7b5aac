// Calls between processes through binder.
#include "kernel/text/emit.h"
#include "kernel/text/topics.h"

namespace tracebraid::kernel_text {
namespace {

// Handles transaction=1 dest_node=2 dest_proc=3 dest_thread=0 reply=0 flags=0x10 code=0x3.
void transaction(const Line& line, Context& context) {
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  if (!details.number("transaction")) return;
  emit_meaning(line, line.name,
               {{"debug_id", details.text("transaction")},
                {"target_node", details.text("dest_node")},
                {"to_proc", details.text("dest_proc")},
                {"to_thread", details.text("dest_thread")},
                {"reply", details.text("reply")},
                {"flags", details.text("flags")},
                {"code", details.text("code")}},
               context);
}

void received(const Line& line, Context& context) {
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  if (!details.number("transaction")) return;
  emit_meaning(line, line.name, {{"debug_id", details.text("transaction")}}, context);
}

void buffer(const Line& line, Context& context) {
  emit_row(line, context);
  const KernelDetails details = details_of(line);
  if (!details.number("transaction")) return;
  emit_meaning(line, line.name,
               {{"debug_id", details.text("transaction")},
                {"data_size", details.text("data_size")},
                {"offsets_size", details.text("offsets_size")},
                {"extra_buffers_size", details.text("extra_buffers_size")}},
               context);
}

constexpr Handler kHandlers[] = {
    {"binder_transaction", transaction},
    {"binder_transaction_received", received},
    {"binder_transaction_alloc_buf", buffer},
    {"binder_lock", emit_event},
    {"binder_locked", emit_event},
    {"binder_unlock", emit_event},
};

}  // namespace

std::span<const Handler> binder_handlers() { return kHandlers; }

}  // namespace tracebraid::kernel_text
