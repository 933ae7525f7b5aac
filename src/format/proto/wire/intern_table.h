// InternTable: values that a writer gives once and refers to by number (spec proto 1.2).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "format/common/proto_wire.h"

namespace tracebraid::proto {

// Values by iid. Writers number from 1 on without gaps, so most values are found by index. A table
// takes at most a few times the memory of its values.
template <class Value>
class InternTable {
 public:
  // Returns null if there is none.
  const Value* find(uint64_t iid) const {
    if (iid < dense_.size()) return dense_[iid].is_set ? &dense_[iid].value : nullptr;
    const auto at = sparse_.find(iid);
    return at == sparse_.end() ? nullptr : &at->second;
  }
  Value* find(uint64_t iid) { return const_cast<Value*>(std::as_const(*this).find(iid)); }

  // Keeps the first value of an iid (spec proto 1.2).
  void add(uint64_t iid, Value value) {
    if (find(iid) != nullptr) return;
    ++size_;
    if (iid >= dense_.size()) {
      if (iid >= 2 * size_ + 32) {
        sparse_.emplace(iid, std::move(value));
        return;
      }
      grow(iid);
    }
    dense_[iid] = {std::move(value), true};
  }

  void clear() {
    dense_.clear();
    sparse_.clear();
    size_ = 0;
  }

 private:
  struct Slot {
    Value value{};
    bool is_set = false;
  };
  void grow(uint64_t iid) {
    dense_.resize(iid + 1);
    if (sparse_.empty()) return;
    absl::erase_if(sparse_, [&](auto& entry) {
      if (entry.first > iid) return false;
      dense_[entry.first] = {std::move(entry.second), true};
      return true;
    });
  }

  std::vector<Slot> dense_;
  absl::flat_hash_map<uint64_t, Value> sparse_;
  size_t size_ = 0;
};

// The common fields of interned messages.
struct InternEntry {
  uint64_t iid = 0;  // 0: none, the message is malformed
  std::string_view text;
};

inline InternEntry read_intern_entry(Message fields) {
  constexpr uint32_t kIid = 1, kText = 2;
  InternEntry entry;
  while (fields.next()) {
    if (fields.number() == kIid) entry.iid = fields.u64();
    if (fields.number() == kText) entry.text = fields.bytes();
  }
  return entry;
}

}  // namespace tracebraid::proto
