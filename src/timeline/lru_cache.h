// LruCache: values that are made when they are first used and dropped when others are used more.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

namespace tracebraid::timeline {

// Any thread may use it. Threads that want one value at once wait for the thread that makes it.
template <class Key, class Value>
class LruCache {
 public:
  explicit LruCache(uint64_t most_bytes) : most_(most_bytes) {}

  // Returns the value of a key, or makes it: `make()` returns a Value and `bytes(value)` its size.
  // Sets `was_made` if so. Values in use live on when they are dropped.
  template <class Make, class Bytes>
  std::shared_ptr<const Value> get(const Key& key, Make make, Bytes bytes, bool& was_made) {
    const std::shared_ptr<Slot> slot = find(key);
    const std::scoped_lock lock(slot->making);
    if (slot->value != nullptr) return slot->value;
    slot->value = std::make_shared<const Value>(make());
    was_made = true;
    add(key, slot, bytes(*slot->value));
    return slot->value;
  }
  // Returns null if the value is not made, or is being made.
  std::shared_ptr<const Value> find_made(const Key& key) {
    std::shared_ptr<Slot> slot;
    {
      const std::scoped_lock lock(mutex_);
      const auto at = slots_.find(key);
      if (at == slots_.end()) return nullptr;
      used_.splice(used_.begin(), used_, at->second);
      slot = at->second->second;
    }
    const std::unique_lock lock(slot->making, std::try_to_lock);
    return lock ? slot->value : nullptr;
  }
  uint64_t bytes() const {
    const std::scoped_lock lock(mutex_);
    return bytes_;
  }

 private:
  struct Slot {
    std::mutex making;
    std::shared_ptr<const Value> value;  // null until it is made
    uint64_t bytes = 0;                  // guarded by the mutex of the cache
  };
  using Used = std::list<std::pair<Key, std::shared_ptr<Slot>>>;

  // Returns the slot as the one that was used last.
  std::shared_ptr<Slot> find(const Key& key) {
    const std::scoped_lock lock(mutex_);
    const auto [at, is_new] = slots_.try_emplace(key);
    if (is_new)
      at->second = used_.emplace(used_.begin(), key, std::make_shared<Slot>());
    else
      used_.splice(used_.begin(), used_, at->second);
    return at->second->second;
  }
  void add(const Key& key, const std::shared_ptr<Slot>& slot, uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    const auto at = slots_.find(key);
    if (at == slots_.end() || at->second->second != slot) return;  // dropped meanwhile
    slot->bytes = bytes;
    bytes_ += bytes;
    while (bytes_ > most_ && used_.size() > 1) {
      bytes_ -= used_.back().second->bytes;
      slots_.erase(used_.back().first);
      used_.pop_back();
    }
  }

  const uint64_t most_;
  mutable std::mutex mutex_;
  uint64_t bytes_ = 0;
  Used used_;  // the last used first
  absl::flat_hash_map<Key, typename Used::iterator> slots_;
};

}  // namespace tracebraid::timeline
