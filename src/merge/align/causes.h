// Causes in one recording and effects in the other: links between recordings, and the fit of their
// clocks. Called by the kinds flows and spans.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "merge/align/recording.h"

namespace tracebraid::align {

// A cause in one recording and its effect in another one, of the recordings a and b.
struct CauseLink {
  int64_t a = 0, b = 0;  // readings, ns
  bool leads_to_b = false;
  uint64_t key = 0, id = 0;
  bool is_global = false;  // the id does not occur by chance
};
// By index of the recordings a and b; a is the later one. The links of each pair are sorted by
// reading of a.
using CauseLinks = std::map<std::pair<uint32_t, uint32_t>, std::vector<CauseLink>>;

// Returns the id of a flow as flow.trace_id shows it.
inline std::string flow_id_text(uint64_t id) { return std::to_string(static_cast<int64_t>(id)); }

// Adds the link of a cause and its effect, readings of two recordings, unless one machine of one
// file has both, whose snapshots relate them.
void add_link(uint32_t cause, int64_t caused_at, uint32_t effect, int64_t effected_at,
              CauseLink link, std::span<const Recording> recordings, CauseLinks& links);
// Must be called after the last link was added.
void sort_links(CauseLinks& links);

// Recordings with causes and effects in each other.
struct Causes {
  std::string_view kind;  // as in clock_match_set
  EvidenceSource source = EvidenceSource::Usual;
  std::span<const Recording> recordings;
  const CauseLinks* links = nullptr;

  // Returns the id as the tables show it.
  std::string id_text(uint64_t id) const;
};

// Fits the clocks of each pair of recordings. Returns the sets, also refused ones.
std::vector<MatchSet> match_causes(const Causes& causes, const Trackers& trackers);

}  // namespace tracebraid::align
