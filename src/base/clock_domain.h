// The numbers of clock domains (spec clocks 1.3).
#pragma once

#include <cstdint>

namespace tracebraid::domain {

// Domains with the same meaning in all files.
inline constexpr uint32_t kRealtime = 1;
inline constexpr uint32_t kRealtimeCoarse = 2;
inline constexpr uint32_t kMonotonic = 3;
inline constexpr uint32_t kMonotonicCoarse = 4;
inline constexpr uint32_t kMonotonicRaw = 5;
inline constexpr uint32_t kBoottime = 6;
inline constexpr uint32_t kTsc = 9;       // ticks of the CPU's counter
inline constexpr uint32_t kPerf = 10;     // the clock of perf, if it is none of the clocks above
inline constexpr uint32_t kPrivate = 11;  // the private timeline of a file
// Domains of one writer of a file. From this number on, each file defines the meaning of a number.
inline constexpr uint32_t kFirstOfSequence = 64;
inline constexpr uint32_t kLastOfSequence = 127;

}  // namespace tracebraid::domain
