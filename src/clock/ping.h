// Ping: the offsets between the clocks of a remote machine and its host, from messages that both
// record (spec clocks 8). merge/locate adds them to the clock graph.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace tracebraid {

// Readings of one clock on both sides when a message passed, ns; 0 if a side did not read it.
struct PingReading {
  int64_t host = 0;
  int64_t client = 0;
};
using PingMessage = std::map<uint32_t, PingReading>;  // by clock domain

struct PingOffset {
  uint32_t domain;
  int64_t host;            // a reading of the host's clock ...
  int64_t client;          // ... and the client's at the same moment
  int64_t uncertainty_ns;  // limit that the messages give
};

// Returns one offset for each clock for which two messages of a round have all readings, sorted by
// domain. Messages more than 30 s apart belong to different rounds. The offset is the mean of the
// two estimates of each round (spec clocks 8). With four or more rounds, those that took more than
// twice as long as the quickest are ignored, and the offset is the middle of the interval that the
// others allow.
std::vector<PingOffset> estimate_offsets(std::span<const PingMessage> messages);

}  // namespace tracebraid
