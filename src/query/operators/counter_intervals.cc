#include "query/operators/counter_intervals.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/core.h>

#include <algorithm>

#include "query/operators/operator_function.h"
#include "query/operators/result_table.h"
#include "query/scan/stoppable_sort.h"
#include "query/scan/value.h"

namespace tracebraid {
namespace {

struct Sample {
  int64_t id, ts;
  double value;
};

// The samples of each track, in the order of the first samples of the tracks.
struct CounterTracks {
  static constexpr const char* kPointerName = "COUNTER_TRACK_PARTITIONS";
  explicit CounterTracks(QueryMemory* of) : memory(of) {}
  std::vector<int64_t> tracks;
  std::vector<std::vector<Sample>> samples;  // by ts
  OperatorMemory memory;
};

// __intrinsic_counter_per_track_agg(id, ts, track_id, value)
class CounterAggregate {
 public:
  explicit CounterAggregate(const OperatorContext& context)
      : context_(context), tracks_(std::make_unique<CounterTracks>(context.memory)) {}

  Result<> add(Arguments arguments) {
    const int64_t track = sqlite3_value_int64(arguments[2]);
    const auto [entry, is_new] = numbers_.try_emplace(track, tracks_->tracks.size());
    if (is_new) {
      tracks_->tracks.push_back(track);
      tracks_->samples.emplace_back();
    }
    constexpr size_t kRowsPerCheck = 4096;
    if (rows_++ % kRowsPerCheck == 0)
      TB_TRY(tracks_->memory.take(kRowsPerCheck * 2 * sizeof(Sample)));
    tracks_->samples[entry->second].push_back({sqlite3_value_int64(arguments[0]),
                                               sqlite3_value_int64(arguments[1]),
                                               sqlite3_value_double(arguments[3])});
    return {};
  }
  Result<> finish(sqlite3_context* context) {
    const auto is_before = [](const Sample& a, const Sample& b) { return a.ts < b.ts; };
    for (std::vector<Sample>& samples : tracks_->samples)
      if (!std::ranges::is_sorted(samples, is_before) &&
          !stable_sort(samples, is_before, *context_.stop))
        return tl::unexpected(context_.stop->error());
    set_pointer(context, std::shared_ptr<const CounterTracks>(std::move(tracks_)));
    return {};
  }

 private:
  const OperatorContext& context_;
  std::unique_ptr<CounterTracks> tracks_;
  absl::flat_hash_map<int64_t, size_t> numbers_;
  size_t rows_ = 0;
};

// Each sample as the interval up to the next one of its track.
class CounterIntervals final : public ResultTable {
 public:
  CounterIntervals(std::shared_ptr<const CounterTracks> tracks, int64_t trace_end)
      : ResultTable({"id", "ts", "dur", "track_id", "value", "next_value", "delta_value"}),
        tracks_(std::move(tracks)),
        trace_end_(trace_end) {
    for (const std::vector<Sample>& samples : tracks_->samples)
      starts_.push_back(starts_.back() + samples.size());
  }

  size_t rows() const override { return starts_.back(); }
  Cell cell(size_t row, size_t column) const override {
    if (row < starts_[track_] || row >= starts_[track_ + 1])
      track_ = static_cast<size_t>(std::ranges::upper_bound(starts_, row) - starts_.begin()) - 1;
    const std::vector<Sample>& samples = tracks_->samples[track_];
    const size_t at = row - starts_[track_];
    const Sample& sample = samples[at];
    const bool is_last = at + 1 == samples.size();
    switch (column) {
      case 0:
        return Cell::of(sample.id);
      case 1:
        return Cell::of(sample.ts);
      case 2: {
        int64_t dur = 0;
        const int64_t end = is_last ? trace_end_ : samples[at + 1].ts;
        return __builtin_sub_overflow(end, sample.ts, &dur) ? Cell::null() : Cell::of(dur);
      }
      case 3:
        return Cell::of(tracks_->tracks[track_]);
      case 4:
        return Cell::of(sample.value);
      case 5:
        return is_last ? Cell::null() : Cell::of(samples[at + 1].value);
      default:
        return at == 0 ? Cell::null() : Cell::of(sample.value - samples[at - 1].value);
    }
  }

 private:
  std::shared_ptr<const CounterTracks> tracks_;
  int64_t trace_end_;
  std::vector<size_t> starts_ = {0};  // of the tracks
  mutable size_t track_ = 0;          // of the row that was read last
};

// __intrinsic_counter_intervals('leading', trace_end, tracks)
Result<> counter_intervals(sqlite3_context* context, OperatorContext& operators,
                           Arguments arguments) {
  const Cell kind = cell_of(arguments[0]);
  if (kind.text != "leading")
    return fail(ErrorCode::Sql,
                fmt::format("interval intersect: '{}' is not implemented", kind.text));
  auto tracks = pointer_of<CounterTracks>(arguments[2]);
  // An aggregate without rows is NULL.
  if (tracks == nullptr) {
    auto none = std::make_shared<CounterTracks>(operators.memory);
    none->tracks.push_back(0);
    none->samples.emplace_back();
    tracks = std::move(none);
  }
  set_pointer<ResultTable>(
      context, std::make_shared<const CounterIntervals>(
                   std::move(tracks), int64_t{sqlite3_value_int64(arguments[1])}));
  return {};
}

}  // namespace

Result<> add_counter_intervals(OperatorContext& context) {
  TB_TRY(add_operator_aggregate<CounterAggregate>(context, "__intrinsic_counter_per_track_agg", 4));
  return add_operator_function<counter_intervals>(context, "__intrinsic_counter_intervals", 3);
}

}  // namespace tracebraid
