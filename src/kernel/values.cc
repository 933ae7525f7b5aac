#include "kernel/values.h"

#include <fmt/format.h>

#include <array>

namespace tracebraid {
namespace {

constexpr std::array<std::string_view, 10> kSoftirqs{"HI",      "TIMER",        "NET_TX",  "NET_RX",
                                                     "BLOCK",   "BLOCK_IOPOLL", "TASKLET", "SCHED",
                                                     "HRTIMER", "RCU"};

constexpr std::array<std::string_view, 13> kTcpStates{"",
                                                      "TCP_ESTABLISHED",
                                                      "TCP_SYN_SENT",
                                                      "TCP_SYN_RECV",
                                                      "TCP_FIN_WAIT1",
                                                      "TCP_FIN_WAIT2",
                                                      "TCP_TIME_WAIT",
                                                      "TCP_CLOSE",
                                                      "TCP_CLOSE_WAIT",
                                                      "TCP_LAST_ACK",
                                                      "TCP_LISTEN",
                                                      "TCP_CLOSING",
                                                      "TCP_NEW_SYN_RECV"};
constexpr std::array<std::string_view, 15> kBufferTypes{"",
                                                        "VIDEO_CAPTURE",
                                                        "VIDEO_OUTPUT",
                                                        "VIDEO_OVERLAY",
                                                        "VBI_CAPTURE",
                                                        "VBI_OUTPUT",
                                                        "SLICED_VBI_CAPTURE",
                                                        "SLICED_VBI_OUTPUT",
                                                        "VIDEO_OUTPUT_OVERLAY",
                                                        "VIDEO_CAPTURE_MPLANE",
                                                        "VIDEO_OUTPUT_MPLANE",
                                                        "SDR_CAPTURE",
                                                        "SDR_OUTPUT",
                                                        "META_CAPTURE",
                                                        "META_OUTPUT"};

constexpr std::array<std::string_view, 15> kVideoCommands{
    "QUERY_CAPABILITY", "STREAM_CREATE",  "STREAM_DESTROY",       "STREAM_DRAIN",
    "RESOURCE_CREATE",  "RESOURCE_QUEUE", "RESOURCE_DESTROY_ALL", "QUEUE_CLEAR",
    "GET_PARAMS",       "SET_PARAMS",     "QUERY_CONTROL",        "GET_CONTROL",
    "SET_CONTROL",      "GET_PARAMS_EXT", "SET_PARAMS_EXT"};
constexpr int32_t kPmSuspend = 0x2, kPmResume = 0x10;

std::string_view pm_event(int32_t event) {
  switch (event) {
    case 0x1:
      return "freeze";
    case kPmSuspend:
      return "suspend";
    case 0x4:
      return "hibernate";
    case 0x8:
      return "quiesce";
    case kPmResume:
      return "resume";
    case 0x20:
      return "thaw";
    case 0x40:
      return "restore";
    case 0x80:
      return "recover";
    default:
      return "(unknown PM event)";
  }
}

// Returns the value at the index; empty if there is none.
template <size_t kCount>
std::string_view at(const std::array<std::string_view, kCount>& names, uint32_t index) {
  return index < kCount ? names[index] : std::string_view();
}

}  // namespace

std::string_view softirq_name(uint32_t vec) { return at(kSoftirqs, vec); }

std::string_view tcp_state_name(uint32_t state) { return at(kTcpStates, state); }

std::string_view ufs_opcode(uint32_t opcode) {
  switch (opcode) {
    case 0:
      return "TEST UNIT READY";
    case 3:
      return "REQUEST SENSE";
    case 4:
      return "FORMAT UNIT";
    case 8:
      return "READ (6)";
    case 10:
      return "WRITE (6)";
    case 18:
      return "INQUIRY";
    case 27:
      return "START STOP UNIT";
    case 29:
      return "SEND DIAGNOSTIC";
    case 37:
      return "READ CAPACITY (10)";
    case 40:
      return "READ (10)";
    case 42:
      return "WRITE (10)";
    case 47:
      return "VERIFY";
    case 52:
      return "PRE-FETCH (10)";
    case 53:
      return "SYNCHRONIZE CACHE (10)";
    case 59:
      return "WRITE BUFFER";
    case 60:
      return "READ BUFFER";
    case 66:
      return "UNMAP";
    case 85:
      return "MODE SELECT (10)";
    case 90:
      return "MODE SENSE (10)";
    case 136:
      return "READ (16)";
    case 138:
      return "WRITE (16)";
    case 144:
      return "PRE-FETCH (16)";
    case 145:
      return "SYNCHRONIZE CACHE (16)";
    case 158:
      return "READ CAPACITY (16)";
    case 160:
      return "REPORT LUNS";
    case 162:
      return "SECURITY PROTOCOL IN";
    case 181:
      return "SECURITY PROTOCOL OUT";
    default:
      return "UNDEFINED";
  }
}

std::string pm_callback_phase(int32_t event, std::string_view ops) {
  std::string phase(pm_event(event));
  if (ops.empty() && event == kPmSuspend) return phase + ":prepare";
  if (ops.empty() && event == kPmResume) return phase + ":complete";
  for (const std::string_view stage : {"early", "late", "noirq"})
    if (ops.starts_with(stage)) return fmt::format("{}:{}", phase, stage);
  return phase;
}

std::string_view video_buffer_type(uint32_t type) {
  const std::string_view name = at(kBufferTypes, type);
  return name.empty() ? "UNDEFINED" : name;
}

std::string_view virtio_gpu_command(uint32_t type) {
  switch (type) {
    case 0x100:
      return "GET_DISPLAY_INFO";
    case 0x101:
      return "RESOURCE_CREATE_2D";
    case 0x102:
      return "RESOURCE_UNREF";
    case 0x103:
      return "SET_SCANOUT";
    case 0x104:
      return "RESOURCE_FLUSH";
    case 0x105:
      return "TRANSFER_TO_HOST_2D";
    case 0x106:
      return "RESOURCE_ATTACH_BACKING";
    case 0x107:
      return "RESOURCE_DETACH_BACKING";
    case 0x108:
      return "GET_CAPSET_INFO";
    case 0x109:
      return "GET_CAPSET";
    case 0x10a:
      return "GET_EDID";
    case 0x10b:
      return "RESOURCE_ASSIGN_UUID";
    case 0x10c:
      return "RESOURCE_CREATE_BLOB";
    case 0x10d:
      return "SET_SCANOUT_BLOB";
    case 0x200:
      return "CTX_CREATE";
    case 0x201:
      return "CTX_DESTROY";
    case 0x202:
      return "CTX_ATTACH_RESOURCE";
    case 0x203:
      return "CTX_DETACH_RESOURCE";
    case 0x204:
      return "RESOURCE_CREATE_3D";
    case 0x205:
      return "TRANSFER_TO_HOST_3D";
    case 0x206:
      return "TRANSFER_FROM_HOST_3D";
    case 0x207:
      return "SUBMIT_3D";
    case 0x208:
      return "RESOURCE_MAP_BLOB";
    case 0x209:
      return "RESOURCE_UNMAP_BLOB";
    case 0x300:
      return "UPDATE_CURSOR";
    case 0x301:
      return "MOVE_CURSOR";
    default:
      return "RESP_UNKNOWN";
  }
}

std::string_view virtio_video_command(uint32_t type) {
  constexpr uint32_t kFirst = 0x100;
  return type < kFirst ? std::string_view() : at(kVideoCommands, type - kFirst);
}

std::string_view virtio_video_queue(uint32_t type) {
  switch (type) {
    case 0x100:
      return "INPUT";
    case 0x101:
      return "OUTPUT";
    default:
      return "";
  }
}

std::string binder_flags(uint32_t flags) {
  std::string text = fmt::format("{:#04x} ", flags);
  if ((flags & kBinderOneWay) != 0) text += "this is a one-way call: async, no return; ";
  if ((flags & 0x04) != 0) text += "contents are the components root object; ";
  if ((flags & 0x08) != 0) text += "contents are a 32-bit status code; ";
  if ((flags & 0x10) != 0) text += "allow replies with file descriptors; ";
  if (flags == 0) text += "No Flags Set";
  return text;
}

}  // namespace tracebraid
