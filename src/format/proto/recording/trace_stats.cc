// TraceStats: statistics of the tracing service (spec proto 6.10).
#include <algorithm>
#include <map>

#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/recording/stats.h"
#include "format/proto/recording/trace_packets.h"

namespace tracebraid::proto {
namespace {

struct StatField {
  uint32_t field;
  StatId stat;
};

using Total = field::TraceStats;
constexpr StatField kTotals[] = {
    {Total::kProducersConnected, stats::traced_producers_connected},
    {Total::kProducersSeen, stats::traced_producers_seen},
    {Total::kDataSourcesRegistered, stats::traced_data_sources_registered},
    {Total::kDataSourcesSeen, stats::traced_data_sources_seen},
    {Total::kTracingSessions, stats::traced_tracing_sessions},
    {Total::kTotalBuffers, stats::traced_total_buffers},
    {Total::kChunksDiscarded, stats::traced_chunks_discarded},
    {Total::kPatchesDiscarded, stats::traced_patches_discarded},
    {Total::kFlushesRequested, stats::traced_flushes_requested},
    {Total::kFlushesSucceeded, stats::traced_flushes_succeeded},
    {Total::kFlushesFailed, stats::traced_flushes_failed},
};

using Buffer = field::TraceStats_BufferStats;
constexpr StatField kOfBuffer[] = {
    {Buffer::kBytesWritten, stats::traced_buf_bytes_written},
    {Buffer::kChunksWritten, stats::traced_buf_chunks_written},
    {Buffer::kChunksOverwritten, stats::traced_buf_chunks_overwritten},
    {Buffer::kWriteWrapCount, stats::traced_buf_write_wrap_count},
    {Buffer::kPatchesSucceeded, stats::traced_buf_patches_succeeded},
    {Buffer::kPatchesFailed, stats::traced_buf_patches_failed},
    {Buffer::kReadaheadsSucceeded, stats::traced_buf_readaheads_succeeded},
    {Buffer::kReadaheadsFailed, stats::traced_buf_readaheads_failed},
    {Buffer::kAbiViolations, stats::traced_buf_abi_violations},
    {Buffer::kChunksRewritten, stats::traced_buf_chunks_rewritten},
    {Buffer::kChunksCommittedOutOfOrder, stats::traced_buf_chunks_committed_out_of_order},
    {Buffer::kBufferSize, stats::traced_buf_buffer_size},
    {Buffer::kBytesOverwritten, stats::traced_buf_bytes_overwritten},
    {Buffer::kBytesRead, stats::traced_buf_bytes_read},
    {Buffer::kPaddingBytesWritten, stats::traced_buf_padding_bytes_written},
    {Buffer::kPaddingBytesCleared, stats::traced_buf_padding_bytes_cleared},
    {Buffer::kChunksRead, stats::traced_buf_chunks_read},
    {Buffer::kChunksDiscarded, stats::traced_buf_chunks_discarded},
    {Buffer::kTraceWriterPacketLoss, stats::traced_buf_trace_writer_packet_loss},
    {Buffer::kChunksRelocated, stats::traced_buf_chunks_relocated},
};

using Filter = field::TraceStats_FilterStats;
constexpr StatField kOfFilter[] = {
    {Filter::kInputPackets, stats::filter_input_packets},
    {Filter::kInputBytes, stats::filter_input_bytes},
    {Filter::kOutputBytes, stats::filter_output_bytes},
    {Filter::kErrors, stats::filter_errors},
    {Filter::kTimeTakenNs, stats::filter_time_taken_ns},
};

template <size_t size>
void set_stat(const StatField (&known)[size], const Message& field, int32_t index,
              LatestStats& stats) {
  for (const StatField& entry : known)
    if (entry.field == field.number()) stats.set(entry.stat, field.i64(), index);
}

constexpr int32_t kMaxBuffers = 1 << 16;

constexpr StatId kOfCause[SequenceLosses::kCauses] = {
    stats::traced_buf_data_loss_read_gap,
    stats::traced_buf_data_loss_chunk_corrupted,
    stats::traced_buf_data_loss_orphan_continuation,
    stats::traced_buf_data_loss_reassembly_gap,
    stats::traced_buf_data_loss_reassembly_broken_chain,
    stats::traced_buf_data_loss_overwrite,
    stats::traced_buf_data_loss_writer_abort,
    stats::traced_buf_data_loss_smb_full,
};

}  // namespace

void read_trace_stats(std::string_view message, LatestStats& stats) {
  constexpr uint64_t kSucceeded = 1, kFailed = 2;  // final_flush_outcome
  int32_t buffer = 0;
  for (Message fields(message); fields.next();) {
    set_stat(kTotals, fields, -1, stats);
    if (fields.number() == Total::kBufferStats && buffer < kMaxBuffers) {
      for (Message counts = fields.message(); counts.next();)
        set_stat(kOfBuffer, counts, buffer, stats);
      ++buffer;
    }
    if (fields.number() == Total::kFinalFlushOutcome) {
      if (fields.u64() == kSucceeded) stats.set(stats::traced_final_flush_succeeded, 1);
      if (fields.u64() == kFailed) stats.set(stats::traced_final_flush_failed, 1);
    }
    if (fields.number() != Total::kFilterStats) continue;
    int32_t filtered = 0;
    for (Message counts = fields.message(); counts.next();) {
      set_stat(kOfFilter, counts, -1, stats);
      if (counts.number() == Filter::kBytesDiscardedPerBuffer)
        for_each_varint(counts, [&](uint64_t bytes) {
          if (filtered < kMaxBuffers)
            stats.set(stats::traced_buf_bytes_filtered_out, static_cast<int64_t>(bytes),
                      filtered++);
        });
    }
  }
}

void count_overwritten(uint32_t buffers, LatestStats& stats) {
  const auto end = static_cast<int32_t>(std::min<uint32_t>(buffers, kMaxBuffers));
  for (int32_t i = 0; i < end; ++i)
    if (const int64_t bytes = stats.get(stats::traced_buf_bytes_overwritten, i); bytes > 0)
      stats.set(stats::long_trace_mode_bytes_overwritten, bytes, i);
}

void read_writer_stats(std::string_view message, const Sequences& sequences, LatestStats& stats) {
  using Writer = field::TraceStats_WriterStats;
  std::map<int32_t, SequenceLosses> buffers;
  std::map<int32_t, int64_t> lost_sequences;  // by buffer: sequences without a usable packet
  for (Message fields(message); fields.next();) {
    if (fields.number() != Total::kWriterStats) continue;
    uint32_t id = 0, buffer = 0;
    for (Message writer = fields.message(); writer.next();) {
      if (writer.number() == Writer::kSequenceId) id = writer.u32();
      if (writer.number() == Writer::kBuffer) buffer = writer.u32();
    }
    const Sequence* sequence = sequences.find(id);
    if (sequence == nullptr || buffer >= kMaxBuffers) continue;
    const SequenceLosses& losses = sequence->losses;
    SequenceLosses& sum = buffers[static_cast<int32_t>(buffer)];
    sum.dropped += losses.dropped;
    for (size_t i = 0; i < SequenceLosses::kCauses; ++i) sum.by_cause[i] += losses.by_cause[i];
    lost_sequences[static_cast<int32_t>(buffer)] +=
        losses.lacked_state > 0 && losses.lacked_state == losses.needed_state ? 1 : 0;
  }
  for (const auto& [buffer, losses] : buffers) {
    stats.set(stats::traced_buf_sequence_packet_loss, losses.dropped, buffer);
    stats.set(stats::traced_buf_incremental_sequences_dropped, lost_sequences[buffer], buffer);
    for (size_t i = 0; i < SequenceLosses::kCauses; ++i)
      if (losses.by_cause[i] > 0) stats.set(kOfCause[i], losses.by_cause[i], buffer);
  }
}

}  // namespace tracebraid::proto
