// Stats that the readers of proto/recording/ count.
#pragma once

#include "event/stat.h"

#define TB_PROTO_RECORDING_STATS(STAT)                                                             \
  STAT(87, concurrent_session_event_unknown_state, Single, Error, Analysis, MachineAndFile)        \
  STAT(101, filter_input_bytes, Single, Info, Trace, MachineAndFile)                               \
  STAT(102, filter_input_packets, Single, Info, Trace, MachineAndFile)                             \
  STAT(103, filter_output_bytes, Single, Info, Trace, MachineAndFile)                              \
  STAT(104, filter_time_taken_ns, Single, Info, Trace, MachineAndFile)                             \
  STAT(105, filter_errors, Single, Error, Trace, MachineAndFile)                                   \
  STAT(123, traced_buf_abi_violations, Indexed, DataLoss, Trace, MachineAndFile)                   \
  STAT(124, traced_buf_buffer_size, Indexed, Info, Trace, MachineAndFile)                          \
  STAT(125, traced_buf_bytes_overwritten, Indexed, Info, Trace, MachineAndFile)                    \
  STAT(126, traced_buf_bytes_read, Indexed, Info, Trace, MachineAndFile)                           \
  STAT(127, traced_buf_bytes_filtered_out, Indexed, Info, Trace, MachineAndFile)                   \
  STAT(128, traced_buf_bytes_written, Indexed, Info, Trace, MachineAndFile)                        \
  STAT(129, traced_buf_clone_done_timestamp_ns, Indexed, Info, Trace, MachineAndFile)              \
  STAT(130, traced_buf_chunks_discarded, Indexed, Info, Trace, MachineAndFile)                     \
  STAT(131, traced_buf_chunks_overwritten, Indexed, Info, Trace, MachineAndFile)                   \
  STAT(132, traced_buf_chunks_read, Indexed, Info, Trace, MachineAndFile)                          \
  STAT(133, traced_buf_chunks_relocated, Indexed, Info, Trace, MachineAndFile)                     \
  STAT(134, traced_buf_chunks_rewritten, Indexed, Info, Trace, MachineAndFile)                     \
  STAT(135, traced_buf_chunks_written, Indexed, Info, Trace, MachineAndFile)                       \
  STAT(136, traced_buf_chunks_committed_out_of_order, Indexed, Info, Trace, MachineAndFile)        \
  STAT(137, traced_buf_padding_bytes_cleared, Indexed, Info, Trace, MachineAndFile)                \
  STAT(138, traced_buf_padding_bytes_written, Indexed, Info, Trace, MachineAndFile)                \
  STAT(139, traced_buf_patches_failed, Indexed, DataLoss, Trace, MachineAndFile)                   \
  STAT(140, traced_buf_patches_succeeded, Indexed, Info, Trace, MachineAndFile)                    \
  STAT(141, traced_buf_readaheads_failed, Indexed, Info, Trace, MachineAndFile)                    \
  STAT(142, traced_buf_readaheads_succeeded, Indexed, Info, Trace, MachineAndFile)                 \
  STAT(143, traced_buf_trace_writer_packet_loss, Indexed, DataLoss, Trace, MachineAndFile)         \
  STAT(144, traced_buf_sequence_packet_loss, Indexed, DataLoss, Analysis, MachineAndFile)          \
  STAT(145, traced_buf_incremental_sequences_dropped, Indexed, DataLoss, Analysis, MachineAndFile) \
  STAT(146, traced_buf_data_loss_read_gap, Indexed, DataLoss, Trace, MachineAndFile)               \
  STAT(147, traced_buf_data_loss_chunk_corrupted, Indexed, DataLoss, Trace, MachineAndFile)        \
  STAT(148, traced_buf_data_loss_orphan_continuation, Indexed, DataLoss, Trace, MachineAndFile)    \
  STAT(149, traced_buf_data_loss_reassembly_gap, Indexed, DataLoss, Trace, MachineAndFile)         \
  STAT(150, traced_buf_data_loss_reassembly_broken_chain, Indexed, DataLoss, Trace,                \
       MachineAndFile)                                                                             \
  STAT(151, traced_buf_data_loss_overwrite, Indexed, DataLoss, Trace, MachineAndFile)              \
  STAT(152, traced_buf_data_loss_writer_abort, Indexed, DataLoss, Trace, MachineAndFile)           \
  STAT(153, traced_buf_data_loss_smb_full, Indexed, DataLoss, Trace, MachineAndFile)               \
  STAT(154, traced_buf_write_wrap_count, Indexed, Info, Trace, MachineAndFile)                     \
  STAT(155, traced_clone_started_timestamp_ns, Single, Info, Trace, MachineAndFile)                \
  STAT(156, traced_clone_trigger_timestamp_ns, Single, Info, Trace, MachineAndFile)                \
  STAT(157, traced_chunks_discarded, Single, Info, Trace, MachineAndFile)                          \
  STAT(158, traced_data_sources_registered, Single, Info, Trace, MachineAndFile)                   \
  STAT(159, traced_data_sources_seen, Single, Info, Trace, MachineAndFile)                         \
  STAT(160, traced_final_flush_failed, Single, DataLoss, Trace, MachineAndFile)                    \
  STAT(161, traced_final_flush_succeeded, Single, Info, Trace, MachineAndFile)                     \
  STAT(162, traced_flushes_failed, Single, DataLoss, Trace, MachineAndFile)                        \
  STAT(163, traced_flushes_requested, Single, Info, Trace, MachineAndFile)                         \
  STAT(164, traced_flushes_succeeded, Single, Info, Trace, MachineAndFile)                         \
  STAT(165, traced_patches_discarded, Single, Info, Trace, MachineAndFile)                         \
  STAT(166, traced_producers_connected, Single, Info, Trace, MachineAndFile)                       \
  STAT(167, traced_producers_seen, Single, Info, Trace, MachineAndFile)                            \
  STAT(168, traced_total_buffers, Single, Info, Trace, MachineAndFile)                             \
  STAT(169, traced_tracing_sessions, Single, Info, Trace, MachineAndFile)                          \
  STAT(222, empty_chrome_metadata, Single, Error, Trace, MachineAndFile)                           \
  STAT(286, config_write_into_file_no_flush, Single, Error, Trace, MachineAndFile)                 \
  STAT(287, config_write_into_file_discard, Indexed, DataLoss, Trace, MachineAndFile)              \
  STAT(332, track_event_range_of_interest_missing_start_us, Single, Error, Analysis, MachineAndFile)

TB_DECLARE_STATS(TB_PROTO_RECORDING_STATS)
