#include "format/proto/system/process_tree.h"

#include <string>
#include <vector>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/row.h"
#include "event/system_tracks.h"
#include "format/common/proto_wire.h"
#include "format/proto/args/args.h"
#include "format/proto/generated/fields.h"
#include "format/proto/names.h"
#include "format/proto/system/stats.h"

namespace tracebraid::proto {
namespace {

constexpr int64_t kThreaddPid = 2;  // the parent of all kernel threads

// Maps "kworker/0:1-events" and "kworker/0:1+events" to kworker/0:1.
std::string_view worker_name(std::string_view name) {
  constexpr std::string_view kPrefix = "kworker/";
  if (!name.starts_with(kPrefix)) return name;
  return name.substr(0, name.find_first_of("+-", kPrefix.size()));
}

struct Process {
  int64_t pid = 0, ppid = 0;
  std::vector<std::string_view> cmdline;
  std::vector<int64_t> namespace_ids;
  std::optional<int64_t> uid, start_from_boot;
  bool is_kernel_thread = false, says_kernel_thread = false;
  bool cmdline_is_comm = false;
};

Process read_process(Message fields) {
  using Field = field::ProcessTree_Process;
  Process process;
  while (fields.next()) {
    switch (fields.number()) {
      case Field::kPid:
        process.pid = fields.i32();
        break;
      case Field::kPpid:
        process.ppid = fields.i32();
        break;
      case Field::kCmdline:
        process.cmdline.push_back(fields.bytes());
        break;
      case Field::kNspid:
        for_each_varint(fields, [&](uint64_t id) {
          process.namespace_ids.push_back(static_cast<int32_t>(id));
        });
        break;
      case Field::kUid:
        process.uid = fields.i32();
        break;
      case Field::kProcessStartFromBoot:
        process.start_from_boot = fields.i64();
        break;
      case Field::kIsKthread:
        process.is_kernel_thread = fields.flag();
        process.says_kernel_thread = true;
        break;
      case Field::kCmdlineIsComm:
        process.cmdline_is_comm = fields.flag();
        break;
      default:
        break;
    }
  }
  return process;
}

// Returns the name of a process, and its whole command line.
std::pair<std::string, std::string> names_of(const Process& process) {
  std::string_view name = process.cmdline.front();
  if (process.ppid == kThreaddPid && name.starts_with("kworker/")) {
    const std::string cut(worker_name(name));
    return {cut, cut};
  }
  if (process.cmdline.size() == 1) name = name.substr(0, name.find(' '));
  std::string cmdline(process.cmdline.front());
  for (size_t i = 1; i < process.cmdline.size(); ++i) {
    cmdline += ' ';
    cmdline += process.cmdline[i];
  }
  return {std::string(name), std::move(cmdline)};
}

void emit_process(const PacketInfo& packet, const Process& process, Clocks& clocks,
                  EventSink& sink) {
  if (process.cmdline.empty()) return;
  const auto [name, cmdline] = names_of(process);
  const uint32_t parent = sink.process({.machine = packet.machine, .pid = process.ppid});
  const uint32_t index = sink.process({.machine = packet.machine, .pid = process.pid});
  sink.event(make_process_parent(packet.time, index, parent));
  sink.event(make_process_name(packet.time, index, sink.string(name), process_priority::kSystem));
  sink.event(make_process_cmdline(packet.time, index, sink.string(cmdline)));
  if (process.cmdline_is_comm) {
    const uint32_t main =
        sink.thread({.machine = packet.machine, .tid = process.pid, .pid = process.pid});
    sink.event(
        make_thread_name(packet.time, main, sink.string(cmdline), thread_priority::kProcessTree));
  }
  if (process.uid) sink.event(make_process_uid(packet.time, index, *process.uid));
  if (process.says_kernel_thread) {
    sink.open_args();
    add_int("is_kthread", process.is_kernel_thread ? 1 : 0, sink, ArgType::Bool);
    sink.event(make_process_args(packet.time, index, sink.close_args()));
  }
  if (process.start_from_boot) {
    const EventTime start = clocks.time(packet.machine, {.domain = field::BuiltinClock::kBoottime},
                                        *process.start_from_boot);
    sink.event(make_process_start(start, index));
  }
}

void emit_thread(const PacketInfo& packet, Message fields, const KernelWorkers& workers,
                 PidNamespaces& namespaces, EventSink& sink) {
  using Field = field::ProcessTree_Thread;
  int64_t tid = 0, pid = 0;
  std::string_view name;
  bool has_name = false;
  std::vector<int64_t> ids;
  while (fields.next()) {
    if (fields.number() == Field::kNstid)
      for_each_varint(fields, [&](uint64_t id) { ids.push_back(static_cast<int32_t>(id)); });
    if (fields.number() == Field::kTid) tid = fields.i32();
    if (fields.number() == Field::kTgid) pid = fields.i32();
    if (fields.number() == Field::kName) {
      name = fields.bytes();
      has_name = true;
    }
  }
  const uint32_t index = sink.thread({.machine = packet.machine, .tid = tid, .pid = pid});
  sink.event(make_thread_seen(packet.time, index));
  if (!ids.empty() && !namespaces.add_thread(pid, tid, ids))
    sink.count(stats::namespaced_thread_missing_process, packet.at, {}, packet.machine);
  if (!has_name) return;
  if (tid == pid && workers.contains(pid)) name = worker_name(name);
  sink.event(
      make_thread_name(packet.time, index, sink.string(name), thread_priority::kProcessTree));
}

struct StatsCounter {
  std::string_view type, dimension, key, name;
  double scale;
};

constexpr double kKib = 1024;

// Returns the counter of a field of ProcessStats.Process; no type for other fields.
StatsCounter stats_counter(uint32_t number) {
  using Field = field::ProcessStats_Process;
  const auto memory = [](std::string_view key, std::string_view name) {
    return StatsCounter{"process_memory", "process_memory_key", key, name, kKib};
  };
  const auto smaps = [](std::string_view key, std::string_view name) {
    return StatsCounter{"smaps", "smaps_key", key, name, kKib};
  };
  switch (number) {
    case Field::kVmSizeKb:
      return memory("virt", "mem.virt");
    case Field::kVmRssKb:
      return memory("rss", "mem.rss");
    case Field::kRssAnonKb:
      return memory("rss.anon", "mem.rss.anon");
    case Field::kRssFileKb:
      return memory("rss.file", "mem.rss.file");
    case Field::kRssShmemKb:
      return memory("rss.shmem", "mem.rss.shmem");
    case Field::kVmSwapKb:
      return memory("swap", "mem.swap");
    case Field::kVmLockedKb:
      return memory("locked", "mem.locked");
    case Field::kVmHwmKb:
      return memory("rss.watermark", "mem.rss.watermark");
    case Field::kDmabufRssKb:
      return memory("dmabuf_rss", "mem.dmabuf_rss");
    case Field::kOomScoreAdj:
      return {"oom_score_adj", {}, {}, "oom_score_adj", 1};
    case Field::kChromePrivateFootprintKb:
      return {"chrome_process_stats", "key", "private_footprint_kb", "chrome.private_footprint_kb",
              kKib};
    case Field::kChromePeakResidentSetKb:
      return {"chrome_process_stats", "key", "peak_resident_set_kb", "chrome.peak_resident_set_kb",
              kKib};
    case Field::kSmrRssKb:
      return smaps("rss", "mem.smaps.rss");
    case Field::kSmrPssKb:
      return smaps("pss", "mem.smaps.pss");
    case Field::kSmrPssAnonKb:
      return smaps("pss.anon", "mem.smaps.pss.anon");
    case Field::kSmrPssFileKb:
      return smaps("pss.file", "mem.smaps.pss.file");
    case Field::kSmrPssShmemKb:
      return smaps("pss.smem", "mem.smaps.pss.smem");
    case Field::kSmrSwapPssKb:
      return smaps("swap.pss", "mem.smaps.swap.pss");
    case Field::kRuntimeUserMode:
      return {"proc_stat_runtime", "proc_stat_runtime_key", "user_ns", "runtime.user_ns", 1};
    case Field::kRuntimeKernelMode:
      return {"proc_stat_runtime", "proc_stat_runtime_key", "kernel_ns", "runtime.kernel_ns", 1};
    default:
      return {};
  }
}

bool is_chrome(uint32_t number) {
  using Field = field::ProcessStats_Process;
  return number == Field::kChromePrivateFootprintKb || number == Field::kChromePeakResidentSetKb;
}

// Returns whether the field is no counter.
bool is_other(uint32_t number) {
  using Field = field::ProcessStats_Process;
  return number == Field::kPid || number == Field::kThreads || number == Field::kFds ||
         number == Field::kIsPeakRssResettable;
}

void emit_stats_thread(const PacketInfo& packet, int64_t pid, Message fields, EventSink& sink) {
  while (fields.next()) {
    if (fields.number() != field::ProcessStats_Thread::kTid) continue;
    const uint32_t thread =
        sink.thread({.machine = packet.machine, .tid = fields.i32(), .pid = pid});
    sink.event(make_thread_seen(packet.time, thread));
  }
}

void emit_open_file(const PacketInfo& packet, uint32_t process, Message fields, EventSink& sink) {
  using Field = field::ProcessStats_FDInfo;
  RowWriter row(sink, "filedescriptor");
  row.process("upid", process);
  while (fields.next()) {
    if (fields.number() == Field::kFd) row.integer("fd", fields.i64());
    if (fields.number() == Field::kPath) row.text("path", fields.bytes());
  }
  sink.event(row.finish(packet.time));
}

void emit_stats(const PacketInfo& packet, std::string_view message, SystemTracks& tracks,
                EventSink& sink) {
  using Field = field::ProcessStats_Process;
  int64_t pid = 0;
  for (Message fields(message); fields.next();)
    if (fields.number() == Field::kPid) pid = fields.i32();
  const uint32_t process = sink.process({.machine = packet.machine, .pid = pid});
  const auto emit = [&](const Message& field) {
    const StatsCounter counter = stats_counter(field.number());
    if (counter.type.empty()) {
      sink.count(stats::proc_stat_unknown_counters, packet.at, {}, packet.machine);
      return;
    }
    const CounterKind kind{.type = counter.type, .name = counter.name};
    const Dimension dimension(counter.dimension, counter.key);
    const uint32_t track = counter.dimension.empty()
                               ? tracks.process_counter(packet.machine, process, kind)
                               : tracks.process_counter(packet.machine, process, kind, {dimension});
    emit_counter(packet.time, track, static_cast<double>(field.i64()) * counter.scale, sink);
  };
  for (Message fields(message); fields.next();)
    if (is_chrome(fields.number())) emit(fields);
  for (Message fields(message); fields.next();) {
    if (is_chrome(fields.number())) continue;
    if (!is_other(fields.number())) emit(fields);
    if (fields.number() == Field::kFds) emit_open_file(packet, process, fields.message(), sink);
    if (fields.number() == Field::kThreads) emit_stats_thread(packet, pid, fields.message(), sink);
    if (fields.number() == Field::kIsPeakRssResettable) {
      sink.open_args();
      add_int("is_peak_rss_resettable", fields.flag() ? 1 : 0, sink, ArgType::Bool);
      sink.event(make_process_args(packet.time, process, sink.close_args()));
    }
  }
}

}  // namespace

void read_process_tree(const PacketInfo& packet, std::string_view message, KernelWorkers& workers,
                       PidNamespaces& namespaces, Clocks& clocks, EventSink& sink) {
  for (Message fields(message); fields.next();) {
    if (fields.number() != field::ProcessTree::kProcesses) continue;
    const Process process = read_process(fields.message());
    if (!process.namespace_ids.empty() && !process.cmdline.empty())
      namespaces.add_process(process.pid, process.namespace_ids);
    if (process.ppid == kThreaddPid) workers.insert(process.pid);
    emit_process(packet, process, clocks, sink);
  }
  for (Message fields(message); fields.next();)
    if (fields.number() == field::ProcessTree::kThreads)
      emit_thread(packet, fields.message(), workers, namespaces, sink);
}

void read_process_stats(const PacketInfo& packet, std::string_view message, SystemTracks& tracks,
                        EventSink& sink) {
  for (Message fields(message); fields.next();)
    if (fields.number() == field::ProcessStats::kProcesses)
      emit_stats(packet, fields.bytes(), tracks, sink);
}

}  // namespace tracebraid::proto
