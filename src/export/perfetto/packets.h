// PacketFile: writes the packets of a protobuf trace to a file.
//
// Input: a Store and a Selection. Output: packets of a protobuf trace. Called by the exporter
// perfetto (perfetto.cc).
#pragma once

#include <protozero/pbf_writer.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include "base/new_file.h"
#include "base/progress.h"
#include "export/export.h"
#include "format/proto/generated/fields.h"

namespace tracebraid::perfetto {

namespace field = proto::field;

// Rows that other programs read differently, because the format cannot represent them.
struct Differences {
  uint64_t added = 0, changed = 0, lost = 0;
};
struct Elsewhere {
  Differences sched, states;
  uint64_t loose_states = 0;    // thread states that no switch leads to, of a machine with switches
  uint64_t before_zero = 0;     // events with times before 0
  uint64_t without_thread = 0;  // samples of a process without a thread
};

// Buffers packets and writes large chunks.
class PacketFile {
 public:
  // `shift` is added to all times.
  PacketFile(NewFile& file, const Selection& selection, int64_t shift, Progress& progress)
      : file_(file), timeline_(selection.timeline), shift_(shift), progress_(progress) {
    buffer_.reserve(kWriteBytes + kWriteBytes / 4);
  }

  std::string& buffer() { return buffer_; }
  // Writes the buffer if it is full. Call between packets. Returns an Error if the disk is full or
  // the user interrupts.
  Result<> drain() { return buffer_.size() < kWriteBytes ? Result<>() : flush(); }
  Result<> flush() {
    if (progress_.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
    TB_TRY(file_.write(buffer_));
    bytes_ += buffer_.size();
    buffer_.clear();
    return {};
  }
  // Returns a trace time on the clock of the export; the last valid time if the conversion fails.
  int64_t time(int64_t ts) {
    if (timeline_ == nullptr && shift_ == 0) return ts;
    if (const std::optional<int64_t> at = time_if_any(ts))
      last_time_ = *at;
    else
      ++unplaced_;
    return last_time_;
  }
  // Returns no time if the conversion fails.
  std::optional<int64_t> time_if_any(int64_t ts) const {
    const std::optional<int64_t> at = timeline_ == nullptr ? ts : timeline_->at(ts);
    int64_t shifted = 0;
    if (!at || __builtin_add_overflow(*at, shift_, &shifted)) return std::nullopt;
    return shifted;
  }
  // The same; counts times that other programs drop.
  int64_t time_of_event(int64_t ts) {
    const int64_t at = time(ts);
    if (at < 0) ++elsewhere_.before_zero;
    return at;
  }
  // Returns a time of the file that other programs do not drop, for what has no time of its own.
  int64_t not_before_zero(int64_t ts) const {
    const std::optional<int64_t> at = time_if_any(ts);
    return at && *at < 0 && timeline_ == nullptr ? -shift_ : ts;
  }
  int64_t shift() const { return shift_; }
  Elsewhere& elsewhere() { return elsewhere_; }
  uint64_t unplaced() const { return unplaced_; }
  void advance(uint64_t rows) { progress_.advance(rows); }
  uint64_t bytes() const { return bytes_; }
  bool is_empty() const { return bytes_ == 0 && buffer_.empty(); }

 private:
  static constexpr size_t kWriteBytes = size_t{1} << 20;
  NewFile& file_;
  std::shared_ptr<TimesClock> timeline_;
  int64_t shift_;
  Progress& progress_;
  std::string buffer_;
  uint64_t bytes_ = 0, unplaced_ = 0;
  int64_t last_time_ = 0;
  Elsewhere elsewhere_;
};

// The sequence of a packet; sequences are local to a machine.
struct Writer {
  uint32_t machine_id = 0;  // 0: the machine of the timeline
  uint32_t sequence = 0;
};

// One packet; fields are added by protozero's functions. Only one may exist at a time.
class Packet {
 public:
  Packet(PacketFile& file, Writer writer) : trace_(file.buffer()), packet_(trace_, 1) {
    using Field = field::TracePacket;
    packet_.add_uint32(Field::kTrustedPacketSequenceId, writer.sequence);
    if (writer.machine_id != 0) packet_.add_uint32(Field::kMachineId, writer.machine_id);
  }
  Packet(PacketFile& file, Writer writer, int64_t ts) : Packet(file, writer) {
    packet_.add_uint64(field::TracePacket::kTimestamp,
                       static_cast<uint64_t>(file.time_of_event(ts)));
  }
  protozero::pbf_writer& get() { return packet_; }
  protozero::pbf_writer* operator->() { return &packet_; }

 private:
  protozero::pbf_writer trace_, packet_;
};

// Sets the sequence flags: clears and needs incremental state.
inline constexpr uint32_t kStateCleared = 1, kNeedsState = 2;

inline void add_text(protozero::pbf_writer& to, uint32_t number, std::string_view text) {
  to.add_string(number, text.data(), text.size());
}

}  // namespace tracebraid::perfetto
