// Scheduling, kernel events and log lines.
#pragma once

#include "tables/declare.h"

namespace tracebraid {

#define TB_SCHED_COLUMNS(C)                                                 \
  C(ts, PackedColumn<int64_t>, Sorted, "Start, ns.")                        \
  C(dur, PackedColumn<int64_t>, None, "Duration, ns; -1 if open.")          \
  C(utid, PackedColumn<uint32_t>, None, "Row of thread.")                   \
  C(end_state, PackedColumn<StringId>, None,                                \
    "State of the thread when it left the CPU; NULL if open or not known.") \
  C(priority, PackedColumn<int64_t>, None, "Kernel priority.")              \
  C(ucpu, PackedColumn<uint32_t>, None, "Row of cpu.")
TB_TABLE(SchedTable, "__intrinsic_sched_slice", "Intervals in which a thread ran on a CPU.",
         TB_SCHED_COLUMNS,
         {"sched_slice", "id, ts, dur, ucpu AS cpu, utid, end_state, priority, ucpu"})

#define TB_THREAD_STATE_COLUMNS(C)                                                                 \
  C(ts, PackedColumn<int64_t>, Sorted, "Start, ns.")                                               \
  C(dur, PackedColumn<int64_t>, None, "Duration, ns; -1 if open.")                                 \
  C(utid, PackedColumn<uint32_t>, None, "Row of thread.")                                          \
  C(state, PackedColumn<StringId>, None, "Running, R, R+, S, D ...")                               \
  C(io_wait, PackedColumn<OptRow>, None, "1 if the thread waited for IO.")                         \
  C(blocked_function, PackedColumn<StringId>, None, "Kernel function in which the thread waited.") \
  C(waker_utid, PackedColumn<OptRow>, None, "Row of thread that woke the thread.")                 \
  C(waker_id, PackedColumn<OptRow>, None, "Row of thread_state of the waker.")                     \
  C(irq_context, PackedColumn<OptRow>, None, "1 if woken from an interrupt.")                      \
  C(ucpu, PackedColumn<OptRow>, None, "Row of cpu on which the thread ran.")
TB_TABLE(ThreadStateTable, "__intrinsic_thread_state", "States of threads.",
         TB_THREAD_STATE_COLUMNS,
         {"thread_state",
          "id, ts, dur, ucpu AS cpu, utid, state, io_wait, blocked_function, waker_utid, waker_id, "
          "irq_context, ucpu"})

#define TB_SPURIOUS_WAKEUP_COLUMNS(C)                                    \
  C(ts, PackedColumn<int64_t>, Sorted, "ns.")                            \
  C(thread_state_id, PackedColumn<OptRow>, None, "Row of thread_state.") \
  C(irq_context, PackedColumn<OptRow>, None, "1 if from an interrupt.")  \
  C(utid, PackedColumn<uint32_t>, None, "Row of thread.")                \
  C(waker_utid, PackedColumn<OptRow>, None, "Row of thread.")
TB_TABLE(SpuriousWakeupTable, "__intrinsic_spurious_sched_wakeup",
         "Wake-ups of threads that were awake.", TB_SPURIOUS_WAKEUP_COLUMNS,
         {"spurious_sched_wakeup"})

#define TB_FTRACE_EVENT_COLUMNS(C)                               \
  C(ts, PackedColumn<int64_t>, Sorted, "ns.")                    \
  C(name, PackedColumn<StringId>, None, "Event.")                \
  C(utid, PackedColumn<OptRow>, None, "Thread that emitted it.") \
  C(arg_set_id, PackedColumn<OptRow>, None, "Args.")             \
  C(common_flags, PackedColumn<int64_t>, None, "Flags.")         \
  C(ucpu, PackedColumn<uint32_t>, None, "Row of cpu.")
TB_TABLE(FtraceEventTable, "__intrinsic_ftrace_event", "Kernel events, as recorded.",
         TB_FTRACE_EVENT_COLUMNS,
         {"ftrace_event", "id, ts, name, ucpu AS cpu, utid, arg_set_id, common_flags, ucpu"},
         {"raw", "id, ts, name, ucpu AS cpu, utid, arg_set_id, common_flags, ucpu", kAlias})

#define TB_INTERRUPT_MAPPING_COLUMNS(C)                \
  C(irq_id, int64_t, None, "Number of the interrupt.") \
  C(name, StringId, None, "Name of the interrupt.")
TB_TABLE(InterruptMappingTable, "__intrinsic_interrupt_mapping", "Names of interrupts.",
         TB_INTERRUPT_MAPPING_COLUMNS, {"interrupt_mapping"})

#define TB_LOG_COLUMNS(C)                                         \
  C(ts, PackedColumn<int64_t>, Sorted, "ns.")                     \
  C(utid, PackedColumn<OptRow>, None, "Row of thread.")           \
  C(prio, PackedColumn<int64_t>, None, "Priority.")               \
  C(log_source, PackedColumn<StringId>, None, "Name of the log.") \
  C(tag, PackedColumn<StringId>, None, "Tag.")                    \
  C(msg, PackedColumn<StringId>, None, "Message.")                \
  C(arg_set_id, PackedColumn<OptRow>, None, "Args.")
TB_TABLE(LogTable, "__intrinsic_logs", "Log lines.", TB_LOG_COLUMNS, {"logs"})

#define TB_DUMPSTATE_COLUMNS(C)                                   \
  C(section, StringId, None, "Section of the bug report.")        \
  C(service, StringId, None, "Service whose dump it is part of.") \
  C(line, StringId, None, "The line.")
TB_TABLE(DumpstateTable, "__intrinsic_android_dumpstate",
         "Text of Android bug reports, line by line.", TB_DUMPSTATE_COLUMNS, {"android_dumpstate"})

#define TB_SCHED_TABLES(TABLE, PLAIN)             \
  TABLE(SchedTable, sched)                        \
  TABLE(ThreadStateTable, thread_states)          \
  TABLE(SpuriousWakeupTable, spurious_wakeups)    \
  TABLE(FtraceEventTable, ftrace_events)          \
  PLAIN(InterruptMappingTable, interrupt_mapping) \
  TABLE(LogTable, logs)                           \
  PLAIN(DumpstateTable, android_dumpstate)

}  // namespace tracebraid
