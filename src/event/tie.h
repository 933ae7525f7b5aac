// Ties: the order of events of one file with equal times.
//
// Streams are sorted by time and keep file order at equal times. For formats with a TieRule,
// assemble reorders events with equal times, because only then the batches of a file are together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "event/batch.h"
#include "event/names.h"

namespace tracebraid {

// Sorts by ts, stably. O(n) if already sorted.
//
// Under TieRule::TraceEventFormat also sets `value` of a SliceBegin before a complete slice of the
// same track and time: to the duration of its slice in ns, or to the largest number if the slice
// does not end within the stream.
void sort_stream(std::vector<Event>& events, TieRule rule);

struct TiedEvent {
  const Event* event;
  uint32_t batch;
  uint32_t position;  // position in the file among the events of this time
  // Duration of a begin in ns, if sort_stream could not set it because the slice or its end is in
  // another batch.
  int64_t lasts = 0;
};

// Sorts events of one file with equal times, given in file order, by TieRule::TraceEventFormat
// (spec json 2.6). Event::track indexes `tracks`.
//
// 1. Ends of thread slices, unless they close a slice begun at this time.
// 2. Complete slices, longest first; among them the begins with a known
//    duration.
// 3. The rest, in file order.
// A FlowEnd goes before the first slice start of its track that follows it in the file, so that
// "the next slice" is the next one in the result.
void order_ties(std::span<const TrackName> tracks, std::vector<TiedEvent>& events);

// Returns whether an end with this name and category may close this begin (spec json 4.2, proto
// 3.1). None in the end matches any name.
inline bool name_matches(StringId end, StringId begin) { return !end || !begin || end == begin; }
inline bool category_matches(StringId end, StringId begin) { return !end || end == begin; }

}  // namespace tracebraid
