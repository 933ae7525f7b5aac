// Display names of the files, machines and clocks of a store.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tables/store.h"

namespace tracebraid {

std::string_view text_of(const Store& store, StringId id);  // empty for none
std::optional<int64_t> value_of(OptInt value);

std::string file_label(const Store& store, OptRow file);        // its path; "-" for none
std::string machine_label(const Store& store, OptRow machine);  // its name, "host", "machine 7"
std::string clock_label(const Store& store, OptRow clock);      // "BOOTTIME", "private", "64"
// Returns the sequence that owns the clock, if any.
std::optional<int64_t> clock_sequence(const Store& store, OptRow clock);

// Returns the row of clock_edge of this kind between two clocks.
std::optional<size_t> find_edge(const Store& store, uint32_t a, uint32_t b, StringId kind);

}  // namespace tracebraid
