// The fields of an event in text, "key=value key=value" (spec json 10.4).
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

// Splits a text. Values of keys that are names (comm, name ...) may contain blanks: they reach up
// to the next key.
void split_details(std::string_view text, KernelDetails& details);

// Adds an arg set: decimal values as numbers, others as text, the rest as `details`. Returns the
// set, or kNone without any.
uint32_t details_args(const KernelDetails& details, EventSink& sink);

}  // namespace tracebraid
