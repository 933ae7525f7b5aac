#include "merge/align/markers.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "base/fnv.h"
#include "event/event_kind.h"
#include "event/flow_join.h"
#include "merge/align/global_id.h"
#include "merge/align/hash.h"

namespace tracebraid::align {
namespace {

constexpr size_t kMostMarkers = 1 << 20;  // of a file
constexpr int64_t kMarkerFloorNs = 5'000;
constexpr size_t kLongestId = 256;           // bytes; of longer ids only these count
constexpr double kLeastRisingMarkers = 0.8;  // share of matches that rise in both recordings
constexpr std::array<std::string_view, 2> kMarkerNames{"tracebraid.sync", "clock_sync"};
constexpr std::array<std::string_view, 2> kIdKeys{"id", "sync_id"};

// Returns the key of an arg without the name of its group, such as args or debug.
std::string_view last_part(std::string_view key) {
  const size_t dot = key.rfind('.');
  return dot == key.npos ? key : key.substr(dot + 1);
}

class MarkerReader {
 public:
  MarkerReader(const FileToLocate& file, std::span<const BatchTrackers> batches, size_t first,
               UserMarkers& all)
      : batches_(batches), first_(first), all_(all), recordings_(file.file, all.recordings) {}

  void read() {
    for (size_t i = 0; i < batches_.size(); ++i) read_batch(first_ + i, batches_[i]);
  }

 private:
  void read_batch(size_t index, const BatchTrackers& batch) {
    batch_ = batch.batch;
    recordings_.begin(index, batch);
    std::array<StringId, kMarkerNames.size()> names;
    std::ranges::transform(kMarkerNames, names.begin(),
                           [&](std::string_view name) { return batch_->strings.find(name); });
    if (std::ranges::none_of(names, [](StringId name) { return static_cast<bool>(name); })) return;
    is_id_.clear();
    for (const ArgKey& key : batch_->args.keys)
      is_id_.push_back(std::ranges::find(kIdKeys, last_part(batch_->strings.get(key.key))) !=
                       kIdKeys.end());
    for (const Stream& stream : batch_->streams)
      for (const Event& event : stream.events)
        if (event.name && event.args != kNone && is_marker_kind(event.what()) &&
            std::ranges::find(names, event.name) != names.end())
          read_event(event);
  }

  static bool is_marker_kind(EventKind kind) {
    return kind == EventKind::Instant || kind == EventKind::Slice || kind == EventKind::SliceBegin;
  }

  void read_event(const Event& event) {
    const ClockName& clock = batch_->clocks[event.clock];
    UserMarker marker;
    marker.recording = recordings_.of(event.clock);
    if (marker.recording == kNone || read_ >= kMostMarkers || !read_id(event, marker) ||
        __builtin_mul_overflow(event.ts, clock.tick_ns, &marker.at))
      return;
    ++read_;
    all_.markers.push_back(std::move(marker));
  }

  bool read_id(const Event& event, UserMarker& marker) const {
    for (const ArgRow* at = &batch_->args.rows[event.args];; ++at) {
      if (is_id_[at->key]) {
        if (at->type == ArgType::Int || at->type == ArgType::Uint) {
          marker.id = at->type == ArgType::Int ? std::to_string(at->value)
                                               : std::to_string(static_cast<uint64_t>(at->value));
          marker.is_global = is_evidently_global(static_cast<uint64_t>(at->value));
        } else if (at->type == ArgType::String) {
          marker.id = batch_->strings.get({static_cast<uint32_t>(at->value)}).substr(0, kLongestId);
          marker.is_global = is_global_text(marker.id);
        }
        marker.key = mix(1, fnv1a(marker.id));
        if (!marker.id.empty()) return true;
      }
      if (at->last) return false;
    }
  }

  std::span<const BatchTrackers> batches_;
  size_t first_;
  UserMarkers& all_;
  const EventBatch* batch_ = nullptr;
  size_t read_ = 0;
  RecordingIndex recordings_;
  std::vector<bool> is_id_;  // by key of an arg
};

struct MarkerPair {
  const UserMarker *a, *b;
};
// By index of the recordings; the first has the later file.
using MarkerPairs = std::map<std::pair<uint32_t, uint32_t>, std::vector<MarkerPair>>;

// Sorts all markers once by id, so that recordings are never compared in pairs.
MarkerPairs pair_markers(const UserMarkers& all) {
  std::vector<const UserMarker*> sorted;
  for (const UserMarker& marker : all.markers) sorted.push_back(&marker);
  const auto file_of = [&](const UserMarker* m) { return all.recordings[m->recording].file; };
  std::ranges::sort(sorted, {}, [&](const UserMarker* m) {
    return std::tuple(m->key, std::string_view(m->id), file_of(m), m->recording, m->at);
  });
  MarkerPairs pairs;
  for (size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    while (end < sorted.size() && sorted[end]->id == sorted[begin]->id) ++end;
    const UserMarker* first = nullptr;
    for (size_t i = begin; i < end; ++i) {
      const bool is_repeated = (i > begin && file_of(sorted[i - 1]) == file_of(sorted[i])) ||
                               (i + 1 < end && file_of(sorted[i + 1]) == file_of(sorted[i]));
      if (is_repeated) continue;
      if (first == nullptr)
        first = sorted[i];
      else
        pairs[{sorted[i]->recording, first->recording}].push_back({sorted[i], first});
    }
  }
  return pairs;
}

class MarkerFitter {
 public:
  MarkerFitter(const Recording& a, const Recording& b, std::vector<MarkerPair> pairs,
               size_t reported)
      : pairs_(std::move(pairs)), reported_(reported) {
    const bool are_global = std::ranges::all_of(
        pairs_, [](const MarkerPair& p) { return p.a->is_global && p.b->is_global; });
    set_.kind = "markers";
    set_.match_class = are_global ? "id" : "counted";
    set_.evidence = EvidenceKind::Measured;
    set_.source = EvidenceSource::Markers;
    set_sides(a, b, set_);
    set_.candidates = static_cast<int64_t>(pairs_.size());
  }

  MatchSet fit(const Trackers& trackers) && {
    std::ranges::sort(pairs_, {},
                      [](const MarkerPair& p) { return std::tuple(p.a->at, p.a->key); });
    const Bases bases{pairs_.front().a->at, pairs_.front().b->at};
    std::vector<int64_t> of_b;
    for (const MarkerPair& pair : pairs_) of_b.push_back(pair.b->at);
    const auto rising = static_cast<double>(longest_rising(of_b));
    if (rising < kLeastRisingMarkers * static_cast<double>(pairs_.size()))
      return refuse(Reason::OutOfOrder);
    const std::vector<Moment> moments = take_moments(bases, pairs_);
    EqualOptions options{.floor_ns = kMarkerFloorNs};
    set_range(set_.a, trackers, bases, options);
    const EqualFit fit = fit_equal(moments, options);
    set_.outliers = static_cast<int64_t>(std::ranges::count(fit.is_outlier, true));
    set_.rate_ppb = ppb(fit.rate);
    const auto match_of = [&](size_t i) {
      const MarkerPair& pair = pairs_[i];
      return Match{.key = pair.a->id, .reading_a = pair.a->at, .reading_b = pair.b->at};
    };
    add_matches(pairs_.size(), fit, bases, reported_, match_of, set_);
    if (fit.reason != Reason::None) return refuse(fit.reason);
    set_.used = static_cast<int64_t>(fit.used);
    set_fit(fit.knots, bases, moments[moments.size() / 2].x, set_);
    return std::move(set_);
  }

 private:
  MatchSet refuse(Reason reason) {
    set_.reason = reason;
    return std::move(set_);
  }

  std::vector<MarkerPair> pairs_;
  size_t reported_;  // matches
  MatchSet set_;
};

}  // namespace

UserMarkers read_markers(std::span<const FileToLocate> files, const Trackers& trackers) {
  UserMarkers all;
  for_each_file(trackers, [&](size_t file, std::span<const BatchTrackers> batches, size_t first) {
    MarkerReader(files[file], batches, first, all).read();
  });
  return all;
}

std::vector<MatchSet> match_markers(const UserMarkers& all, const Trackers& trackers) {
  std::vector<MatchSet> sets;
  MarkerPairs pairs = pair_markers(all);
  const size_t reported = reported_matches(pairs.size());
  for (auto& [of, of_pair] : pairs)
    sets.push_back(MarkerFitter(all.recordings[of.first], all.recordings[of.second],
                                std::move(of_pair), reported)
                       .fit(trackers));
  return sets;
}

}  // namespace tracebraid::align
