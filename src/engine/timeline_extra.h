// The index of the timeline as an extra of a braid, so that opening a braid does not make it. In: a
// store, or a braid. Out: what write_braid() writes, or the parts for the timeline.
#pragma once

#include <optional>

#include "braid/braid.h"
#include "timeline/tracks/stored_index.h"

namespace tracebraid {

// The store must outlive the result. Its tables are verified already.
BraidExtra timeline_extra(const Store& store, unsigned threads);
// Returns nothing if the braid has no index of this version, and no parts, which is a damaged
// index, if the list of its extras is damaged.
std::optional<timeline::IndexParts> timeline_parts(const Braid& braid);

}  // namespace tracebraid
