// Reads the operations of ranks from the args of kernels.
#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "base/fnv.h"
#include "event/event_kind.h"
#include "merge/align/collectives.h"
#include "merge/align/hash.h"

namespace tracebraid::align {
namespace {

constexpr size_t kMostOperations = 1 << 20;  // of a file; of more, every n-th by key is used
constexpr size_t kMostUnnumbered = 1 << 16;  // operations of a file; of more, none is used
constexpr size_t kLongestSplits = 1 << 16;   // bytes
constexpr size_t kMostRanks = 1 << 16;       // of a group

enum Field : uint8_t {
  kName,
  kGroup,
  kRanks,
  kSize,
  kSeq,
  kComm,
  kIn,
  kOut,
  kInSplit,
  kOutSplit,
  kRank,
  kType,
  kExternal,
  kFields,
};
constexpr std::array<std::string_view, kFields> kKeys{"args.Collective name",
                                                      "args.Process Group Name",
                                                      "args.Process Group Ranks",
                                                      "args.Group size",
                                                      "args.Seq",
                                                      "args.Comms Id",
                                                      "args.In msg nelems",
                                                      "args.Out msg nelems",
                                                      "args.In split size",
                                                      "args.Out split size",
                                                      "args.Rank",
                                                      "args.dtype",
                                                      "args.External id"};

// The args of one event, and those of the host call that launched it. Owned by the batches.
struct Row {
  std::array<const ArgRow*, kFields> own{};
  const EventBatch* batch = nullptr;
  const Row* launch = nullptr;

  std::optional<int64_t> number(Field field) const {
    const auto [row, from] = find(field);
    if (row == nullptr || row->type != ArgType::Int) return std::nullopt;
    return row->value;
  }
  bool find_any(Field field) const { return find(field).first != nullptr; }
  std::string_view text(Field field) const {
    const auto [row, from] = find(field);
    if (row == nullptr || row->type != ArgType::String) return {};
    return from->strings.get({static_cast<uint32_t>(row->value)});
  }
  std::pair<const ArgRow*, const EventBatch*> find(Field field) const {
    if (own[field] != nullptr || launch == nullptr) return {own[field], batch};
    return {launch->own[field], launch->batch};
  }
};

// Whether `rank` is among "[0, 1, 5]"; nothing if the text is cut or is no list.
std::optional<bool> lists(std::string_view text, int64_t rank) {
  if (!text.starts_with('[') || !text.ends_with(']') || text.find("...") != text.npos)
    return std::nullopt;
  text = text.substr(1, text.size() - 2);
  for (size_t count = 0; !text.empty(); ++count) {
    const size_t comma = std::min(text.find(','), text.size());
    std::string_view item = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    while (item.starts_with(' ')) item.remove_prefix(1);
    int64_t value = 0;
    const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), value);
    if (error != std::errc() || end != item.data() + item.size() || count >= kMostRanks)
      return std::nullopt;
    if (value == rank) return true;
  }
  return false;
}

// Whether a list such as "[4, 0]" has a zero: then a rank need not wait for all others. Lists that
// are too long count as such.
bool has_zero(std::string_view splits) {
  if (splits.size() > kLongestSplits) return true;
  for (size_t at = 0; at < splits.size(); ++at) {
    const bool begins =
        splits[at] == '0' && (at == 0 || splits[at - 1] < '0' || splits[at - 1] > '9');
    if (begins && (at + 1 == splits.size() || splits[at + 1] < '0' || splits[at + 1] > '9'))
      return true;
  }
  return false;
}

// Whether no rank ends the operation before all have begun it.
bool waits_for_all(const Row& row) {
  const std::string_view name = row.text(kName);
  constexpr std::array<std::string_view, 8> kAll{"allreduce",  "all_reduce",     "allgather",
                                                 "all_gather", "reduce_scatter", "alltoall",
                                                 "all_to_all", "barrier"};
  if (std::ranges::none_of(kAll, [&](std::string_view all) { return name.find(all) != name.npos; }))
    return false;
  return !has_zero(row.text(kInSplit)) && !has_zero(row.text(kOutSplit));
}

// Collects the operations of one file.
class RankReader {
 public:
  RankReader(const FileToLocate& file, std::span<const BatchTrackers> batches, size_t first)
      : batches_(batches), first_(first) {
    recording_.file = file.file;
    for (const BatchTrackers& batch : batches) read_metadata(*batch.batch);
  }

  RankRecording read() && {
    for (const BatchTrackers& batch : batches_) read_batch(*batch.batch);
    for (const Found& found : is_host_only_ ? calls_ : kernels_) take(found);
    std::vector<Operation>& all = recording_.operations;
    const size_t stride = all.size() / kMostOperations + 1;
    if (stride > 1) std::erase_if(all, [&](const Operation& op) { return op.key % stride != 0; });
    std::vector<Operation>& others = recording_.unnumbered;
    if (!all.empty() || others.size() > kMostUnnumbered) others.clear();
    std::ranges::stable_sort(others, {}, &Operation::end);
    return std::move(recording_);
  }

 private:
  struct Found {
    const Event* event;
    Row row;
  };

  void read_metadata(const EventBatch& batch) {
    for (const Metadata& row : batch.metadata) {
      const std::string_view key = batch.strings.get(row.key);
      if (key == "json_distributedInfo.rank" && !row.is_text) recording_.rank = row.value;
      if (key == "json_distributedInfo.world_size" && !row.is_text)
        recording_.world_size = row.value;
      if (key == "json_distributedInfo.backend" && row.is_text)
        is_host_only_ = batch.strings.get(row.text) == "gloo";
    }
  }

  void read_batch(const EventBatch& batch) {
    if (!batch.strings.find(kKeys[kName])) return;
    fields_.clear();
    for (const ArgKey& key : batch.args.keys)
      fields_.push_back(static_cast<uint8_t>(std::ranges::find(kKeys, batch.strings.get(key.key)) -
                                             kKeys.begin()));
    const StringId kernel = batch.strings.find("kernel");
    for (const Stream& stream : batch.streams)
      for (const Event& event : stream.events)
        if (event.what() == EventKind::Slice && event.args != kNone)
          read_event(batch, event, event.category && event.category == kernel);
  }

  void read_event(const EventBatch& batch, const Event& event, bool is_kernel) {
    Row row{.batch = &batch};
    for (const ArgRow* at = &batch.args.rows[event.args];; ++at) {
      if (fields_[at->key] < kFields) row.own[fields_[at->key]] = at;
      if (at->last) break;
    }
    if (row.own[kName] == nullptr) return;
    if (is_kernel) return kernels_.push_back({&event, row});
    if (const auto external = row.number(kExternal)) launches_.try_emplace(*external, row);
    if (is_host_only_) calls_.push_back({&event, row});
    if (!recording_.rank) recording_.rank = row.number(kRank);
  }

  void take(const Found& found) {
    const Event& event = *found.event;
    Row row = found.row;
    if (const auto external = row.number(kExternal))
      if (const auto at = launches_.find(*external); at != launches_.end())
        row.launch = &at->second;
    if (!is_operation(row)) return;
    const ClockName& clock = row.batch->clocks[event.clock];
    if (recording_.operations.empty() && recording_.unnumbered.empty()) {
      clock_ = clock;
      const auto at = std::ranges::find(batches_, row.batch, &BatchTrackers::batch);
      recording_.side = {first_ + static_cast<size_t>(at - batches_.begin()), event.clock};
    }
    const std::optional<int64_t> number = row.number(kSeq);
    Operation op{.ranks = hash(row, kRanks),
                 .number = static_cast<uint64_t>(number.value_or(0)),
                 .ends_together = waits_for_all(row)};
    // Operations of one file have one clock.
    if (clock != clock_ || event.value <= 0 ||
        __builtin_mul_overflow(event.ts, clock.tick_ns, &op.start) ||
        __builtin_add_overflow(op.start, event.value, &op.end))
      return;
    const uint64_t comm = hash(row, kComm);
    const uint64_t scope = comm != 0 ? mix(2, comm) : mix(3, hash(row, kGroup));
    const uint64_t kind = fnv1a(row.text(kName));
    op.group = group_of(mix(scope, kind), row);
    if (number) {
      op.key = mix(mix(scope, op.number), kind);
      recording_.operations.push_back(op);
      return;
    }
    op.key = mix(mix(mix(3, hash(row, kGroup)), op.ranks), kind);
    for (const Field field : {kType, kIn, kOut}) op.key = mix(op.key, hash(row, field));
    recording_.unnumbered.push_back(op);
  }

  // Returns a hash of a number or a text; 0 without. Many rows share one text, which may be long.
  uint64_t hash(const Row& row, Field field) {
    const auto [arg, from] = row.find(field);
    if (arg == nullptr) return 0;
    if (arg->type == ArgType::Int || arg->type == ArgType::Uint)
      return hash_of_number(static_cast<uint64_t>(arg->value));
    if (arg->type != ArgType::String) return 0;
    const auto [at, added] = texts_.try_emplace({from, arg->value}, 0);
    if (added) at->second = fnv1a(row.text(field));
    return at->second;
  }

  uint32_t group_of(uint64_t hash, const Row& row) {
    std::vector<std::string>& groups = recording_.groups;
    const auto [at, added] = groups_.try_emplace(hash, static_cast<uint32_t>(groups.size()));
    if (added) {
      const std::string_view group = row.text(kGroup);
      groups.push_back(fmt::format("{}{}{}", group, group.empty() ? "" : " ", row.text(kName)));
    }
    return at->second;
  }

  // Whether the group holds the rank, and all ranks wait for each other, or, where operations are
  // not numbered, for the first one.
  bool is_operation(const Row& row) {
    const bool has_number = row.number(kSeq).has_value();
    if (has_number ? *row.number(kSeq) < 0 : row.find_any(kSeq)) return false;
    const bool has_group = hash(row, kGroup) != 0 && !row.text(kRanks).empty();
    const bool has_scope = has_group || (has_number && hash(row, kComm) != 0);
    if (!has_scope || row.number(kSize).value_or(2) < 2) return false;
    if (row.number(kIn) == 0 && row.number(kOut) == 0) return false;
    const bool is_broadcast = !has_number && row.text(kName) == "broadcast";
    return (waits_for_all(row) || is_broadcast) && (!recording_.rank || is_member(row));
  }

  // Whether the rank of the file is in the group. Many operations share one text.
  bool is_member(const Row& row) {
    const std::string_view text = row.text(kRanks);
    if (text.empty()) return true;
    const auto [at, added] = members_.try_emplace(hash(row, kRanks), true);
    if (added) at->second = lists(text, *recording_.rank).value_or(true);
    return at->second;
  }

  std::span<const BatchTrackers> batches_;  // of the file
  size_t first_;                            // index of the first one
  RankRecording recording_;
  ClockName clock_;
  bool is_host_only_ = false;                   // operations have no kernels
  std::vector<uint8_t> fields_;                 // by key of the batch
  absl::flat_hash_map<int64_t, Row> launches_;  // by External id
  std::vector<Found> kernels_, calls_;
  absl::flat_hash_map<uint64_t, bool> members_;
  absl::flat_hash_map<std::pair<const EventBatch*, int64_t>, uint64_t> texts_;  // hashes
  absl::flat_hash_map<uint64_t, uint32_t> groups_;
};

}  // namespace

std::vector<RankRecording> rank_recordings(std::span<const FileToLocate> files,
                                           const Trackers& trackers) {
  std::vector<RankRecording> found;
  for (size_t first = 0; first < trackers.batches.size();) {
    const size_t file = trackers.batches[first].file;
    const std::span<const BatchTrackers> batches = batches_of(file, trackers);
    RankRecording recording = RankReader(files[file], batches, first).read();
    if (!recording.operations.empty() || !recording.unnumbered.empty())
      found.push_back(std::move(recording));
    first += batches.size();
  }
  return found;
}

}  // namespace tracebraid::align
