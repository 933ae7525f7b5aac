// KernelEvent: the input of a handler: a kernel event with its fields by name (spec proto 5.5).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "assemble/placed_batch.h"
#include "base/fnv.h"
#include "base/string_pool.h"

namespace tracebraid {

// The name of a field. Fields are distinguished as a hash of the name.
struct FieldKey {
  consteval FieldKey(const char* name) : hash(fnv1a(name)) {}
  constexpr explicit FieldKey(std::string_view name) : hash(fnv1a(name)) {}
  uint64_t hash;
};

// The hashes of the arg keys of one batch.
class FieldNames {
 public:
  FieldNames(const ArgSets& args, const StringPool& strings);
  uint64_t of(const ArgRow& row) const { return hashes_[row.key]; }
  // Returns whether events of the batch may be kernel track events.
  bool has_track_events = false;

 private:
  std::vector<uint64_t> hashes_;  // by key
};

struct KernelEvent {
  const Event& event;
  const PlacedBatch& from;
  uint32_t batch;    // index of `from`
  uint32_t machine;  // row
  uint32_t utid;     // of the thread that emitted it
  std::span<const ArgRow> rows;
  const FieldNames& names;
  const StringPool& strings;

  int64_t ts() const { return event.ts; }
  uint32_t cpu() const { return event.track; }
  int64_t tid() const { return event.value; }
  FileId file() const { return from.file; }

  // A missing field reads as 0 or as an empty text. Numbers may be given as text.
  bool has(FieldKey field) const { return find(field) != nullptr; }
  int64_t i64(FieldKey field) const;
  uint64_t u64(FieldKey field) const { return static_cast<uint64_t>(i64(field)); }
  int32_t i32(FieldKey field) const { return static_cast<int32_t>(i64(field)); }
  uint32_t u32(FieldKey field) const { return static_cast<uint32_t>(i64(field)); }
  bool flag(FieldKey field) const { return i64(field) != 0; }
  bool is_text(FieldKey field) const;
  bool is_number(FieldKey field) const { return has(field) && !is_text(field); }
  double real(FieldKey field) const;
  std::string_view text(FieldKey field) const;
  StringId text_id(FieldKey field) const;  // none if it is missing
  // Returns the name of a field, without array indexes.
  std::string_view flat_name(const ArgRow& row) const {
    return strings.get(from.batch.args.keys[row.key].flat_key);
  }

 private:
  const ArgRow* find(FieldKey field) const;
};

}  // namespace tracebraid
