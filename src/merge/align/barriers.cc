#include "merge/align/barriers.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <string>
#include <utility>

#include "merge/align/call_args.h"
#include "merge/align/mpi.h"
#include "merge/align/recording.h"

namespace tracebraid::align {
namespace {

constexpr size_t kMostBarriers = 1 << 18;  // of a file

enum BarrierField : uint8_t {
  kBarrierName,
  kBarrierGeneration,
  kBarrierParties,
  kBarrierRank,
  kBarrierComm,
  kBarrierFields
};
constexpr ArgName kBarrierNames[] = {
    {"barrier", kBarrierName},    {"barrierid", kBarrierName},   {"generation", kBarrierGeneration},
    {"parties", kBarrierParties}, {"commsize", kBarrierParties}, {"worldsize", kBarrierParties},
    {"rank", kBarrierRank},       {"comm", kBarrierComm},
};

class BarrierReader {
 public:
  BarrierReader(const FileToLocate& file, std::span<const BatchTrackers> batches, size_t first)
      : batches_(batches), first_(first) {
    recording_.file = file.file;
    for (const BatchTrackers& batch : batches)
      for (const Metadata& row : batch.batch->metadata) {
        const std::string_view key = batch.batch->strings.get(row.key);
        if (row.is_text) continue;
        if (key == "json_distributedInfo.rank") recording_.rank = row.value;
        if (key == "json_distributedInfo.world_size") recording_.world_size = row.value;
      }
  }

  RankRecording read() && {
    for (size_t i = 0; i < batches_.size(); ++i) read_batch(first_ + i);
    std::vector<Operation>& others = recording_.unnumbered;
    std::ranges::stable_sort(others, {}, &Operation::end);
    if (has_init_ && has_finalize_ && others.size() == of_mpi_) number_all();
    if (!recording_.operations.empty()) others.clear();
    if (recording_.operations.size() > kMostBarriers || others.size() > kMostBarriers ||
        has_two_ranks_)
      return {};
    return std::move(recording_);
  }

 private:
  // The file has all calls of MPI: the n-th barrier is that of all ranks.
  void number_all() {
    for (Operation& op : recording_.unnumbered) {
      op.number = recording_.operations.size();
      op.key = mix(op.key, op.number);
      recording_.operations.push_back(op);
    }
  }

  void read_batch(size_t index) {
    batch_ = batches_[index - first_].batch;
    args_.begin(*batch_);
    index_ = index;
    const StringId barrier = batch_->strings.find("MPI_Barrier");
    init_ = {batch_->strings.find("MPI_Init"), batch_->strings.find("MPI_Init_thread")};
    finalize_ = batch_->strings.find("MPI_Finalize");
    const bool has_mpi = barrier || init_[0] || init_[1] || finalize_;
    if (!has_mpi && !args_.has(kBarrierName)) return;
    for (const Stream& stream : batch_->streams)
      for_each_slice(*batch_, stream, [&](const Event& event, int64_t begin, int64_t end) {
        read_slice(event, event.name && event.name == barrier, begin, end);
      });
  }

  void read_slice(const Event& event, bool is_mpi, int64_t begin, int64_t end) {
    if (event.name) {
      has_init_ = has_init_ || event.name == init_[0] || event.name == init_[1];
      has_finalize_ = has_finalize_ || event.name == finalize_;
    }
    args_.read(event);
    const bool is_named = args_.found(kBarrierName);
    if ((!is_mpi && !is_named) || begin >= end) return;
    note_rank();
    const std::optional<int64_t> parties = args_.number(kBarrierParties);
    if (!is_named && !is_world(args_.text(kBarrierComm), args_.number(kBarrierComm), parties,
                               recording_.world_size))
      return;
    Operation op{.start = begin, .end = end};
    op.key = is_named ? mix(1, args_.hash(kBarrierName)) : 2;
    if (!take_clock(event.clock)) return;
    op.group = group_of(op.key, is_named ? args_.text(kBarrierName) : "MPI_Barrier");
    const std::optional<int64_t> generation = args_.number(kBarrierGeneration);
    if (is_named && generation && *generation >= 0) {
      op.number = static_cast<uint64_t>(*generation);
      op.key = mix(op.key, op.number);
      recording_.operations.push_back(op);
      return;
    }
    of_mpi_ += is_named ? 0 : 1;
    recording_.unnumbered.push_back(op);
  }

  void note_rank() {
    if (const auto rank = args_.number(kBarrierRank)) {
      has_two_ranks_ = has_two_ranks_ || (recording_.rank && recording_.rank != rank);
      recording_.rank = rank;
    }
    if (const auto parties = args_.number(kBarrierParties); parties && !recording_.world_size)
      recording_.world_size = parties;
  }

  // Barriers of one file have one clock.
  bool take_clock(uint32_t clock) {
    const ClockName& name = batch_->clocks[clock];
    if (name.domain == kTraceTime) return false;
    if (!clock_) {
      clock_ = name;
      recording_.side = {index_, clock};
    }
    return *clock_ == name;
  }

  uint32_t group_of(uint64_t key, std::string_view name) {
    const auto [at, added] =
        groups_.try_emplace(key, static_cast<uint32_t>(recording_.groups.size()));
    if (added) recording_.groups.emplace_back(name.empty() ? "barrier" : name);
    return at->second;
  }

  std::span<const BatchTrackers> batches_;  // of the file
  size_t first_, index_ = 0;
  RankRecording recording_;
  const EventBatch* batch_ = nullptr;
  CallArgs<kBarrierFields> args_{kBarrierNames};
  std::array<StringId, 2> init_;
  StringId finalize_;
  std::optional<ClockName> clock_;
  bool has_init_ = false, has_finalize_ = false, has_two_ranks_ = false;
  size_t of_mpi_ = 0;  // barriers
  absl::flat_hash_map<uint64_t, uint32_t> groups_;
};

}  // namespace

std::vector<RankRecording> read_barriers(std::span<const FileToLocate> files,
                                         const Trackers& trackers) {
  std::vector<RankRecording> found;
  for_each_file(trackers, [&](size_t file, std::span<const BatchTrackers> batches, size_t first) {
    RankRecording recording = BarrierReader(files[file], batches, first).read();
    if (!recording.operations.empty() || !recording.unnumbered.empty())
      found.push_back(std::move(recording));
  });
  return found;
}

}  // namespace tracebraid::align
