// Groups of tracks that belong to no process: GPU, CPU, Power ...
#pragma once

#include <optional>
#include <string_view>

namespace tracebraid::timeline {

struct TypeGroup {
  std::string_view title;
  int rank = 0;  // groups of one folder are in this order, from 0
};

// Returns the group of tracks of a type, the column `type` of `track`.
std::optional<TypeGroup> group_of_type(std::string_view type);

}  // namespace tracebraid::timeline
