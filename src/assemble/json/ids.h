// JsonKey: the key of an id of JSON events within one file (spec json 3.4).
#pragma once

#include <utility>

#include "assemble/identity/identity.h"
#include "assemble/placed_batch.h"
#include "column/column.h"

namespace tracebraid {

struct JsonKey {
  FileId file;
  StringId scope;
  StringId canonical;
  uint32_t upid = OptRow::kNull;  // kNull: global
  friend auto operator<=>(const JsonKey&, const JsonKey&) = default;
  template <class H>
  friend H AbslHashValue(H h, const JsonKey& k) {
    return H::combine(std::move(h), k.file, k.scope, k.canonical, k.upid);
  }
};

// An event of a JSON file during assembling.
struct JsonEvent {
  const Event& event;
  const PlacedBatch& from;
  uint32_t batch;     // index of `from`
  uint32_t machine;   // row of machine
  uint64_t sequence;  // increases in order of time, and in file order at equal times
};

inline const JsonId& id_at(const PlacedBatch& from, uint32_t id) { return from.batch.json.ids[id]; }

inline JsonKey key_of(const PlacedBatch& from, const JsonId& id, Identity& identity) {
  const uint32_t upid = id.process == kNone ? OptRow::kNull : identity.process(id.process);
  return {from.file, id.scope, id.canonical, upid};
}

}  // namespace tracebraid
