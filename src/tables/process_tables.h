// Processes, threads, CPUs and GPUs.
#pragma once

#include "tables/declare.h"

namespace tracebraid {

#define TB_PROCESS_COLUMNS(C)                                                \
  C(pid, int64_t, None, "Process id.")                                       \
  C(name, StringId, None, "Name from the source with the highest priority.") \
  C(start_ts, OptInt, None, "Start, ns.")                                    \
  C(end_ts, OptInt, None, "End, ns.")                                        \
  C(parent_upid, OptRow, None, "Row of process.")                            \
  C(uid, OptInt, None, "User id.")                                           \
  C(android_appid, OptInt, None, "uid % 100000.")                            \
  C(android_user_id, OptInt, None, "uid / 100000.")                          \
  C(cmdline, StringId, None, "Command line.")                                \
  C(arg_set_id, OptRow, None, "Args.")                                       \
  C(machine_id, uint32_t, None, "Row of machine.")
TB_TABLE(ProcessTable, "__intrinsic_process", "Processes; a reused pid has several rows.",
         TB_PROCESS_COLUMNS,
         {"process",
          "id AS upid, id, pid, name, start_ts, end_ts, parent_upid, uid, android_appid, "
          "android_user_id, cmdline, arg_set_id, machine_id"})

#define TB_THREAD_COLUMNS(C)                                                 \
  C(tid, int64_t, None, "Thread id.")                                        \
  C(name, StringId, None, "Name from the source with the highest priority.") \
  C(start_ts, OptInt, None, "Start, ns.")                                    \
  C(end_ts, OptInt, None, "End, ns.")                                        \
  C(upid, OptRow, None, "Row of process, if known.")                         \
  C(is_main_thread, OptInt, None, "1 if tid = pid; NULL if not known.")      \
  C(is_idle, uint8_t, None, "1 for the idle thread.")                        \
  C(machine_id, uint32_t, None, "Row of machine.")                           \
  C(arg_set_id, OptRow, None, "Args.")
TB_TABLE(ThreadTable, "__intrinsic_thread", "Threads; a reused tid has several rows.",
         TB_THREAD_COLUMNS,
         {"thread",
          "id AS utid, id, tid, name, start_ts, end_ts, upid, is_main_thread, is_idle, machine_id, "
          "arg_set_id"})

#define TB_MISSING_CHROME_PROCESS_COLUMNS(C) \
  C(upid, uint32_t, None, "Row of process.") \
  C(reliable_from, OptInt, None, "Time from which its events are complete, ns; NULL: never.")
TB_TABLE(MissingChromeProcessTable, "__intrinsic_experimental_missing_chrome_processes",
         "Processes of Chrome that lack events, because the recording began after them.",
         TB_MISSING_CHROME_PROCESS_COLUMNS, {"experimental_missing_chrome_processes"})

#define TB_ANDROID_PROCESS_COLUMNS(C)                                                    \
  C(upid, uint32_t, None, "Row of process.")                                             \
  C(start_seq_id, OptInt, None, "Number of the start.")                                  \
  C(package_uid, OptInt, None, "User id of the package.")                                \
  C(caller_uid, OptInt, None, "User id that asked for the process.")                     \
  C(defining_uid, OptInt, None, "User id of the package that defines what is hosted.")   \
  C(fw_start_ts, OptInt, None, "Time of the first start that the framework tells, ns.")  \
  C(fw_end_ts, OptInt, None, "Time at which the framework saw the process die, ns.")     \
  C(trigger_type, StringId, None, "What triggered the start.")                           \
  C(hosting_type, StringId, None, "Kind of component that the process was started for.") \
  C(hosting_name, StringId, None, "Name of that component.")                             \
  C(bind_application_delay_ms, OptInt, None, "From the start to bindApplication, ms.")   \
  C(process_start_delay_ms, OptInt, None, "From the request to the start, ms.")
TB_TABLE(AndroidProcessTable, "__intrinsic_android_track_event_process",
         "Starts and ends of processes, as the framework of Android tells them.",
         TB_ANDROID_PROCESS_COLUMNS)

#define TB_CPU_COLUMNS(C)                                            \
  C(cpu, OptInt, None, "Number on its machine; NULL if never seen.") \
  C(cluster_id, OptInt, None, "Cluster.")                            \
  C(processor, StringId, None, "Kind.")                              \
  C(machine_id, uint32_t, None, "Row of machine.")                   \
  C(capacity, OptInt, None, "Relative speed.")                       \
  C(arg_set_id, OptRow, None, "Args.")
TB_TABLE(CpuTable, "__intrinsic_cpu",
         "CPUs; 4096 rows a machine, so that id = machine * 4096 + cpu.", TB_CPU_COLUMNS)

#define TB_CPU_FREQ_COLUMNS(C)           \
  C(ucpu, uint32_t, None, "Row of cpu.") \
  C(freq, int64_t, None, "kHz.")
TB_TABLE(CpuFreqTable, "__intrinsic_cpu_freq", "Frequencies a CPU can run at.", TB_CPU_FREQ_COLUMNS,
         {"cpu_available_frequencies", "id, ucpu AS cpu, freq, ucpu"})

#define TB_GPU_COLUMNS(C)                          \
  C(gpu, int64_t, None, "Number on its machine.")  \
  C(machine_id, uint32_t, None, "Row of machine.") \
  C(name, StringId, None, "Name.")                 \
  C(vendor, StringId, None, "Maker.")              \
  C(model, StringId, None, "Model.")               \
  C(architecture, StringId, None, "Architecture.") \
  C(uuid, StringId, None, "Id, in hex.")           \
  C(pci_bdf, StringId, None, "PCI address.")       \
  C(arg_set_id, OptRow, None, "Args.")
TB_TABLE(GpuTable, "__intrinsic_gpu", "Graphics processors.", TB_GPU_COLUMNS)

#define TB_GPU_CONTEXT_COLUMNS(C)                  \
  C(context_id, int64_t, None, "Number.")          \
  C(pid, int64_t, None, "Process id of its user.") \
  C(api, StringId, None, "Programming interface.")
TB_TABLE(GpuContextTable, "__intrinsic_gpu_context", "Contexts of programs on a GPU.",
         TB_GPU_CONTEXT_COLUMNS)

#define TB_FILEDESCRIPTOR_COLUMNS(C)                       \
  C(ufd, OptInt, None, "Unique number of the descriptor.") \
  C(fd, OptInt, None, "Number in its process.")            \
  C(ts, OptInt, None, "Time of its first use, ns.")        \
  C(upid, OptRow, None, "Row of process.")                 \
  C(path, StringId, None, "File, socket or pipe behind it.")
TB_TABLE(FiledescriptorTable, "__intrinsic_filedescriptor", "Open files of processes.",
         TB_FILEDESCRIPTOR_COLUMNS, {"filedescriptor"})

#define TB_PROCESS_TABLES(TABLE, PLAIN)                      \
  TABLE(ProcessTable, processes)                             \
  TABLE(ThreadTable, threads)                                \
  TABLE(MissingChromeProcessTable, missing_chrome_processes) \
  TABLE(AndroidProcessTable, android_processes)              \
  TABLE(CpuTable, cpus)                                      \
  TABLE(CpuFreqTable, cpu_freqs)                             \
  TABLE(GpuTable, gpu)                                       \
  PLAIN(GpuContextTable, gpu_context)                        \
  PLAIN(FiledescriptorTable, filedescriptor)

}  // namespace tracebraid
