// Calls between processes through binder.
#include "format/systrace/kernel.h"

namespace tracebraid::systrace {
namespace {

// Handles transaction=1 dest_node=2 dest_proc=3 dest_thread=0 reply=0 flags=0x10 code=0x3.
void transaction(const Line& line, Piece& piece) {
  state_row(line, piece);
  const KernelDetails details = details_of(line);
  if (!details.number("transaction")) return;
  state_meaning(line, line.name,
                {{"debug_id", details.text("transaction")},
                 {"target_node", details.text("dest_node")},
                 {"to_proc", details.text("dest_proc")},
                 {"to_thread", details.text("dest_thread")},
                 {"reply", details.text("reply")},
                 {"flags", details.text("flags")},
                 {"code", details.text("code")}},
                piece);
}

void received(const Line& line, Piece& piece) {
  state_row(line, piece);
  const KernelDetails details = details_of(line);
  if (!details.number("transaction")) return;
  state_meaning(line, line.name, {{"debug_id", details.text("transaction")}}, piece);
}

void buffer(const Line& line, Piece& piece) {
  state_row(line, piece);
  const KernelDetails details = details_of(line);
  if (!details.number("transaction")) return;
  state_meaning(line, line.name,
                {{"debug_id", details.text("transaction")},
                 {"data_size", details.text("data_size")},
                 {"offsets_size", details.text("offsets_size")},
                 {"extra_buffers_size", details.text("extra_buffers_size")}},
                piece);
}

constexpr KernelHandler kHandlers[] = {
    {"binder_transaction", transaction},      {"binder_transaction_received", received},
    {"binder_transaction_alloc_buf", buffer}, {"binder_lock", state_event},
    {"binder_locked", state_event},           {"binder_unlock", state_event},
};

}  // namespace

std::span<const KernelHandler> binder_handlers() { return kHandlers; }

}  // namespace tracebraid::systrace
