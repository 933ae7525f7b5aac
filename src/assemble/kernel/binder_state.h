// Binder: calls from one process to another (spec proto 5.5, "binder").
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "assemble/args/deferred_args.h"

namespace tracebraid {

// What a thread that takes part in a call waits for. Only failures need to know.
enum class BinderStep : uint8_t {
  Commanded,       // the sender wants to call
  Sent,            // and has
  Completed,       // the kernel has passed the call on
  Answered,        // the reply is there
  Received,        // the receiver has the call
  Returned,        // and was told so
  ReplyCommanded,  // it wants to reply
  ReplySent,       // and has
};
struct BinderFrame {
  BinderStep step;
  bool is_oneway = false, is_reply = false;  // of the transaction
};

struct BinderTransaction {  // sent, and not received
  bool is_reply = false, is_oneway = false;
  uint32_t track = kNone;  // of the sender
  uint32_t slice = kNone;
  ArgSource args;
};

struct BinderState {
  absl::flat_hash_map<std::pair<uint32_t, uint64_t>, BinderTransaction> sent;  // machine, id
  absl::flat_hash_map<uint32_t, std::vector<BinderFrame>> frames;              // by utid
  absl::flat_hash_set<uint32_t> waits_for_lock, has_lock;                      // by utid
};

}  // namespace tracebraid
