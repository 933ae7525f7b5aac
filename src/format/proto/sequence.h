// Sequences: the state of the writers of a machine (spec proto 1, clocks 7.1).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event/names.h"
#include "format/proto/clocks.h"
#include "format/proto/profile/sample_defaults.h"
#include "format/proto/track_event/interned.h"

namespace tracebraid::proto {

// TracePacketDefaults: defaults for events.
struct PacketDefaults {
  uint32_t clock_domain = 0;
  std::optional<uint64_t> track_uuid;
  std::shared_ptr<const PerfDefaults> perf;
  std::shared_ptr<const StackSampleDefaults> stack_sample;
  std::optional<int64_t> v8_tid;                            // thread of V8's code
  std::vector<uint64_t> counter_uuids, real_counter_uuids;  // extra counters: int64, double
};

// The thread of a writer, and the reference values of its incremental times.
struct WriterThread {
  bool is_known = false;
  int64_t pid = kNoId, tid = kNoId;
  // The thread and its track, in the batch of the reader of the events, once used.
  uint32_t thread = kNone, track = kNone;
  // False after a loss or a clear, until the writer gives new values.
  bool has_reference = false;
  int64_t reference_us = 0, thread_time_us = 0, instructions = 0;
};

// InternedData messages since the state was cleared, unchanged. Readers of deferred packets build
// their own tables from them.
struct InternedLog {
  using Part = std::shared_ptr<const std::string>;
  std::vector<Part> parts;  // immutable
  std::string more;         // messages after `parts`

  void add(std::string_view message);
  // Returns all messages so far.
  const std::vector<Part>& seal();
};

// Losses of a sequence, in packets; reported by buffer when the recorder gives the sequence's
// buffer.
struct SequenceLosses {
  static constexpr size_t kCauses = 8;
  uint32_t dropped = 0;                      // packets that reported losses before them
  std::array<uint32_t, kCauses> by_cause{};  // of these: by bits 1 to 8 of previous_packet_dropped
  uint32_t needed_state = 0, lacked_state = 0;

  void note_dropped(uint64_t causes) {
    ++dropped;
    for (size_t i = 0; i < kCauses; ++i)
      by_cause[i] += static_cast<uint32_t>(causes >> (i + 1) & 1);
  }
};

struct Sequence {
  uint32_t id = 0;  // 0: packets without an id
  bool is_valid = false;
  uint64_t generation = 0;        // number of times its state was cleared
  bool has_ftrace_start = false;  // whether FtraceStats of the start were read
  bool has_first_packet = false;  // whether the file has the first packet of the writer
  PacketDefaults defaults;
  std::unique_ptr<InternedData> interned;  // null until data is interned
  WriterThread thread;
  absl::flat_hash_map<uint64_t, double> counters;  // values of incremental counters, by uuid
  InternedLog interned_log;
  // Index of its writer in the deferred chunk (format/proto/deferred_chunk.h).
  uint64_t deferred = 0;
  uint32_t writer = 0;
  SequenceLosses losses;

  // Begins a new generation: drops all state except the thread.
  void clear();
  void lose_packets();

  // Returns the value of the iid, or nothing. `table` is a member of InternedData.
  template <class Value>
  const Value* find(InternTable<Value> InternedData::* table, uint64_t iid) const {
    return interned ? ((*interned).*table).find(iid) : nullptr;
  }
  // Returns the message with this iid in a field of InternedData; null if there is none.
  const std::string* find_message(uint32_t field, uint64_t iid) const {
    if (!interned) return nullptr;
    const auto table = interned->messages.find(field);
    return table == interned->messages.end() ? nullptr : table->second.find(iid);
  }
};

PacketDefaults read_defaults(std::string_view message);

// Real traces have some thousands. The limit bounds the memory for a file with a new sequence in
// every packet.
inline constexpr size_t kMaxSequences = size_t{1} << 20;

// The sequences of one machine. Sequences above the limit share one state.
class Sequences {
 public:
  // Returns the sequence with this id, and whether it is new. The reference stays valid.
  Sequence& get(uint32_t id, bool& is_new);
  // Returns null if there is none.
  const Sequence* find(uint32_t id) const;

 private:
  absl::flat_hash_map<uint32_t, std::unique_ptr<Sequence>> all_;
  static constexpr size_t kRecent = 64;
  std::array<Sequence*, kRecent> recent_{};  // by id
};

}  // namespace tracebraid::proto
