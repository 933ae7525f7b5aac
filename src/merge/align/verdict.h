// Reasons to refuse a set of matches (spec alignment 4.2).
#pragma once

#include <cstdint>
#include <string_view>

namespace tracebraid::align {

enum class Reason : uint8_t {
  None,
  TooFew,
  NotSame,
  OtherJob,
  OutOfOrder,
  Inconsistent,
  Ambiguous,
  Aliased,
  Rate,
  OneSided,
  NoGain,
  Contradicted,
};

constexpr std::string_view name_of(Reason reason) {
  constexpr std::string_view kNames[] = {
      "",          "too_few", "not_same", "other_job", "out_of_order", "inconsistent",
      "ambiguous", "aliased", "rate",     "one_sided", "no_gain",      "contradicted"};
  return kNames[static_cast<size_t>(reason)];
}

}  // namespace tracebraid::align
