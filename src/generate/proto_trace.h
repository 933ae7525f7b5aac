// Protobuf traces: the first packets of a file, and the writers of track events and scheduling.
// Field numbers: spec proto 2.1, 4.2, 5; spec clocks 1.
#pragma once

#include <protozero/pbf_writer.hpp>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "generate/workload.h"

namespace tracebraid::generate {

// The description of a machine in its trace.
struct MachineAbout {
  std::string_view name;
  std::string_view release = "6.6.30-generated";
  int64_t realtime_offset = 1'763'640'000'000'000'000;  // REALTIME - BOOTTIME at `start_ns`
  int64_t realtime_drift_ppm = 0;                       // drift of REALTIME against BOOTTIME
  int64_t suspended_ns = 30'000'000'000;                // BOOTTIME - MONOTONIC
  int64_t start_ns = 0;                                 // BOOTTIME
  uint64_t uuid = 1;
};

// One packet of the trace; fields are added by protozero's functions.
class Packet {
 public:
  Packet(std::string& out, uint32_t sequence) : trace_(out), packet_(trace_, 1) {
    packet_.add_uint32(10, sequence);
  }
  Packet(std::string& out, uint32_t sequence, int64_t ts) : Packet(out, sequence) {
    packet_.add_uint64(8, static_cast<uint64_t>(ts));
  }
  protozero::pbf_writer* operator->() { return &packet_; }
  operator protozero::pbf_writer&() { return packet_; }

 private:
  protozero::pbf_writer trace_, packet_;
};

// Writes uuid, clocks, system, processes and threads.
void append_preamble(const MachineAbout& about, const Workload& workload, std::string& out);
void append_clock_snapshot(const MachineAbout& about, int64_t boottime, std::string& out);

// Writes slices, instants and counters. Each thread is a sequence, with names interned on first use
// and times as differences from the event before.
class TrackEventWriter {
 public:
  // Interval at which each sequence clears its state and describes its thread and process again,
  // ns; 0: never.
  explicit TrackEventWriter(const Workload& workload, int64_t clear_ns = 0);

  // Writes descriptors of processes, threads and counters at `ts`.
  void descriptors(int64_t ts, std::string& out) const;
  void write(const WorkloadEvent& event, std::string& out);

 private:
  struct Sequence {
    int64_t last_ts = -1;  // none yet
    int64_t clear_at = 0;
    std::unordered_map<std::string_view, uint64_t> names, categories, keys;
  };
  void describe_process(size_t process, Packet packet) const;
  void describe_thread(size_t thread, Packet packet) const;
  void open(const WorkloadEvent& h, Sequence& sequence, uint32_t id, std::string& out) const;
  void intern(const WorkloadEvent& h, Sequence& sequence, protozero::pbf_writer& packet) const;

  const Workload& workload_;
  int64_t clear_ns_;
  std::vector<Sequence> sequences_;  // by thread
};

// Writes scheduling as bundles of compact events. A bundle of a CPU is written when it is full, so
// the file is not in order of time, as in real recordings.
class SchedWriter {
 public:
  explicit SchedWriter(const Workload& workload);

  void write(const WorkloadEvent& event, std::string& out);
  void finish(std::string& out);  // writes incomplete bundles

 private:
  struct Bundle {
    int64_t last_switch = 0, last_waking = 0;
    std::vector<uint64_t> switch_ts, switch_comm, waking_ts, waking_comm;
    std::vector<int64_t> prev_state;
    std::vector<int32_t> next_pid, waking_pid;
    std::vector<std::string_view> comms;
  };
  void flush(uint32_t cpu, std::string& out);
  int32_t tid(uint32_t thread) const;
  std::string_view comm(uint32_t thread) const;

  const Workload& workload_;
  std::vector<Bundle> bundles_;  // by CPU
};

}  // namespace tracebraid::generate
