// Ping: how far a remote machine's clocks are from the host's, from messages
// that both time (spec clocks 8).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace tracebraid {

// One clock when one message passed; 0 where a side did not read it.
struct PingReading {
  int64_t host = 0;
  int64_t client = 0;
};
using PingMessage = std::map<uint32_t, PingReading>;  // by clock domain

struct PingOffset {
  uint32_t domain;
  int64_t host;            // a reading of the host's clock ...
  int64_t client;          // ... and what the client's showed then
  int64_t uncertainty_ns;  // no message allows it to be further off
};

// One for each clock for which two messages of one round have all readings, by rising domain.
// Messages more than 30 s apart are of different rounds. The offset is the mean of two estimates
// of each round (spec clocks 8). With four rounds or more, those that took more than twice as long
// as the quickest one do not count, and the offset is the middle of what the others allow.
std::vector<PingOffset> estimate_offsets(std::span<const PingMessage> messages);

}  // namespace tracebraid
