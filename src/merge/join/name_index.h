// NameIndex: finds the index of a name in a list.
#pragma once

#include <absl/container/flat_hash_set.h>
#include <absl/hash/hash.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracebraid {

// The index stores no names, because they are large and a trace of a server may have one per
// request.
template <class Name>
class NameIndex {
 public:
  uint32_t add(std::vector<Name>& list, const Name& name) {
    const auto index = static_cast<uint32_t>(list.size());
    const Entry entry{absl::Hash<Name>()(name), index};
    const auto at =
        entries_.lazy_emplace(Key{entry.hash, name, list}, [&](const auto& make) { make(entry); });
    if (at->index == index) list.push_back(name);
    return at->index;
  }

 private:
  struct Entry {
    size_t hash;
    uint32_t index;
  };
  struct Key {
    size_t hash;
    const Name& name;
    const std::vector<Name>& list;
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(const Entry& entry) const { return entry.hash; }
    size_t operator()(const Key& key) const { return key.hash; }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(const Entry& a, const Entry& b) const { return a.index == b.index; }
    bool operator()(const Entry& entry, const Key& key) const {
      return entry.hash == key.hash && key.list[entry.index] == key.name;
    }
  };
  absl::flat_hash_set<Entry, Hash, Equal> entries_;
};

}  // namespace tracebraid
