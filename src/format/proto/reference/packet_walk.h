// The walk through the packets of one file by the rules of the reference. Implements walk.h; the
// functions are in packet_walk.cc (packets, sequences, machines), packet_clocks.cc (clock
// snapshots), packet_times.cc (the times of payloads) and packet_payloads.cc (times inside
// payloads).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock_domain.h"
#include "base/result.h"
#include "format/common/proto_wire.h"
#include "format/proto/reader.h"
#include "format/proto/reference/events.h"
#include "format/proto/reference/walk.h"
#include "format/proto/wire/packets.h"

namespace tracebraid::reference {

// The state of one sequence of a machine.
struct SequenceState {
  bool is_valid = false;
  uint32_t clock = 0;  // of the defaults
  // Heap dumps that a later packet completes: pid and heap -> time.
  std::map<std::pair<int32_t, std::string>, int64_t> heap_dumps;
};

// One machine of the file.
struct Context {
  Tracker tracker;
  absl::flat_hash_map<uint32_t, SequenceState> sequences;
  std::optional<int64_t> last_ftrace_timestamp;
};

// A payload whose time the end of the file decides (spec clocks 7.3 step 6).
struct Deferred {
  Context* context;
  int64_t ticks;
  uint64_t at;
  std::unique_ptr<const std::string> bytes;  // of payloads with times of their own
  uint32_t sequence, field;
  FileClock clock;
  EventKind kind;
  bool is_of_same_packet;  // as the one before
};

inline bool is_sequence_clock(uint32_t clock) {
  return clock >= domain::kFirstOfSequence && clock <= domain::kLastOfSequence;
}

class PacketWalk {
 public:
  PacketWalk(uint32_t file, const FileRules& rules, Shared& shared)
      : file_(file), rules_(rules), shared_(shared) {}

  void read(std::string_view packet, uint64_t at) {
    shared_.at = at;
    if (Result<> done = read_packet(packet, 0); !done && !error_) error_ = std::move(done).error();
  }

  bool has_failed() const { return error_.has_value(); }

  // Reads the packets that wait for the end of the file.
  Walked finish(const proto::PacketStream& packets) {
    if (!error_) read_deferred();
    Walked walked{.tally = std::move(tally_), .error = std::move(error_), .error_at = shared_.at};
    if (packets.error() && !walked.error) walked.error = packets.error();
    walked.truncated_at = packets.truncated_at();
    return walked;
  }

 private:
  // What the payloads of a packet share.
  struct Head {
    Context* context;
    uint32_t sequence, clock;  // clock: of the tally; 0: none
    int64_t ts;
    bool has_time;
  };

  Context* add_context(uint32_t machine) {
    owned_.push_back(std::make_unique<Context>(
        Context{Tracker(shared_, file_, machine, domain::kBoottime), {}, {}}));
    return owned_.back().get();
  }

  Result<Context*> context_of(uint64_t raw_id);
  Result<> read_packet(std::string_view packet, int depth);
  Result<> read_bundle_of_packets(std::string_view packed, proto::Packing packing, int depth);
  SequenceState& update_sequence(Context& context);
  Result<bool> read_clocks(Context& context);
  Result<> read_snapshot(Context& context, std::string_view message);
  Result<> read_timed(Context& context, SequenceState& sequence);
  Result<> read_payload(const Head& head, uint32_t field, std::string_view payload);
  Result<> read_ftrace(const Head& head, std::string_view payload);
  void name_machine(const Head& head, std::string_view payload);
  void read_logs(const Head& head, std::string_view payload);
  void read_heap_dumps(const Head& head, std::string_view payload);
  void defer(Context& context, const FileClock& clock);
  void read_deferred();

  ClockTally& tally_of(const Context& context, uint32_t clock) {
    return tally_[{context.tracker.machine(), clock}];
  }
  void place(const Head& head, uint32_t clock, EventKind kind, int64_t ns);
  void lose(Context& context, const FileClock& clock, LossCause cause, const EventCounts& counts);
  void lose(Context& context, const FileClock& clock, LossCause cause, EventKind kind) {
    EventCounts counts{};
    counts[static_cast<size_t>(kind)] = 1;
    lose(context, clock, cause, counts);
  }
  void place_at(const Head& head, const FileClock& clock, EventKind kind, int64_t ticks);

  uint32_t file_;
  const FileRules& rules_;
  Shared& shared_;
  std::vector<std::unique_ptr<Context>> owned_;
  std::map<uint64_t, Context*> contexts_;  // by embedded machine id
  Context* base_ = nullptr;
  bool is_host_used_ = false, has_decided_ = false;
  proto::PacketFields fields_;
  KernelBundle bundle_;
  std::optional<proto::Packing> packing_;
  std::vector<Deferred> deferred_;
  Tally tally_;
  std::optional<Error> error_;
};

}  // namespace tracebraid::reference
