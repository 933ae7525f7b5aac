// The recordings that a simulation writes, and the reference rule for their times.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracebraid::generate {

struct DomainReading {
  uint32_t domain;
  int64_t ns;
};

// Writes a protobuf trace. Field numbers: spec clocks 1.
class ProtoRecording {
 public:
  void snapshot(const std::vector<DomainReading>& readings);
  // Writes both sides of each message, host and client, in BOOTTIME (spec clocks 8).
  void ping(uint32_t machine, const std::vector<std::pair<int64_t, int64_t>>& host_client);
  void event(std::string_view name, uint32_t domain, uint32_t machine, int64_t ns);
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Writes a JSON trace.
class JsonRecording {
 public:
  void event(std::string_view name, int64_t ns);
  // begin < end: the marker of the issuer; otherwise of the receiver (spec json 6.4).
  void sync(std::string_view id, int64_t begin, int64_t end);
  std::string take();

 private:
  std::string events_;
};

// The offset of the nearest earlier observation (spec clocks 3.3 step 4).
class ReferenceRule {
 public:
  void observe(int64_t from, int64_t to) { observations_.push_back({from, to}); }
  int64_t convert(int64_t reading) const;

 private:
  std::vector<std::pair<int64_t, int64_t>> observations_;  // `from` as observed
};

}  // namespace tracebraid::generate
