// Ties: in which order events of one file go that happen at the same time.
//
// Streams are sorted by time alone and keep the file's order among equal times.
// Formats with a TieRule of their own get their equal times reordered when the
// tables are built: only there the pieces of a file meet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "event/batch.h"
#include "event/names.h"

namespace tracebraid {

// Sorts by ts, stable. O(n) if already sorted.
//
// Under TieRule::TraceEventFormat it also sets `value` of a SliceBegin that
// stands before a complete slice of the same track and time: to the slice's
// duration in ns, or the largest number if it does not end within the stream.
void sort_stream(std::vector<Event>& events, TieRule rule);

struct TiedEvent {
  const Event* event;
  uint32_t batch;
  uint32_t position;  // in the file, among its events of this time
  // Of a begin: its duration in ns, where sort_stream could not tell it because the slice or
  // its end is in another piece of the file.
  int64_t lasts = 0;
};

// Puts events of one file and one time, given in file order, into the order of
// TieRule::TraceEventFormat (spec json 2.6). `tracks` are what Event::track
// indexes.
//
// 1. Ends of thread slices, unless they close a slice begun at this time.
// 2. Complete slices, longest first; among them the begins for which
//    there is a duration.
// 3. The rest, in file order.
// A FlowEnd goes before the first slice start of its track that follows it in
// the file, so that "the next slice" is the next one in the result.
void order_ties(std::span<const TrackName> tracks, std::vector<TiedEvent>& events);

// Whether an end with this name and category may close this begin (spec json
// 4.2, proto 3.1). None in the end matches any.
inline bool name_matches(StringId end, StringId begin) { return !end || !begin || end == begin; }
inline bool category_matches(StringId end, StringId begin) { return !end || end == begin; }

}  // namespace tracebraid
