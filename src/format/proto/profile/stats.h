// Stats that the readers of proto/profile/ count.
#pragma once

#include "event/stat.h"

#define TB_PROTO_PROFILE_STATS(STAT)                                                              \
  STAT(112, stackprofile_empty_callstack, Single, Error, Trace, MachineAndFile, LostData,         \
       "A callstack of a profile has no frames. Its samples have no callstack. Check the "        \
       "unwinder of the recorder.")                                                               \
  STAT(113, stackprofile_invalid_string_id, Single, Error, Trace, MachineAndFile, LostData,       \
       "A profile refers to a text that was not defined. The name is empty. Check whether the "   \
       "start of the recording is missing.")                                                      \
  STAT(116, stackprofile_invalid_callstack_id, Single, Error, Trace, MachineAndFile, LostEvents,  \
       "A sample refers to a callstack that was not defined. The sample is on no row. Check "     \
       "whether the start of the recording is missing.")                                          \
  STAT(117, stackprofile_parser_error, Single, Error, Trace, MachineAndFile, LostEvents,          \
       "A packet of stack samples is malformed. Its samples are on no row. Check the version of " \
       "the recorder.")                                                                           \
  STAT(118, smaps_parser_errors, Single, Error, Trace, MachineAndFile, LostEvents,                \
       "A packet of memory maps lacks its process. The packet is on no row. Check the version of" \
       " the recorder.")                                                                          \
  STAT(194, heap_graph_malformed_packet, Indexed, Error, Trace, Global, LostData,                 \
       "A packet of a heap graph is malformed. Objects are missing from the heap. Check whether " \
       "the file was damaged.")                                                                   \
  STAT(195, heap_graph_missing_packet, Indexed, Error, Trace, Global, LostData,                   \
       "A heap graph has a gap between its packets. Objects are missing from the heap. Use a "    \
       "larger buffer.")                                                                          \
  STAT(196, heapprofd_buffer_corrupted, Indexed, Error, Trace, MachineAndFile, LostData,          \
       "The shared memory of the heap profiler was damaged. The profile of this process is "      \
       "incomplete. Check for memory errors of the process.")                                     \
  STAT(197, heapprofd_hit_guardrail, Indexed, Error, Trace, MachineAndFile, LostData,             \
       "The heap profiler stopped at its limit of CPU or memory. The profile of this process "    \
       "ends early. Raise the limit or sample less often.")                                       \
  STAT(198, heapprofd_buffer_overran, Indexed, DataLoss, Trace, MachineAndFile, LostData,         \
       "The heap profiler was too slow for this process. The profile ends early. Use a larger "   \
       "buffer or sample less often.")                                                            \
  STAT(199, heapprofd_client_error, Indexed, Error, Trace, MachineAndFile, LostData,              \
       "The heap profiler failed in this process. The profile may be incomplete; the value is "   \
       "the code of the error. See the log of the device.")                                       \
  STAT(200, heapprofd_client_disconnected, Indexed, Info, Trace, MachineAndFile, Noted,           \
       "The process ended or stopped its profile. The profile ends there.")                       \
  STAT(202, heapprofd_missing_packet, Single, Error, Trace, MachineAndFile, LostData,             \
       "A heap profile has a gap between its packets. Samples are missing. Use a larger buffer.") \
  STAT(203, heapprofd_rejected_concurrent, Indexed, Error, Trace, MachineAndFile, LostData,       \
       "Another session profiled this process already. There is no profile of the process. Stop " \
       "the other session.")                                                                      \
  STAT(204, heapprofd_non_finalized_profile, Single, Error, Trace, MachineAndFile, LostData,      \
       "A heap profile has no last packet. The profile is incomplete. Record until the profile "  \
       "is written.")                                                                             \
  STAT(205, heapprofd_sampling_interval_adjusted, Indexed, Info, Trace, MachineAndFile, Noted,    \
       "The heap profiler sampled less often than asked. The value is the difference of the "     \
       "interval, bytes.")                                                                        \
  STAT(206, heapprofd_unwind_time_us, Indexed, Info, Trace, MachineAndFile, Figure,               \
       "The time that unwinding took in this process, microseconds.")                             \
  STAT(207, heapprofd_unwind_samples, Indexed, Info, Trace, MachineAndFile, Figure,               \
       "Samples that were unwound for this process.")                                             \
  STAT(208, heapprofd_client_spinlock_blocked, Indexed, Info, Trace, MachineAndFile, Figure,      \
       "The time that this process waited for the heap profiler, microseconds.")                  \
  STAT(209, heapprofd_last_profile_timestamp, Indexed, Info, Trace, MachineAndFile, Figure,       \
       "When the last profile of this process was taken, ns.")                                    \
  STAT(225, perf_process_shard_count, Indexed, Info, Trace, MachineAndFile, Figure,               \
       "The number of groups of processes of which the profiler chose one.")                      \
  STAT(226, perf_chosen_process_shard, Indexed, Info, Trace, MachineAndFile, Figure,              \
       "The group of processes that the profiler chose.")                                         \
  STAT(227, perf_guardrail_stop_ts, Indexed, DataLoss, Trace, MachineAndFile, LostData,           \
       "The profiler stopped at its limit of CPU or memory, at this time in ns. Later samples "   \
       "are not in the file. Raise the limit or sample less often.")                              \
  STAT(230, perf_samples_skipped, Single, Error, Analysis, MachineAndFile, LostEvents,            \
       "The profiler did not unwind a sample. The sample is on no row. Use a larger queue or "    \
       "sample less often.")                                                                      \
  STAT(233, perf_samples_skipped_dataloss, Single, DataLoss, Trace, MachineAndFile, LostEvents,   \
       "The profiler had no room to unwind a sample. The sample is on no row. Use a larger queue" \
       " or sample less often.")                                                                  \
  STAT(246, memory_snapshot_parser_failure, Single, Error, Analysis, MachineAndFile, LostEvents,  \
       "A memory snapshot lacks its process or is malformed. The snapshot is on no row. Check "   \
       "the program that wrote it.")                                                              \
  STAT(255, v8_intern_errors, Single, DataLoss, Analysis, MachineAndFile, LostData,               \
       "JavaScript code refers to a function, script or isolate that was not defined. The code "  \
       "is not in the tables of V8. Check whether the start of the recording is missing.")        \
  STAT(256, v8_isolate_has_no_code_range, Single, Error, Analysis, MachineAndFile, Noted,         \
       "An isolate of V8 has no range of code. Its code cannot be found by address.")             \
  STAT(257, v8_no_defaults, Single, DataLoss, Analysis, MachineAndFile, LostData,                 \
       "A packet of V8 has no default values. The packet is on no row. Check whether the start "  \
       "of the recording is missing.")                                                            \
  STAT(258, v8_no_code_range, Single, Error, Analysis, MachineAndFile, LostData,                  \
       "Code of V8 has no range of addresses. The code is not in the tables of V8. Check the "    \
       "version of V8.")                                                                          \
  STAT(259, v8_unknown_code_type, Single, Error, Analysis, MachineAndFile, LostData,              \
       "Code of V8 has an unknown type. The code is not in the tables of V8. Check the version "  \
       "of V8.")                                                                                  \
  STAT(260, v8_code_load_missing_code_range, Single, Error, Analysis, MachineAndFile, LostData,   \
       "Code of V8 was loaded without an address range. The code is not in the tables of V8. "    \
       "Check the version of V8.")                                                                \
  STAT(322, streaming_profile_invalid_timestamp, Single, Error, Analysis, MachineAndFile,         \
       LostEvents,                                                                                \
       "The running time of a streaming profile is negative. The rest of the packet is on no "    \
       "row. Check the clock of the program that wrote it.")                                      \
  STAT(348, heap_graph_non_finalized_graph, Single, DataLoss, Trace, Global, LostData,            \
       "A heap graph has no last packet, or objects of another process or time, which are on no " \
       "row. Record until the heap is written.")

TB_DECLARE_STATS(TB_PROTO_PROFILE_STATS)
