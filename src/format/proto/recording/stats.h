// Stats that the readers of proto/recording/ count.
#pragma once

#include "event/stat.h"

#define TB_PROTO_RECORDING_STATS(STAT)                                                             \
  STAT(87, concurrent_session_event_unknown_state, Single, Error, Analysis, MachineAndFile, Noted, \
       "The recorder reported another recording session in an unknown state. The state is "        \
       "ignored.")                                                                                 \
  STAT(101, filter_input_bytes, Single, Info, Trace, MachineAndFile, Figure,                       \
       "Bytes that entered the filter of the recorder.")                                           \
  STAT(102, filter_input_packets, Single, Info, Trace, MachineAndFile, Figure,                     \
       "Packets that entered the filter of the recorder.")                                         \
  STAT(103, filter_output_bytes, Single, Info, Trace, MachineAndFile, Figure,                      \
       "Bytes that left the filter of the recorder.")                                              \
  STAT(104, filter_time_taken_ns, Single, Info, Trace, MachineAndFile, Figure,                     \
       "The time that the filter of the recorder took, ns.")                                       \
  STAT(105, filter_errors, Single, Error, Trace, MachineAndFile, LostData,                         \
       "The filter of the recorder failed on packets. These packets are not in the file. Check "   \
       "the filter of the configuration.")                                                         \
  STAT(123, traced_buf_abi_violations, Indexed, DataLoss, Trace, MachineAndFile, LostData,         \
       "A producer wrote malformed data into a buffer of the recorder. This data is not in the "   \
       "file. Check the version of the producer.")                                                 \
  STAT(124, traced_buf_buffer_size, Indexed, Info, Trace, MachineAndFile, Figure,                  \
       "The size of a buffer of the recorder, bytes.")                                             \
  STAT(125, traced_buf_bytes_overwritten, Indexed, Info, Trace, MachineAndFile, Figure,            \
       "Bytes of a buffer that newer data overwrote.")                                             \
  STAT(126, traced_buf_bytes_read, Indexed, Info, Trace, MachineAndFile, Figure,                   \
       "Bytes that were read from a buffer.")                                                      \
  STAT(127, traced_buf_bytes_filtered_out, Indexed, Info, Trace, MachineAndFile, Figure,           \
       "Bytes of a buffer that the filter of the recorder removed.")                               \
  STAT(128, traced_buf_bytes_written, Indexed, Info, Trace, MachineAndFile, Figure,                \
       "Bytes that were written into a buffer.")                                                   \
  STAT(129, traced_buf_clone_done_timestamp_ns, Indexed, Info, Trace, MachineAndFile, Figure,      \
       "When the copy of a buffer was complete, trace time in ns.")                                \
  STAT(130, traced_buf_chunks_discarded, Indexed, Info, Trace, MachineAndFile, Figure,             \
       "Chunks that a full buffer did not accept.")                                                \
  STAT(131, traced_buf_chunks_overwritten, Indexed, Info, Trace, MachineAndFile, Figure,           \
       "Chunks that newer data overwrote before they were read.")                                  \
  STAT(132, traced_buf_chunks_read, Indexed, Info, Trace, MachineAndFile, Figure,                  \
       "Chunks that were read from a buffer.")                                                     \
  STAT(133, traced_buf_chunks_relocated, Indexed, Info, Trace, MachineAndFile, Figure,             \
       "Chunks that were moved within a buffer.")                                                  \
  STAT(134, traced_buf_chunks_rewritten, Indexed, Info, Trace, MachineAndFile, Figure,             \
       "Chunks that a producer wrote again.")                                                      \
  STAT(135, traced_buf_chunks_written, Indexed, Info, Trace, MachineAndFile, Figure,               \
       "Chunks that were written into a buffer.")                                                  \
  STAT(136, traced_buf_chunks_committed_out_of_order, Indexed, Info, Trace, MachineAndFile,        \
       Figure, "Chunks that a producer committed in another order than it wrote them.")            \
  STAT(137, traced_buf_padding_bytes_cleared, Indexed, Info, Trace, MachineAndFile, Figure,        \
       "Bytes of padding that were cleared in a buffer.")                                          \
  STAT(138, traced_buf_padding_bytes_written, Indexed, Info, Trace, MachineAndFile, Figure,        \
       "Bytes of padding that were written into a buffer.")                                        \
  STAT(139, traced_buf_patches_failed, Indexed, DataLoss, Trace, MachineAndFile, LostData,         \
       "The recorder could not complete packets, because their beginning was gone from the "       \
       "buffer. These packets are not in the file. Use a larger buffer.")                          \
  STAT(140, traced_buf_patches_succeeded, Indexed, Info, Trace, MachineAndFile, Figure,            \
       "Packets that the recorder completed in a buffer.")                                         \
  STAT(141, traced_buf_readaheads_failed, Indexed, Info, Trace, MachineAndFile, Figure,            \
       "Reads ahead in a buffer that found no complete packet.")                                   \
  STAT(142, traced_buf_readaheads_succeeded, Indexed, Info, Trace, MachineAndFile, Figure,         \
       "Reads ahead in a buffer that found a complete packet.")                                    \
  STAT(143, traced_buf_trace_writer_packet_loss, Indexed, DataLoss, Trace, MachineAndFile,         \
       LostData,                                                                                   \
       "Producers dropped packets, because their shared memory was full. These packets are not "   \
       "in the file. Use larger shared memory or buffers.")                                        \
  STAT(144, traced_buf_sequence_packet_loss, Indexed, DataLoss, Analysis, MachineAndFile,          \
       LostData,                                                                                   \
       "Sequences of packets have gaps. Packets in the gaps are not in the file. Use a larger "    \
       "buffer.")                                                                                  \
  STAT(145, traced_buf_incremental_sequences_dropped, Indexed, DataLoss, Analysis, MachineAndFile, \
       LostData,                                                                                   \
       "Sequences never had a packet with complete state. Their events are on no row. Use a "      \
       "larger buffer, or let producers repeat their state more often.")                           \
  STAT(146, traced_buf_data_loss_read_gap, Indexed, DataLoss, Trace, MachineAndFile, LostData,     \
       "The recorder found a gap when it read a buffer. Packets in the gap are not in the file. "  \
       "Use a larger buffer.")                                                                     \
  STAT(147, traced_buf_data_loss_chunk_corrupted, Indexed, DataLoss, Trace, MachineAndFile,        \
       LostData,                                                                                   \
       "A chunk of a buffer was damaged. Its packets are not in the file. Check the version of "   \
       "the producer.")                                                                            \
  STAT(148, traced_buf_data_loss_orphan_continuation, Indexed, DataLoss, Trace, MachineAndFile,    \
       LostData,                                                                                   \
       "A packet continues whose beginning is missing. The packet is not in the file. Use a "      \
       "larger buffer.")                                                                           \
  STAT(149, traced_buf_data_loss_reassembly_gap, Indexed, DataLoss, Trace, MachineAndFile,         \
       LostData,                                                                                   \
       "A packet could not be joined, because a part is missing. The packet is not in the file. "  \
       "Use a larger buffer.")                                                                     \
  STAT(150, traced_buf_data_loss_reassembly_broken_chain, Indexed, DataLoss, Trace,                \
       MachineAndFile, LostData,                                                                   \
       "A packet could not be joined, because its parts do not fit. The packet is not in the "     \
       "file. Check the version of the producer.")                                                 \
  STAT(151, traced_buf_data_loss_overwrite, Indexed, DataLoss, Trace, MachineAndFile, LostData,    \
       "Newer data overwrote packets before they were read. These packets are not in the file. "   \
       "Use a larger buffer.")                                                                     \
  STAT(152, traced_buf_data_loss_writer_abort, Indexed, DataLoss, Trace, MachineAndFile, LostData, \
       "A producer gave up a packet. The packet is not in the file. Check the producer.")          \
  STAT(153, traced_buf_data_loss_smb_full, Indexed, DataLoss, Trace, MachineAndFile, LostData,     \
       "The shared memory of a producer was full. Its packets are not in the file. Use larger "    \
       "shared memory.")                                                                           \
  STAT(154, traced_buf_write_wrap_count, Indexed, Info, Trace, MachineAndFile, Figure,             \
       "How often a buffer of the recorder wrapped.")                                              \
  STAT(155, traced_clone_started_timestamp_ns, Single, Info, Trace, MachineAndFile, Figure,        \
       "When copying the recording started, trace time in ns.")                                    \
  STAT(156, traced_clone_trigger_timestamp_ns, Single, Info, Trace, MachineAndFile, Figure,        \
       "When the copy of the recording was triggered, trace time in ns.")                          \
  STAT(157, traced_chunks_discarded, Single, Info, Trace, MachineAndFile, Figure,                  \
       "Chunks that the recorder did not accept.")                                                 \
  STAT(158, traced_data_sources_registered, Single, Info, Trace, MachineAndFile, Figure,           \
       "Data sources that were registered when recording ended.")                                  \
  STAT(159, traced_data_sources_seen, Single, Info, Trace, MachineAndFile, Figure,                 \
       "Data sources that the recorder has seen.")                                                 \
  STAT(160, traced_final_flush_failed, Single, DataLoss, Trace, MachineAndFile, LostData,          \
       "The last flush of the recording failed. The newest events of some producers are not in "   \
       "the file. Use a longer flush timeout.")                                                    \
  STAT(161, traced_final_flush_succeeded, Single, Info, Trace, MachineAndFile, Figure,             \
       "Last flushes that succeeded.")                                                             \
  STAT(162, traced_flushes_failed, Single, DataLoss, Trace, MachineAndFile, LostData,              \
       "A flush of the recording failed. Events of some producers may come late or not at all. "   \
       "Use a longer flush timeout.")                                                              \
  STAT(163, traced_flushes_requested, Single, Info, Trace, MachineAndFile, Figure,                 \
       "Flushes that the recorder requested.")                                                     \
  STAT(164, traced_flushes_succeeded, Single, Info, Trace, MachineAndFile, Figure,                 \
       "Flushes that succeeded.")                                                                  \
  STAT(165, traced_patches_discarded, Single, Info, Trace, MachineAndFile, Figure,                 \
       "Patches of packets that were not applied.")                                                \
  STAT(166, traced_producers_connected, Single, Info, Trace, MachineAndFile, Figure,               \
       "Producers that were connected when recording ended.")                                      \
  STAT(167, traced_producers_seen, Single, Info, Trace, MachineAndFile, Figure,                    \
       "Producers that the recorder has seen.")                                                    \
  STAT(168, traced_total_buffers, Single, Info, Trace, MachineAndFile, Figure,                     \
       "Buffers of all sessions of the recorder.")                                                 \
  STAT(169, traced_tracing_sessions, Single, Info, Trace, MachineAndFile, Figure,                  \
       "Recording sessions at the same time.")                                                     \
  STAT(222, empty_chrome_metadata, Single, Error, Trace, MachineAndFile, Noted,                    \
       "A packet of Chrome metadata is empty. Nothing is imported from it.")                       \
  STAT(286, config_write_into_file_no_flush, Single, Error, Trace, MachineAndFile, Noted,          \
       "The recording writes into a file without periodic flushes. Events of slow producers may "  \
       "be out of order or missing. Set flush_period_ms.")                                         \
  STAT(287, config_write_into_file_discard, Indexed, DataLoss, Trace, MachineAndFile, Noted,       \
       "The recording writes into a file from a buffer that discards new data when full. Events "  \
       "may be missing. Use a ring buffer.")                                                       \
  STAT(288, long_trace_mode_bytes_overwritten, Indexed, DataLoss, Trace, MachineAndFile, LostData, \
       "A buffer of a recording that streams into a file overwrote bytes before they were "        \
       "written. Their packets are not in the file. Use a larger buffer, or a shorter "            \
       "file_write_period_ms.")                                                                    \
  STAT(332, track_event_range_of_interest_missing_start_us, Single, Error, Analysis,               \
       MachineAndFile, Noted,                                                                      \
       "The range of interest of the recording has no start. The range is ignored.")

TB_DECLARE_STATS(TB_PROTO_RECORDING_STATS)
