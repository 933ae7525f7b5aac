// Threads: whose event it is (spec json 3.3).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event/sink.h"
#include "format/json/trace_event/members.h"

namespace tracebraid::json {

// A pid or tid that is no number gets one that the whole file shares. A chunk
// cannot know it yet, so it counts down from here, and FileFacts puts the
// file's numbers in their place.
inline constexpr int64_t kProvisionalId = -(int64_t{1} << 62);
inline bool is_provisional(int64_t id) {
  return id <= kProvisionalId && id > kProvisionalId - (int64_t{1} << 32);
}

struct Who {
  int64_t pid = 0;
  int64_t tid = 0;
  bool has_pid = false;
  bool has_tid = false;
};

class Threads {
 public:
  explicit Threads(EventSink& sink) : sink_(sink) {}

  Who who(const Members& members);

  // Indexes of names and tracks, made when first asked for.
  uint32_t process(int64_t pid);
  uint32_t thread(const Who& who) { return entry(who).thread; }
  uint32_t track(const Who& who);
  // Whether this is the first call for the thread.
  bool see(const Who& who) { return !std::exchange(entry(who).is_seen, true); }

  // The same number for the same pid in all chunks of the file.
  int64_t lasting_pid(int64_t pid) const;

  // Texts that stand for a pid or tid, in order of their first appearance; the
  // i-th has the number kProvisionalId - i.
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  struct Entry {
    uint32_t thread = kNone;
    uint32_t track = kNone;
    bool is_seen = false;
  };
  using Key = std::pair<int64_t, int64_t>;
  // Nothing if the value is no id.
  std::optional<int64_t> id(const Members& members, Field field);
  int64_t number_for(std::string_view text);
  Entry& entry(const Who& who) {
    const Key key{who.pid, who.tid};
    const Recent& recent = recent_[recent_place(key)];
    return recent.entry != kNone && recent.key == key ? entries_[recent.entry] : find_entry(who);
  }
  Entry& find_entry(const Who& who);
  std::string_view text_of_id(int64_t provisional) const;

  EventSink& sink_;
  absl::flat_hash_map<Key, uint32_t> indexes_;  // of entries_
  std::vector<Entry> entries_;
  absl::flat_hash_map<int64_t, uint32_t> processes_;
  std::map<std::string, int64_t, std::less<>> numbers_;
  std::vector<std::string> texts_;
  struct Recent {
    Key key{};
    uint32_t entry = kNone;
  };
  static size_t recent_place(const Key& key) {
    const auto mixed = static_cast<uint64_t>(key.first) * 31 + static_cast<uint64_t>(key.second);
    return mixed * 0x9E3779B97F4A7C15 >> 58;
  }
  std::array<Recent, 64> recent_;  // looked up lately
};

}  // namespace tracebraid::json
