// KernelDetails: the details of an event in the form "key=value key=value" (spec json 10.4).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "event/sink.h"

namespace tracebraid {

struct KernelPair {
  std::string_view key, value;
};

struct KernelDetails {
  std::vector<KernelPair> pairs;
  std::vector<std::string_view> rest;  // words outside of pairs

  // Returns an empty text for a missing key.
  std::string_view text(std::string_view key) const;
  std::optional<int64_t> number(std::string_view key) const;
};

// Parses details. Values of keys with names (comm, name ...) may contain blanks: they extend up to
// the next key.
void split_details(std::string_view text, KernelDetails& details);

// Returns an arg set, or kNone: decimal values as numbers, others as text, the rest as `details`.
uint32_t details_args(const KernelDetails& details, EventSink& sink);

}  // namespace tracebraid
