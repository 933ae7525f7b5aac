#include "format/proto/track_event/copy_track.h"

namespace tracebraid::proto {

TrackName TrackCopier::name(uint32_t from) {
  TrackName name = from_.tracks[from];
  if (name.owner != kNone && name.scope == TrackScope::Process)
    name.owner = to_.process(from_.processes[name.owner]);
  if (name.owner != kNone && name.scope == TrackScope::Thread)
    name.owner = to_.thread(from_.threads[name.owner]);
  name.type = string(name.type);
  name.name = string(name.name);
  name.unit = string(name.unit);
  name.dimensions = args(name.dimensions);
  name.source_args = args(name.source_args);
  if (name.parent != kNone) name.parent = copy(name.parent);
  return name;
}

// The depth of parents is limited (spec proto 2.4), and they have no cycles: deeper tracks are
// invalid and have no name.
uint32_t TrackCopier::copy(uint32_t from) {
  EventBatch& batch = to_.batch();
  const auto known = copies_.find(from);
  if (known != copies_.end()) return known->second;
  const auto place = static_cast<uint32_t>(batch.tracks.size());
  batch.tracks.emplace_back();
  copies_.emplace(from, place);
  const TrackName copied = name(from);
  batch.tracks[place] = copied;
  return place;
}

uint32_t TrackCopier::args(uint32_t set) {
  if (set == kNone) return kNone;
  to_.open_args();
  for (size_t i = set;; ++i) {
    const ArgRow& row = from_.args.rows[i];
    const ArgKey key = from_.args.keys[row.key];
    int64_t value = row.value;
    const auto index = static_cast<uint32_t>(value);
    switch (row.type) {
      case ArgType::String:
      case ArgType::Json:
        value = string({index}).row;
        break;
      case ArgType::Process:
      case ArgType::ProcessUint:
        value = to_.process(from_.processes[index]);
        break;
      case ArgType::Thread:
      case ArgType::ThreadUint:
        value = to_.thread(from_.threads[index]);
        break;
      default:
        break;
    }
    const uint32_t copied = to_.arg_key({string(key.flat_key), string(key.key), string(key.path)});
    if (row.unlisted)
      to_.unlisted_arg(copied, row.type, value);
    else
      to_.arg(copied, row.type, value);
    if (row.last) return to_.close_args();
  }
}

}  // namespace tracebraid::proto
