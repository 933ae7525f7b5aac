// Bytes as a Trace Event Format file. Whatever they are, the reader must come
// back, and what it says must hang together: every index names something.
#include <cstdint>
#include <cstdlib>

#include "format/format.h"

namespace tracebraid {
namespace json {
extern const Format kFormat;
}
namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void check_string(const EventBatch& batch, StringId id) {
  check(!id || id.row < batch.strings.size());
}

void check_args(const EventBatch& batch, uint32_t set) {
  if (set == kNone) return;
  for (size_t i = set;; ++i) {
    check(i < batch.args.rows.size());
    const ArgRow& row = batch.args.rows[i];
    check(row.key < batch.args.keys.size());
    if (row.type == ArgType::String) check(static_cast<uint64_t>(row.value) < batch.strings.size());
    if (row.last) return;
  }
}

void check_event(const EventBatch& batch, const Event& event) {
  check_string(batch, event.name);
  check_string(batch, event.category);
  check_args(batch, event.args);
  check(event.clock < batch.clocks.size());
  switch (event.what()) {
    case EventKind::ThreadState:
    case EventKind::UnfinishedComplete:
    case EventKind::UnhandledEvent:
    case EventKind::MetadataEvent:
    case EventKind::ThreadName:
    case EventKind::ThreadArgs:
    case EventKind::ThreadSeen:
      return check(event.track < batch.threads.size());
    case EventKind::ProcessName:
    case EventKind::ProcessArgs:
    case EventKind::ProcessSeen:
      return check(event.track < batch.processes.size());
    case EventKind::SliceBegin:
    case EventKind::SliceEnd:
    case EventKind::Slice:
    case EventKind::Instant:
      check(event.extra == kNone || event.extra < batch.slice_extras.size());
      [[fallthrough]];
    default:
      check(event.track < batch.tracks.size());
  }
}

void check_batch(const EventBatch& batch) {
  for (const Stream& stream : batch.streams)
    for (const Event& event : stream.events) check_event(batch, event);
  for (const Event& event : batch.untimed) check_event(batch, event);
  for (const SliceExtra& extra : batch.slice_extras)
    check(extra.flows == kNone || extra.flows < batch.flows.size());
  for (const ArgKey& key : batch.args.keys) check_string(batch, key.key);
  for (const TrackName& track : batch.tracks) {
    check_string(batch, track.name);
    check_args(batch, track.dimensions);
    check_args(batch, track.source_args);
    if (track.scope == TrackScope::Thread) check(track.owner < batch.threads.size());
    if (track.scope == TrackScope::Process) check(track.owner < batch.processes.size());
  }
}

}  // namespace
}  // namespace tracebraid

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tracebraid;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  json::kFormat.sniff({bytes.substr(0, kPeekBytes), "fuzz"});
  Workers workers(1);
  Pieces pieces(workers);
  Input input(bytes);
  // An error is fine: it says that the rest was given up.
  static_cast<void>(json::kFormat.read(input, {}, pieces));
  for (const EventBatch& batch : std::move(pieces).finish()) check_batch(batch);
  return 0;
}
