#include "clock/ping.h"

#include "clock/clock_key.h"

namespace tracebraid {
namespace {

constexpr uint64_t kRoundNs = 30'000'000'000;

PingReading at(const PingMessage& message, uint32_t domain) {
  const auto found = message.find(domain);
  return found == message.end() ? PingReading{} : found->second;
}

// Readings are unsigned in the file; differences and sums wrap as they do there.
int64_t minus(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
int64_t middle(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)) / 2;
}

bool same_round(const PingMessage& first, const PingMessage& second) {
  const int64_t elapsed =
      minus(at(second, domain::kBoottime).client, at(first, domain::kBoottime).client);
  return static_cast<uint64_t>(elapsed) < kRoundNs;
}

struct Sum {
  __int128 offsets = 0;  // client minus host
  __int128 rounds = 0;   // duration of the rounds, ns
  int64_t count = 0;
};

void add_pair(const PingMessage& first, const PingMessage& second, std::map<uint32_t, Sum>& sums) {
  for (const auto& [domain, p] : first) {
    const PingReading u = at(second, domain);
    if (p.host == 0 || p.client == 0 || u.host == 0 || u.client == 0) continue;
    Sum& sum = sums[domain];
    sum.offsets += minus(middle(p.client, u.client), p.host);
    sum.offsets += minus(u.client, middle(p.host, u.host));
    sum.rounds += minus(u.client, p.client);
    sum.count += 2;
  }
}

}  // namespace

std::vector<PingOffset> estimate_offsets(std::span<const PingMessage> messages) {
  std::map<uint32_t, Sum> sums;
  std::map<uint32_t, int64_t> anchors;  // the last real reading of the host
  for (size_t i = 0; i < messages.size(); ++i) {
    for (const auto& [domain, reading] : messages[i])
      if (reading.host != 0) anchors[domain] = reading.host;
    if (i > 0 && same_round(messages[i - 1], messages[i]))
      add_pair(messages[i - 1], messages[i], sums);
  }
  std::vector<PingOffset> offsets;
  for (const auto& [domain, sum] : sums) {
    PingOffset found{.domain = domain, .host = anchors[domain], .client = 0, .uncertainty_ns = 0};
    const auto offset = static_cast<int64_t>(sum.offsets / sum.count);
    if (__builtin_add_overflow(found.host, offset, &found.client)) continue;
    const __int128 half = sum.rounds / sum.count;  // two estimates a round
    found.uncertainty_ns = half < 0 ? 0 : static_cast<int64_t>(half);
    offsets.push_back(found);
  }
  return offsets;
}

}  // namespace tracebraid
