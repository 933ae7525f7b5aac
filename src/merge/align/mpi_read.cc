// Reads calls of MPI from slices and their args.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "merge/align/call_args.h"
#include "merge/align/mpi.h"

namespace tracebraid::align {
namespace {

constexpr size_t kMostMpiCalls = 1 << 20;  // of a file

enum MpiField : uint8_t {
  kMpiTag,
  kMpiTo,
  kMpiFrom,
  kMpiComm,
  kMpiCommSize,
  kMpiCount,
  kMpiBytes,
  kMpiRank,
  kMpiFields
};
constexpr ArgName kMpiNames[] = {
    {"tag", kMpiTag},           {"dest", kMpiTo},     {"source", kMpiFrom}, {"comm", kMpiComm},
    {"commsize", kMpiCommSize}, {"count", kMpiCount}, {"bytes", kMpiBytes}, {"rank", kMpiRank}};

enum class MpiFunction : uint8_t { None, Init, Finalize, Send, Receive, BeginReceive, Collective };

// In other collectives, such as MPI_Bcast, a rank need not wait for all. MPI_Alltoallv may have
// empty parts.
constexpr std::pair<std::string_view, MpiFunction> kMpiFunctions[] = {
    {"MPI_Init", MpiFunction::Init},
    {"MPI_Init_thread", MpiFunction::Init},
    {"MPI_Finalize", MpiFunction::Finalize},
    {"MPI_Send", MpiFunction::Send},
    {"MPI_Ssend", MpiFunction::Send},
    {"MPI_Rsend", MpiFunction::Send},
    {"MPI_Bsend", MpiFunction::Send},
    {"MPI_Isend", MpiFunction::Send},
    {"MPI_Issend", MpiFunction::Send},
    {"MPI_Irsend", MpiFunction::Send},
    {"MPI_Ibsend", MpiFunction::Send},
    {"MPI_Recv", MpiFunction::Receive},
    {"MPI_Irecv", MpiFunction::BeginReceive},
    {"MPI_Barrier", MpiFunction::Collective},
    {"MPI_Allreduce", MpiFunction::Collective},
    {"MPI_Allgather", MpiFunction::Collective},
    {"MPI_Alltoall", MpiFunction::Collective},
    {"MPI_Reduce_scatter_block", MpiFunction::Collective},
};

class MpiReader {
 public:
  MpiReader(const FileToLocate& file, std::span<const BatchTrackers> batches, size_t first,
            MpiCalls& all)
      : file_(file.file),
        batches_(batches),
        first_(first),
        all_(all),
        recordings_(file.file, all.recordings) {
    for (const BatchTrackers& batch : batches)
      for (const Metadata& row : batch.batch->metadata) {
        const std::string_view key = batch.batch->strings.get(row.key);
        if (row.is_text || !key.starts_with("json_distributedInfo.")) continue;
        if (key.ends_with(".rank")) rank_ = row.value;
        if (key.ends_with(".world_size")) world_size_ = row.value;
      }
  }

  void read() {
    const size_t before = all_.calls.size();
    for (size_t i = 0; i < batches_.size(); ++i) read_batch(first_ + i, batches_[i]);
    // A part of the calls of a channel has no order.
    if (all_.calls.size() - before > kMostMpiCalls || has_two_ranks_) all_.calls.resize(before);
    if (all_.calls.size() == before) return;
    all_.files[file_.row] = {*rank_, world_size_, has_init_ && has_finalize_};
    std::stable_sort(all_.calls.begin() + static_cast<ptrdiff_t>(before), all_.calls.end(),
                     [](const MpiCall& a, const MpiCall& b) {
                       return std::pair(a.recording, a.begin) < std::pair(b.recording, b.begin);
                     });
  }

 private:
  void read_batch(size_t index, const BatchTrackers& batch) {
    batch_ = batch.batch;
    functions_.clear();
    // Most batches have no call: their events are not read.
    for (const auto& [name, function] : kMpiFunctions)
      if (const StringId id = batch_->strings.find(name)) functions_.emplace_back(id, function);
    if (functions_.empty()) return;
    args_.begin(*batch_);
    recordings_.begin(index, batch);
    // MPI_Init may be in a batch without args.
    for (const Stream& stream : batch_->streams) {
      const auto is_mpi = [&](const Event& event) {
        const EventKind kind = event.what();
        return (kind == EventKind::Slice || kind == EventKind::SliceBegin) &&
               function_of(event.name) != MpiFunction::None;
      };
      if (!std::ranges::any_of(stream.events, is_mpi)) continue;
      for_each_slice(*batch_, stream, [&](const Event& event, int64_t begin, int64_t end) {
        if (const MpiFunction function = function_of(event.name); function != MpiFunction::None)
          read_call(function, event, begin, end);
      });
    }
  }

  MpiFunction function_of(StringId name) const {
    for (const auto& [id, function] : functions_)
      if (id == name) return function;
    return MpiFunction::None;
  }

  void read_call(MpiFunction function, const Event& event, int64_t begin, int64_t end) {
    has_init_ = has_init_ || function == MpiFunction::Init;
    has_finalize_ = has_finalize_ || function == MpiFunction::Finalize;
    args_.read(event);
    if (const auto rank = args_.number(kMpiRank)) {
      has_two_ranks_ = has_two_ranks_ || (rank_ && *rank_ != *rank);
      rank_ = rank;
    }
    MpiCall call{.recording = recordings_.of(event.clock), .begin = begin, .end = end};
    if (function >= MpiFunction::Send && call.recording != kNone && rank_ &&
        describe(function, event, call))
      all_.calls.push_back(call);
  }

  // Sets role, channel and size; false without the other rank, or in a part of the ranks.
  bool describe(MpiFunction function, const Event& event, MpiCall& call) const {
    if (!is_world(args_.text(kMpiComm), args_.number(kMpiComm), args_.number(kMpiCommSize),
                  world_size_))
      return false;
    if (function == MpiFunction::Collective) {
      call.role = MpiCall::Role::Collective;
      call.channel = 1;
      // Ranks may state the sizes of their own parts.
      call.what = fnv1a(batch_->strings.get(event.name));
      return true;
    }
    const bool is_send = function == MpiFunction::Send;
    const std::optional<int64_t> other = args_.number(is_send ? kMpiTo : kMpiFrom);
    if (!other || *other < 0 || *other == *rank_) return false;
    const int64_t from = is_send ? *rank_ : *other, to = is_send ? *other : *rank_;
    call.role = is_send ? MpiCall::Role::Send : MpiCall::Role::Receive;
    call.has_end = function != MpiFunction::BeginReceive;
    call.channel = mix(mix(mix(2, static_cast<uint64_t>(from)), static_cast<uint64_t>(to)),
                       args_.hash(kMpiTag));
    // The buffer of a receive may be larger than the message, but its bytes are those received.
    if (const auto bytes = args_.number(kMpiBytes))
      call.what = mix(3, static_cast<uint64_t>(*bytes));
    return true;
  }

  FileId file_;
  std::span<const BatchTrackers> batches_;
  size_t first_;
  MpiCalls& all_;
  const EventBatch* batch_ = nullptr;
  RecordingIndex recordings_;
  CallArgs<kMpiFields> args_{kMpiNames};
  std::optional<int64_t> rank_, world_size_;
  bool has_init_ = false, has_finalize_ = false, has_two_ranks_ = false;
  std::vector<std::pair<StringId, MpiFunction>> functions_;  // names in the batch
};

}  // namespace

bool is_world(std::string_view text, std::optional<int64_t> number, std::optional<int64_t> size,
              std::optional<int64_t> world_size) {
  constexpr int64_t kMpichWorld = 0x44000000;
  if (in_lower_case(text).find("world") != std::string::npos || number == kMpichWorld) return true;
  return size && size == world_size;
}

MpiCalls read_mpi(std::span<const FileToLocate> files, const Trackers& trackers) {
  MpiCalls all;
  for_each_file(trackers, [&](size_t file, std::span<const BatchTrackers> batches, size_t first) {
    MpiReader(files[file], batches, first, all).read();
  });
  return all;
}

}  // namespace tracebraid::align
