// Reads the events of threads that several files have.
#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/fnv.h"
#include "base/words.h"
#include "event/event_kind.h"
#include "merge/align/hash.h"
#include "merge/align/program.h"

namespace tracebraid::align {
namespace {

constexpr size_t kMostEvents = 1 << 18;      // of a recording
constexpr size_t kLongestName = 128;         // bytes; of longer names only these count
constexpr uint32_t kOneFile = ~uint32_t{0};  // the thread is in one file only

// A thread, as its kernel numbers it.
using ThreadKey = std::pair<int64_t, int64_t>;  // pid, tid
struct ThreadUse {
  size_t first_file = 0;
  uint32_t number = kOneFile;  // by which events refer to it
};
using Threads = absl::flat_hash_map<ThreadKey, ThreadUse>;

Threads shared_threads(const Trackers& trackers) {
  Threads threads;
  uint32_t shared = 0;
  for (const BatchTrackers& batch : trackers.batches)
    for (const ThreadName& thread : batch.batch->threads) {
      if (thread.pid == kNoId || thread.tid == kNoId) continue;
      const auto [at, added] = threads.try_emplace({thread.pid, thread.tid}, ThreadUse{batch.file});
      if (!added && at->second.first_file != batch.file && at->second.number == kOneFile)
        at->second.number = shared++;
    }
  absl::erase_if(threads, [](const auto& of) { return of.second.number == kOneFile; });
  return threads;
}

// Returns a hash of the name, equal for the names that two recorders give one event.
uint64_t hash_of_name(std::string_view name) {
  std::string plain = in_lower_case(name.substr(0, kLongestName));
  plain.resize(std::min(plain.size(), plain.find_first_of("<(")));  // template and other arguments
  if (const size_t address = plain.find("0x"); address != plain.npos) plain.resize(address);
  for (const std::string_view prefix : {"__x64_", "__arm64_", "__se_", "__ia32_"})
    if (plain.starts_with(prefix)) plain.erase(0, prefix.size());
  if (plain.starts_with("sys_")) plain.erase(0, 4);
  return fnv1a(plain);
}

class ProgramReader {
 public:
  ProgramReader(const FileToLocate& file, std::span<const BatchTrackers> batches, size_t first,
                const Threads& threads, std::vector<ProgramRecording>& all)
      : batches_(batches),
        first_(first),
        threads_(threads),
        all_(all),
        index_(file.file, recordings_) {}

  void read() {
    std::optional<int64_t> rank;
    for (size_t i = 0; i < batches_.size(); ++i) {
      const EventBatch& batch = *batches_[i].batch;
      for (const Metadata& row : batch.metadata)
        if (!row.is_text && batch.strings.get(row.key) == "json_distributedInfo.rank")
          rank = row.value;
      read_batch(first_ + i, batches_[i]);
    }
    for (ProgramRecording& recording : found_) {
      if (recording.events.empty()) continue;
      recording.rank = rank;
      std::ranges::stable_sort(recording.events, {}, &NamedEvent::at);
      all_.push_back(std::move(recording));
    }
  }

 private:
  struct OfTrack {
    ThreadKey key;
    uint32_t thread = kOneFile;
  };

  void read_batch(size_t index, const BatchTrackers& batch) {
    batch_ = batch.batch;
    batch_index_ = static_cast<uint32_t>(index);
    tracks_.clear();
    bool has_shared = false;
    for (const TrackName& track : batch_->tracks) {
      OfTrack& of = tracks_.emplace_back();
      if (track.scope != TrackScope::Thread || track.owner >= batch_->threads.size()) continue;
      const ThreadName& thread = batch_->threads[track.owner];
      of.key = {thread.pid, thread.tid};
      if (const auto at = threads_.find(of.key); at != threads_.end())
        of.thread = at->second.number;
      has_shared |= of.thread != kOneFile;
    }
    if (!has_shared) return;
    index_.begin(index, batch);
    names_.clear();
    for (const Stream& stream : batch_->streams)
      for (const Event& event : stream.events)
        if (event.name && is_named_kind(event.what()) && event.track < tracks_.size() &&
            tracks_[event.track].thread != kOneFile)
          add(event, tracks_[event.track]);
  }

  static bool is_named_kind(EventKind kind) {
    return kind == EventKind::Slice || kind == EventKind::SliceBegin || kind == EventKind::Instant;
  }

  void add(const Event& event, const OfTrack& of) {
    const uint32_t row = index_.of(event.clock);
    NamedEvent named{.thread = of.thread, .batch = batch_index_, .name = event.name};
    if (row == kNone ||
        __builtin_mul_overflow(event.ts, batch_->clocks[event.clock].tick_ns, &named.at))
      return;
    const auto [name, is_new] = names_.try_emplace(event.name.row, 0);
    if (is_new) name->second = hash_of_name(batch_->strings.get(event.name));
    named.symbol =
        mix(mix(mix(1, static_cast<uint64_t>(of.key.first)), static_cast<uint64_t>(of.key.second)),
            name->second);
    while (found_.size() <= row) found_.push_back({.of = recordings_[found_.size()]});
    ProgramRecording& recording = found_[row];
    if (named.symbol % recording.stride != 0) return;
    recording.events.push_back(named);
    if (recording.events.size() <= kMostEvents) return;
    recording.stride *= 2;
    std::erase_if(recording.events,
                  [&](const NamedEvent& e) { return e.symbol % recording.stride != 0; });
  }

  std::span<const BatchTrackers> batches_;
  size_t first_;
  const Threads& threads_;
  std::vector<ProgramRecording>& all_;
  std::vector<Recording> recordings_;
  RecordingIndex index_;
  std::vector<ProgramRecording> found_;  // by recording
  const EventBatch* batch_ = nullptr;
  uint32_t batch_index_ = 0;
  std::vector<OfTrack> tracks_;                    // by track of the batch
  absl::flat_hash_map<uint32_t, uint64_t> names_;  // hashes by string of the batch
};

}  // namespace

std::vector<ProgramRecording> read_programs(std::span<const FileToLocate> files,
                                            const Trackers& trackers) {
  std::vector<ProgramRecording> all;
  if (trackers.all.size() < 2) return all;
  const Threads threads = shared_threads(trackers);
  if (threads.empty()) return all;
  for_each_file(trackers, [&](size_t file, std::span<const BatchTrackers> batches, size_t first) {
    ProgramReader(files[file], batches, first, threads, all).read();
  });
  return all;
}

}  // namespace tracebraid::align
