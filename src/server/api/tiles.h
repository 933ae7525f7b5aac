// Requests for tiles and strings, of HTTP and of the WebSocket (spec viewer 3.3).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/api/timeline_call.h"

namespace tracebraid::api {

inline constexpr int64_t kMostStrings = 4096;

struct TilesBody {
  uint32_t id = 0, generation = 0;
  std::optional<timeline::TileMode> mode;
  uint64_t search = 0;               // of the mode hits
  std::vector<std::string> without;  // of the mode flows: categories that are left out
  struct Part {
    uint32_t node = 0;
    timeline::TileRange range;
  };
  std::vector<Part> parts;
};

// Reads {"id","generation","level","tiles":[[node, first, count]...],"mode","search",
// "without"}. Ranges that have no times are valid here: they are errors of their part. Error Usage.
Result<TilesBody> parse_tiles(const JsonValue& body);

// Returns the frame of a part. Errors: of timeline::make_tiles(); NotFound for an unknown search.
Result<std::string> make_part(const Api& api, const TraceTimeline& timeline, const TilesBody& body,
                              const TilesBody::Part& part, const Stop& stop);

// Returns the members "texts", "cut" and "threads" for {"ids","threads"}. Error Usage.
Result<std::string> strings_json(const TraceTimeline& timeline, const JsonValue& body,
                                 std::string_view id);

}  // namespace tracebraid::api
