// Interned data: what a writer says once and then calls by number (spec proto 1.2).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event/sink.h"

namespace tracebraid::proto {

// Values by iid. Writers number from 1 on without gaps, so most are found by
// index; a table never takes more room than a few times what it holds.
template <class Value>
class InternTable {
 public:
  // Null if there is none.
  const Value* find(uint64_t iid) const {
    if (iid < dense_.size()) return dense_[iid].is_set ? &dense_[iid].value : nullptr;
    const auto at = sparse_.find(iid);
    return at == sparse_.end() ? nullptr : &at->second;
  }
  Value* find(uint64_t iid) { return const_cast<Value*>(std::as_const(*this).find(iid)); }

  // The first value of an iid stays (spec proto 1.2).
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

struct SourceLocationText {
  StringId file, function;
  int64_t line = 0;
  bool has_line = false;
};

struct AnnotationName {
  StringId text;         // `.`, `[` and `]` are `_`
  uint32_t key = kNone;  // arg key of "debug.NAME", once it was used
};

class InternedStacks;  // format/proto/profile/stacks.h

// What one writer interned since it last cleared its state.
struct InternedData {
  InternTable<StringId> categories;
  InternTable<StringId> event_names;
  InternTable<AnnotationName> annotation_names;
  InternTable<StringId> annotation_strings;
  InternTable<StringId> annotation_types;
  InternTable<SourceLocationText> source_locations;
  InternTable<StringId> log_bodies;
  InternTable<StringId> histogram_names;
  InternTable<StringId> correlation_ids;
  InternTable<StringId> kernel_symbols;
  InternTable<StringId> function_names;
  InternTable<StringId> vulkan_keys;
  InternTable<uint32_t> own_keys;  // arg keys
  // What few packets need, as messages that their readers understand: by field of InternedData.
  absl::flat_hash_map<uint32_t, InternTable<std::string>> messages;
  std::shared_ptr<InternedStacks> stacks;  // null until something of callstacks is interned

  void clear();
};

// Adds what an InternedData message holds. Returns how many of its entries make no sense.
uint32_t read_interned(std::string_view message, InternedData& data, EventSink& sink);

// The text as part of an arg key: `.`, `[` and `]` become `_`.
StringId key_part(std::string_view text, EventSink& sink);

SourceLocationText read_source_location(std::string_view message, EventSink& sink);

}  // namespace tracebraid::proto
