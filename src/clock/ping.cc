#include "clock/ping.h"

#include <algorithm>

#include "clock/clock_key.h"

namespace tracebraid {
namespace {

using Wide = __int128;  // no sum of readings overflows it

constexpr uint64_t kRoundNs = 30'000'000'000;
constexpr size_t kEnoughToChoose = 4;   // rounds; of fewer, each counts as the spec has it
constexpr Wide kDriftDivisor = 10'000;  // 100 ppm
constexpr Wide kNoBound = Wide{1} << 100;

PingReading at(const PingMessage& message, uint32_t domain) {
  const auto found = message.find(domain);
  return found == message.end() ? PingReading{} : found->second;
}

// Readings are unsigned in the file, so differences and sums wrap.
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

// One clock over two messages of a round.
struct Round {
  int64_t since_ns;      // host's clock at the first
  Wide off_by_two;       // both estimates of the spec, summed: client minus host
  Wide lowest, highest;  // limits of the offset; swapped if the messages are not causal
  Wide took() const { return highest - lowest; }
};

Round round_of(const PingReading& p, const PingReading& u) {
  const Wide first = Wide{p.client} - p.host, second = Wide{u.client} - u.host;
  // The client's first reading is before the host's first, its second between the host's first and
  // second.
  return {p.host,
          Wide{minus(middle(p.client, u.client), p.host)} + minus(u.client, middle(p.host, u.host)),
          std::max(first, second), Wide{u.client} - p.host};
}

Wide magnitude(Wide value) { return value < 0 ? -value : value; }

// Keeps rounds that took at most twice as long as the quickest: delays make longer rounds less
// exact.
std::vector<Round> quick_ones(const std::vector<Round>& rounds) {
  const Wide best = std::ranges::min(rounds, {}, &Round::took).took();
  if (best < 0 || rounds.size() < kEnoughToChoose) return rounds;
  std::vector<Round> quick;
  for (const Round& round : rounds)
    if (round.took() <= 2 * best) quick.push_back(round);
  return quick;
}

struct Estimate {
  Wide offset, uncertainty;
};

Estimate estimate(const std::vector<Round>& all) {
  const std::vector<Round> rounds = quick_ones(all);
  const auto count = static_cast<Wide>(rounds.size());
  Wide sum = 0, took = 0;
  for (const Round& round : rounds) {
    sum += all.size() < kEnoughToChoose ? round.off_by_two : round.lowest + round.highest;
    took += std::max<Wide>(round.took(), 0);
  }
  Wide offset = sum / (2 * count);
  // The limits of all rounds, with the usual drift.
  Wide low = -kNoBound, high = kNoBound;
  for (const Round& round : rounds) {
    const Wide drift = magnitude(Wide{rounds.back().since_ns} - round.since_ns) / kDriftDivisor;
    low = std::max(low, round.lowest - drift);
    high = std::min(high, round.highest + drift);
  }
  if (low > high) {  // no common interval: one of the clocks was set
    Wide apart = 0;
    for (const Round& round : rounds)
      apart = std::max(apart, magnitude(round.off_by_two / 2 - offset));
    return {offset, took / (2 * count) + apart};
  }
  if (all.size() >= kEnoughToChoose) offset = std::clamp(offset, low, high);
  return {offset, std::max(high - offset, offset - low)};
}

}  // namespace

std::vector<PingOffset> estimate_offsets(std::span<const PingMessage> messages) {
  std::map<uint32_t, std::vector<Round>> rounds;
  std::map<uint32_t, int64_t> anchors;  // the last real reading of the host
  for (size_t i = 0; i < messages.size(); ++i) {
    for (const auto& [domain, reading] : messages[i])
      if (reading.host != 0) anchors[domain] = reading.host;
    if (i == 0 || !same_round(messages[i - 1], messages[i])) continue;
    for (const auto& [domain, p] : messages[i - 1]) {
      const PingReading u = at(messages[i], domain);
      if (p.host != 0 && p.client != 0 && u.host != 0 && u.client != 0)
        rounds[domain].push_back(round_of(p, u));
    }
  }
  std::vector<PingOffset> offsets;
  for (const auto& [domain, of_clock] : rounds) {
    const Estimate best = estimate(of_clock);
    const int64_t host = anchors[domain];
    const Wide client = host + best.offset;
    if (client < INT64_MIN || client > INT64_MAX) continue;
    offsets.push_back(
        {.domain = domain,
         .host = host,
         .client = static_cast<int64_t>(client),
         .uncertainty_ns = static_cast<int64_t>(std::min<Wide>(best.uncertainty, kUnbounded))});
  }
  return offsets;
}

}  // namespace tracebraid
