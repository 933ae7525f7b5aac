#include "assemble/rows/row_stage.h"

#include "event/event_kind.h"

namespace tracebraid {

void RowStage::add_of_track(const PlacedEvent& at) {
  const Event& event = at.event;
  if (event.what() == EventKind::TrackSeen) {
    tracks_.instant_row(event.track, event.name);
    return;
  }
  const uint32_t row = tracks_.begin_row(event.track, event.name);
  if (row == kNone) return;
  if (event.what() == EventKind::Counter)
    return add_counter(event, row, args_.defer(at.args()), store_);
  if (event.what() == EventKind::State) return states_.change(row, event, at.args());
  past_counters_.add(event, row, args_.defer(at.args()), store_);
}

void RowStage::add_of_thread(const PlacedEvent& at) {
  const Event& event = at.event;
  const uint32_t utid = identity_.thread(event.track);
  if (utid == kNone) return;
  switch (event.what()) {
    case EventKind::ThreadState:
      return thread_states_.add_row(utid, event, at.args(), store_.threads.machine_id[utid]);
    case EventKind::ChromeRaw:
      return add_chrome_raw(event, utid, args_.set(at.args()), store_);
    case EventKind::UnfinishedComplete:
      return add_unfinished_complete(event, utid, args_.set(at.args()), store_);
    default:
      return add_metadata_event(event, utid, args_.set(at.args()), store_);
  }
}

void RowStage::add_of_any(const PlacedEvent& at) {
  const Event& event = at.event;
  const uint32_t utid = identity_.thread(event.track);
  if (event.what() == EventKind::Log)
    return log_rows_.add(event, utid, args_.set(at.args()), store_);
  add_unhandled_event(event, utid, store_);
}

}  // namespace tracebraid
