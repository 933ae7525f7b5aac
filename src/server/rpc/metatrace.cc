#include "server/rpc/metatrace.h"

#include <ctime>

#include "server/rpc/proto_writer.h"

namespace tracebraid::rpc {
namespace {

constexpr size_t kMostBytes = size_t{16} << 20;
constexpr int64_t kTrack = 1, kSequence = 1;

// Appends a packet of the trace; `fill` appends its fields.
template <class Fill>
void append_packet(std::string& trace, Fill fill) {
  std::string packet;
  append_int(packet, 10, kSequence);  // trusted_packet_sequence_id
  fill(packet);
  append_bytes(trace, 1, packet);
}

void append_event(std::string& trace, int64_t at, int64_t type, std::string_view name) {
  append_packet(trace, [&](std::string& packet) {
    append_int(packet, 8, at);  // timestamp
    std::string event;
    append_int(event, 9, type);
    append_int(event, 11, kTrack);
    if (!name.empty()) append_bytes(event, 23, name);
    append_bytes(packet, 11, event);  // track_event
  });
}

}  // namespace

int64_t boot_time_ns() {
  timespec now = {};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void Metatrace::enable() {
  const std::lock_guard lock(mutex_);
  is_enabled_ = true;
  slices_.clear();
  bytes_ = 0;
}

void Metatrace::add(std::string_view statement, int64_t begin_ns) {
  const std::lock_guard lock(mutex_);
  if (!is_enabled_ || bytes_ + statement.size() > kMostBytes) return;
  slices_.push_back({begin_ns, boot_time_ns(), std::string(statement)});
  bytes_ += statement.size() + sizeof(Slice);
}

std::optional<std::string> Metatrace::finish() {
  const std::lock_guard lock(mutex_);
  if (!is_enabled_) return std::nullopt;
  is_enabled_ = false;
  std::string trace;
  append_packet(trace, [](std::string& packet) {
    std::string track;
    append_int(track, 1, kTrack);
    append_bytes(track, 2, "tracebraid RPC");
    append_bytes(packet, 60, track);  // track_descriptor
    append_int(packet, 13, 1);        // sequence_flags: incremental state was cleared
  });
  constexpr int64_t kBegin = 1, kEnd = 2;
  for (const Slice& slice : slices_) {
    append_event(trace, slice.begin_ns, kBegin, slice.name);
    append_event(trace, slice.end_ns, kEnd, {});
  }
  slices_.clear();
  return trace;
}

}  // namespace tracebraid::rpc
