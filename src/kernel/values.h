// Numbers in fields of kernel events, and the names that traces show for them (spec proto 5.5). All
// functions are pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tracebraid {

// Each returns an empty text for a number that has no name, unless stated otherwise.
std::string_view softirq_name(uint32_t vec);
std::string_view tcp_state_name(uint32_t state);
std::string_view ufs_opcode(uint32_t opcode);        // or "UNDEFINED"
std::string_view video_buffer_type(uint32_t type);   // or "UNDEFINED"
std::string_view virtio_gpu_command(uint32_t type);  // or "RESP_UNKNOWN"
std::string_view virtio_video_command(uint32_t type);
std::string_view virtio_video_queue(uint32_t type);

// Returns the phase of a callback, such as "suspend:early"; `ops` is the field pm_ops.
std::string pm_callback_phase(int32_t event, std::string_view ops);

// Describes the flags of a binder transaction: "0x11 this is a one-way call: async, no return;
// ...".
std::string binder_flags(uint32_t flags);

inline constexpr uint32_t kBinderOneWay = 0x01;

// Values of the field cmd of binder_command and binder_return.
enum BinderCommand : uint32_t {
  kBcTransaction = 0x40406300,
  kBcReply = 0x40406301,
  kBcTransactionSg = 0x40486311,
  kBcReplySg = 0x40486312,
  kBrTransactionSecCtx = 0x80487202,
  kBrTransaction = 0x80407202,
  kBrReply = 0x80407203,
  kBrDeadReply = 0x7205,
  kBrTransactionComplete = 0x7206,
  kBrFailedReply = 0x7211,
  kBrFrozenReply = 0x7212,
  kBrOnewaySpamSuspect = 0x7213,
  kBrTransactionPendingFrozen = 0x7214,
};

}  // namespace tracebraid
