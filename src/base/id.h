// Id<Tag>: a row number that cannot be confused with a row number of another table.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace tracebraid {

template <class Tag>
struct Id {
  static constexpr uint32_t kNone = ~uint32_t{0};
  uint32_t row = kNone;

  constexpr explicit operator bool() const { return row != kNone; }
  friend constexpr auto operator<=>(Id, Id) = default;

  template <class H>
  friend H AbslHashValue(H hash, Id id) {
    return H::combine(std::move(hash), id.row);
  }
};

using FileId = Id<struct FileTag>;        // row of trace_file
using MachineId = Id<struct MachineTag>;  // row of machine
using ClockId = Id<struct ClockTag>;      // node of the clock graph
using StringId = Id<struct StringTag>;    // entry of a StringPool; none reads as NULL

}  // namespace tracebraid
