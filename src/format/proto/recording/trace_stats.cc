// TraceStats: what the tracing service counted (spec proto 6.10).
#include <map>

#include "format/proto/generated/fields.h"
#include "format/proto/recording/trace_packets.h"
#include "format/proto/wire/wire.h"

namespace tracebraid::proto {
namespace {

struct StatField {
  uint32_t field;
  Stat stat;
};

using Total = field::TraceStats;
constexpr StatField kTotals[] = {
    {Total::kProducersConnected, Stat::traced_producers_connected},
    {Total::kProducersSeen, Stat::traced_producers_seen},
    {Total::kDataSourcesRegistered, Stat::traced_data_sources_registered},
    {Total::kDataSourcesSeen, Stat::traced_data_sources_seen},
    {Total::kTracingSessions, Stat::traced_tracing_sessions},
    {Total::kTotalBuffers, Stat::traced_total_buffers},
    {Total::kChunksDiscarded, Stat::traced_chunks_discarded},
    {Total::kPatchesDiscarded, Stat::traced_patches_discarded},
    {Total::kFlushesRequested, Stat::traced_flushes_requested},
    {Total::kFlushesSucceeded, Stat::traced_flushes_succeeded},
    {Total::kFlushesFailed, Stat::traced_flushes_failed},
};

using Buffer = field::TraceStats_BufferStats;
constexpr StatField kOfBuffer[] = {
    {Buffer::kBytesWritten, Stat::traced_buf_bytes_written},
    {Buffer::kChunksWritten, Stat::traced_buf_chunks_written},
    {Buffer::kChunksOverwritten, Stat::traced_buf_chunks_overwritten},
    {Buffer::kWriteWrapCount, Stat::traced_buf_write_wrap_count},
    {Buffer::kPatchesSucceeded, Stat::traced_buf_patches_succeeded},
    {Buffer::kPatchesFailed, Stat::traced_buf_patches_failed},
    {Buffer::kReadaheadsSucceeded, Stat::traced_buf_readaheads_succeeded},
    {Buffer::kReadaheadsFailed, Stat::traced_buf_readaheads_failed},
    {Buffer::kAbiViolations, Stat::traced_buf_abi_violations},
    {Buffer::kChunksRewritten, Stat::traced_buf_chunks_rewritten},
    {Buffer::kChunksCommittedOutOfOrder, Stat::traced_buf_chunks_committed_out_of_order},
    {Buffer::kBufferSize, Stat::traced_buf_buffer_size},
    {Buffer::kBytesOverwritten, Stat::traced_buf_bytes_overwritten},
    {Buffer::kBytesRead, Stat::traced_buf_bytes_read},
    {Buffer::kPaddingBytesWritten, Stat::traced_buf_padding_bytes_written},
    {Buffer::kPaddingBytesCleared, Stat::traced_buf_padding_bytes_cleared},
    {Buffer::kChunksRead, Stat::traced_buf_chunks_read},
    {Buffer::kChunksDiscarded, Stat::traced_buf_chunks_discarded},
    {Buffer::kTraceWriterPacketLoss, Stat::traced_buf_trace_writer_packet_loss},
    {Buffer::kChunksRelocated, Stat::traced_buf_chunks_relocated},
};

using Filter = field::TraceStats_FilterStats;
constexpr StatField kOfFilter[] = {
    {Filter::kInputPackets, Stat::filter_input_packets},
    {Filter::kInputBytes, Stat::filter_input_bytes},
    {Filter::kOutputBytes, Stat::filter_output_bytes},
    {Filter::kErrors, Stat::filter_errors},
    {Filter::kTimeTakenNs, Stat::filter_time_taken_ns},
};

template <size_t size>
void set_stat(const StatField (&known)[size], const Message& field, int32_t index,
              LatestStats& stats) {
  for (const StatField& entry : known)
    if (entry.field == field.number()) stats.set(entry.stat, field.i64(), index);
}

constexpr int32_t kMaxBuffers = 1 << 16;

constexpr Stat kOfCause[SequenceLosses::kCauses] = {
    Stat::traced_buf_data_loss_read_gap,
    Stat::traced_buf_data_loss_chunk_corrupted,
    Stat::traced_buf_data_loss_orphan_continuation,
    Stat::traced_buf_data_loss_reassembly_gap,
    Stat::traced_buf_data_loss_reassembly_broken_chain,
    Stat::traced_buf_data_loss_overwrite,
    Stat::traced_buf_data_loss_writer_abort,
    Stat::traced_buf_data_loss_smb_full,
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
      if (fields.u64() == kSucceeded) stats.set(Stat::traced_final_flush_succeeded, 1);
      if (fields.u64() == kFailed) stats.set(Stat::traced_final_flush_failed, 1);
    }
    if (fields.number() != Total::kFilterStats) continue;
    int32_t filtered = 0;
    for (Message counts = fields.message(); counts.next();) {
      set_stat(kOfFilter, counts, -1, stats);
      if (counts.number() == Filter::kBytesDiscardedPerBuffer)
        for_each_varint(counts, [&](uint64_t bytes) {
          if (filtered < kMaxBuffers)
            stats.set(Stat::traced_buf_bytes_filtered_out, static_cast<int64_t>(bytes), filtered++);
        });
    }
  }
}

void read_writer_stats(std::string_view message, const Sequences& sequences, LatestStats& stats) {
  using Writer = field::TraceStats_WriterStats;
  std::map<int32_t, SequenceLosses> buffers;
  std::map<int32_t, int64_t> lost_sequences;  // by buffer: none of their packets could be used
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
    stats.set(Stat::traced_buf_sequence_packet_loss, losses.dropped, buffer);
    stats.set(Stat::traced_buf_incremental_sequences_dropped, lost_sequences[buffer], buffer);
    for (size_t i = 0; i < SequenceLosses::kCauses; ++i)
      if (losses.by_cause[i] > 0) stats.set(kOfCause[i], losses.by_cause[i], buffer);
  }
}

}  // namespace tracebraid::proto
