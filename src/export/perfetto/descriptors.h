// Writes the descriptors of processes, threads and tracks, from which readers make rows of these
// tables.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "export/perfetto/machines.h"

namespace tracebraid::perfetto {

// The uuids of the tracks of a file; never 0.
inline uint64_t process_uuid(uint32_t upid) { return uint64_t{upid} * 4 + 1; }
inline uint64_t thread_uuid(uint32_t utid) { return uint64_t{utid} * 4 + 2; }

class Descriptors {
 public:
  Descriptors(const Store& store, const Selection& selection, const Machines& machines);

  // Writes the descriptors of all selected tracks.
  Result<> write(PacketFile& file) const;

  // Describes a lane of the track for other programs.
  void write_lane(uint32_t track, uint64_t uuid, PacketFile& file) const;

  bool takes_thread(uint32_t utid) const;
  // Returns the machine of a selected row of logs.
  std::optional<uint32_t> machine_of_log(uint32_t row) const;
  // Whether other programs know the thread from scheduling only.
  bool is_of_switches(uint32_t utid) const { return is_of_switches_[utid]; }
  // Returns the pid of a process in the file: a free number if the format cannot hold its own.
  int32_t shown_pid(uint32_t upid) const {
    const auto other = shown_pids_.find(upid);
    return other == shown_pids_.end() ? static_cast<int32_t>(store_.processes.pid[upid])
                                      : other->second;
  }
  // The processes with other numbers in the file.
  const std::map<uint32_t, int32_t>& shown_pids() const { return shown_pids_; }
  // Returns 0 if the track is not selected.
  uint64_t track_uuid(uint32_t track) const { return uuids_[track]; }

 private:
  bool takes_track(uint32_t track) const;
  void find_shown_pids();
  void find_process_begins();
  void find_thread_begins();
  std::optional<int64_t> end_of_thread(uint32_t utid) const;
  void find_threads_of_switches();
  bool is_written(uint32_t utid) const;
  void write_processes_of_tasks(PacketFile& file) const;
  void write_process(uint32_t upid, PacketFile& file) const;
  void write_thread(uint32_t utid, PacketFile& file) const;
  void write_track(uint32_t track, PacketFile& file) const;
  void add_place(uint32_t track, protozero::pbf_writer& descriptor) const;
  void add_own_track(uint32_t track, protozero::pbf_writer& descriptor) const;

  const Store& store_;
  const Selection& selection_;
  const Machines& machines_;
  std::vector<uint64_t> uuids_;   // by track
  std::vector<bool> has_slices_;  // by track
  std::vector<bool> has_tracks_;  // by utid
  // By utid: whether another thread had its tid before, and whether one has it later.
  std::vector<bool> has_earlier_life_, has_later_life_;
  // By utid: whether other programs must take the thread from the switches to it, because a
  // descriptor would give it a process.
  std::vector<bool> is_of_switches_;
  std::vector<bool>
      starts_with_main_;  // by upid: whether it and its main thread start at the same time
  // By upid: the main thread if it starts and the process has no start. Its descriptor must be the
  // first, because that of the process would add a main thread without a start.
  std::vector<uint32_t> first_thread_;
  std::vector<bool> shares_pid_;  // by upid: whether another process has its pid
  std::vector<int64_t> process_begins_, thread_begins_;
  std::map<uint32_t, int32_t> shown_pids_;  // by upid
};

}  // namespace tracebraid::perfetto
