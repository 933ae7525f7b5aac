// Search: the events that fulfil a SearchQuery.
//
// In: a Timeline and a query. Out: hits, while the search runs. Called by the API.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "base/stop.h"
#include "timeline/search/search_query.h"
#include "timeline/timeline.h"

namespace tracebraid::timeline {

// What of an event fulfils the query.
enum class HitField : uint8_t { Name, Category, Arg, Message, State, Thread, Process, Counter };
std::string_view name_of(HitField field);

struct SearchHit {
  int64_t ts = 0;
  uint32_t row = 0;               // of the table; for a track its number
  uint32_t track = 0;             // number
  std::optional<TableKind> kind;  // none: the hit is a track itself
  HitField field{};
};

// Calls take() with hits in batches, each in order of time, until it returns false. Distinct texts
// are matched first, so that rows are compared by numbers. Error Cancelled.
Result<> search(const Timeline& timeline, const SearchQuery& query, const Stop& stop,
                const std::function<bool(std::span<const SearchHit> hits)>& take);

}  // namespace tracebraid::timeline
