// Writes the descriptors of processes, threads and tracks, from which readers make rows of these
// tables.
#pragma once

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
  // Returns 0 if the track is not selected.
  uint64_t track_uuid(uint32_t track) const { return uuids_[track]; }

 private:
  bool takes_track(uint32_t track) const;
  void find_threads_of_switches();
  void write_process(uint32_t upid, PacketFile& file) const;
  void write_thread(uint32_t utid, PacketFile& file) const;
  void write_track(uint32_t track, PacketFile& file) const;
  void add_place(uint32_t track, protozero::pbf_writer& descriptor) const;
  void add_own_track(uint32_t track, protozero::pbf_writer& descriptor) const;

  const Store& store_;
  const Selection& selection_;
  const Machines& machines_;
  std::vector<uint64_t> uuids_;       // by track
  std::vector<bool> has_slices_;      // by track
  std::vector<bool> has_root_;        // by utid: whether one of its tracks is the thread track
  std::vector<bool> has_later_life_;  // by utid: whether its tid is reused later
  // By utid: whether other programs must take the thread from the switches to it, because a
  // descriptor would give it a process.
  std::vector<bool> is_of_switches_;
  std::vector<bool>
      starts_with_main_;  // by upid: whether it and its main thread start at the same time
  std::vector<int64_t> process_begins_;
};

}  // namespace tracebraid::perfetto
