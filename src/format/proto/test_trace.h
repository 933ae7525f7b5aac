// Traces built field by field, and the reader's results. For tests.
#pragma once

#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event/sched_events.h"
#include "format/format.h"
#include "format/proto/generated/fields.h"
#include "format/proto/proto.h"

namespace tracebraid::proto {

extern const Format kFormat;

// A message under construction: Msg().num(F::kTid, 7).msg(F::kName, ...).
class Msg {
 public:
  Msg& num(uint32_t field, uint64_t value) {
    protozero::pbf_writer(bytes_).add_uint64(field, value);
    return *this;
  }
  Msg& fixed(uint32_t field, uint64_t value) {
    protozero::pbf_writer(bytes_).add_fixed64(field, value);
    return *this;
  }
  Msg& real(uint32_t field, double value) {
    protozero::pbf_writer(bytes_).add_double(field, value);
    return *this;
  }
  Msg& text(uint32_t field, std::string_view value) {
    protozero::pbf_writer(bytes_).add_bytes(field, value.data(), value.size());
    return *this;
  }
  Msg& msg(uint32_t field, const Msg& value) { return text(field, value.bytes_); }
  Msg& packed(uint32_t field, const std::vector<uint64_t>& values) {
    protozero::pbf_writer(bytes_).add_packed_uint64(field, values.begin(), values.end());
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Returns a packet of a sequence at a time.
inline Msg packet(uint32_t sequence, uint64_t ts) {
  Msg m;
  if (sequence != 0) m.num(field::TracePacket::kTrustedPacketSequenceId, sequence);
  return std::move(m.num(field::TracePacket::kTimestamp, ts));
}

inline std::string trace(const std::vector<Msg>& packets) {
  Msg all;
  for (const Msg& packet : packets) all.msg(1, packet);
  return all.bytes();
}

struct Outcome {
  EventBatch batch;
  std::string error;  // empty if reading succeeded

  std::string text(StringId id) const {
    return id ? std::string(batch.strings.get(id)) : std::string("-");
  }
  std::vector<Event> events(EventKind kind, uint32_t rank = 0) const {
    std::vector<Event> found;
    for (const Stream& stream : batch.streams)
      for_each_event(batch, stream, [&](const Event& event) {
        if (stream.rank == rank && event.what() == kind) found.push_back(event);
      });
    return found;
  }
  int64_t stat(StatId stat) const {
    int64_t sum = 0;
    for (const StatCount& count : batch.stats) sum += count.stat == stat ? count.value : 0;
    return sum;
  }
  // Returns "key=value key=value" of an arg set.
  std::string args(uint32_t set) const {
    std::string out;
    if (set == kNone) return out;
    for (size_t i = set;; ++i) {
      const ArgRow& row = batch.args.rows[i];
      if (!out.empty()) out += ' ';
      out += row.unlisted ? "unlisted " : "";
      out += text(batch.args.keys[row.key].key) + '=';
      out += row.type == ArgType::String ? text({static_cast<uint32_t>(row.value)})
                                         : std::to_string(row.value);
      if (row.last) return out;
    }
  }
  const TrackName& track(const Event& event) const { return batch.tracks[event.track]; }
};

inline Outcome read_trace(Input& input) {
  Workers workers(1);
  Chunks chunks(workers);
  Outcome outcome;
  const Result<> done = read_file(input, {}, 0, chunks);
  if (!done) outcome.error = done.error().message;
  outcome.batch = std::move(std::move(chunks).finish().front());
  return outcome;
}

inline Outcome read_bytes(std::string_view bytes) {
  Input input(bytes);
  return read_trace(input);
}

inline Outcome read_packets(const std::vector<Msg>& packets) { return read_bytes(trace(packets)); }

}  // namespace tracebraid::proto
