#include "export/trace_json/places.h"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>

namespace tracebraid {
namespace {

std::string text_or(const StringPool& strings, StringId id, std::string_view otherwise) {
  return std::string(id ? strings.get(id) : otherwise);
}

class Assignment {
 public:
  Assignment(const Store& store, const Selection& selection)
      : store_(store), selection_(selection) {}

  Places run() && {
    find_shown_threads();
    name_processes();
    for (uint32_t utid = 0; utid < store_.threads.rows(); ++utid)
      places_.thread_pid.push_back(pid_of_thread(utid));
    for (uint32_t machine = 0; machine < store_.machines.rows(); ++machine)
      places_.cpu_pid.push_back(kUnassigned);
    if (store_.sched.rows() != 0)
      for (uint32_t machine = 0; machine < store_.machines.rows(); ++machine)
        places_.cpu_pid[machine] = make_process("CPUs", machine);
    for (uint32_t track = 0; track < store_.tracks.rows(); ++track)
      places_.tracks.push_back(place_track(track));
    return std::move(places_);
  }

 private:
  static constexpr int64_t kUnassigned = -1;

  // Every machine has an idle process and thread with pid 0, even if no file names them.
  void find_shown_threads() {
    places_.thread_is_shown.assign(store_.threads.rows(), false);
    for (uint32_t utid = 0; utid < store_.threads.rows(); ++utid)
      places_.thread_is_shown[utid] = store_.threads.is_idle[utid] == 0;
    for (uint32_t track = 0; track < store_.tracks.rows(); ++track)
      if (const OptRow utid = store_.tracks.utid[track]; utid.row != OptRow::kNull)
        places_.thread_is_shown[utid.row] = true;
  }

  // The first process of a pid keeps it; later ones, on other machines or after the pid was reused,
  // get the next free number. Processes without visible data come last.
  void name_processes() {
    const auto pids = store_.processes.pid.values();
    for (const int64_t pid : pids) next_pid_ = std::max(next_pid_, pid);
    std::vector<bool>& is_hidden = places_.is_hidden;
    is_hidden.assign(pids.size(), false);
    for (uint32_t utid = 0; utid < store_.threads.rows(); ++utid)
      if (const OptRow upid = store_.threads.upid[utid];
          store_.threads.is_idle[utid] != 0 && upid.row != OptRow::kNull)
        is_hidden[upid.row] = !places_.thread_is_shown[utid] && !store_.processes.name[upid.row];
    absl::flat_hash_set<int64_t> used;
    places_.pids.assign(pids.begin(), pids.end());
    places_.renamed.assign(pids.size(), false);
    for (const bool hidden : {false, true}) {
      for (size_t upid = 0; upid < pids.size(); ++upid) {
        if (is_hidden[upid] != hidden || used.insert(pids[upid]).second) continue;
        places_.pids[upid] = ++next_pid_;
        places_.renamed[upid] = !hidden;
      }
    }
  }

  int64_t make_process(std::string_view what, uint32_t machine) {
    const bool alone = store_.machines.rows() <= 1;
    const std::string owner =
        text_or(store_.strings, store_.machines.name[machine], fmt::format("machine {}", machine));
    places_.processes.push_back(
        {++next_pid_, alone ? std::string(what) : fmt::format("{} of {}", what, owner), machine});
    return next_pid_;
  }

  int64_t pid_of_thread(uint32_t utid) {
    const OptRow upid = store_.threads.upid[utid];
    if (upid.row != OptRow::kNull) return places_.pids[upid.row];
    return made_for(orphans_, "Threads", store_.threads.machine_id[utid]);
  }

  int64_t made_for(absl::flat_hash_map<uint32_t, int64_t>& made, std::string_view what,
                   uint32_t machine) {
    const auto [at, is_new] = made.try_emplace(machine, 0);
    if (is_new) at->second = make_process(what, machine);
    return at->second;
  }

  bool is_selected(uint32_t track) const {
    const TrackTable& tracks = store_.tracks;
    OptRow upid = tracks.upid[track];
    if (const OptRow utid = tracks.utid[track]; utid.row != OptRow::kNull)
      upid = store_.threads.upid[utid.row];
    return selection_.takes_machine(tracks.machine_id[track]) && selection_.takes_process(upid);
  }

  TrackPlace place_track(uint32_t track) {
    const TrackTable& tracks = store_.tracks;
    if (!is_selected(track)) return {};
    const OptRow utid = tracks.utid[track], upid = tracks.upid[track];
    const std::string_view kind = store_.strings.get(tracks.event_type[track]);
    TrackPlace place;
    if (utid.row != OptRow::kNull) {
      place.pid = places_.thread_pid[utid.row];
      place.tid = store_.threads.tid[utid.row];
      place.form = TrackForm::Thread;
    } else if (upid.row != OptRow::kNull) {
      place.pid = places_.pids[upid.row];
      place.form = TrackForm::Async;
    } else {
      place.pid = made_for(others_, "Tracks", tracks.machine_id[track]);
      place.form = TrackForm::Row;
    }
    if (kind == "counter") {
      place.form = TrackForm::Counter;
    } else if (place.form == TrackForm::Row) {
      place.tid = track + 1;
      places_.threads.push_back({place.pid, place.tid,
                                 text_or(store_.strings, tracks.name[track],
                                         text_or(store_.strings, tracks.type[track], ""))});
    }
    return place;
  }

  const Store& store_;
  const Selection& selection_;
  Places places_;
  int64_t next_pid_ = 0;
  absl::flat_hash_map<uint32_t, int64_t> orphans_, others_;  // synthetic process, by machine
};

}  // namespace

Places assign_places(const Store& store, const Selection& selection) {
  return Assignment(store, selection).run();
}

}  // namespace tracebraid
