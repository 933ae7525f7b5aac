// Table functions that arrange slices for display (spec sql-dialect 3.9).
#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/time.h"
#include "engine/functions/computed_rows.h"
#include "engine/functions/slice_index.h"
#include "engine/functions/table_functions.h"
#include "query/scan/stoppable_sort.h"

namespace tracebraid {
namespace {

// Open slices never end.
int64_t end_of(const SliceTable& slices, uint32_t row) {
  if (slices.dur[row] < 0) return std::numeric_limits<int64_t>::max();
  return add(TraceTime{slices.ts[row]}, Duration{slices.dur[row]})
      .value_or(TraceTime{std::numeric_limits<int64_t>::max()})
      .ns;
}

// experimental_slice_layout: places each tree of slices in the first band of rows that is free.
class SliceLayout final : public ComputedFunctionRows {
 public:
  SliceLayout(const Store& store, std::shared_ptr<SliceIndexes> indexes)
      : store_(store), indexes_(std::move(indexes)) {}

  Cell cell(size_t row, size_t column) const override {
    return Cell::of(int64_t{column == 0 ? rows_[row] : depths_[row]});
  }

 private:
  struct Tree {
    int64_t begin, end;
    uint32_t height;  // rows
    uint32_t top = 0;
  };

  Result<size_t> compute(std::span<const Cell> arguments) override {
    rows_.clear();
    depths_.clear();
    if (arguments[0].kind != Cell::Kind::Text) return 0;
    const SliceIndex* const index = indexes_->tracks(stop);
    if (index == nullptr) return tl::unexpected(stop->error());
    const StopCheck never;
    const StopCheck& checked = stop == nullptr ? never : *stop;
    PacedStopCheck check(checked);
    for (const uint32_t track : tracks_of(arguments[0].text)) {
      const std::span<const uint32_t> of_track = index->slices_of_track(track);
      if (check.stopped(1 + of_track.size())) return tl::unexpected(checked.error());
      rows_.insert(rows_.end(), of_track.begin(), of_track.end());
    }
    if (!stable_sort(rows_, std::less<>(), checked)) return tl::unexpected(checked.error());
    TB_TRY(make_trees(check));
    TB_TRY(place_trees(checked));
    depths_.reserve(rows_.size());
    const auto add_depths = [this](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i)
        depths_.push_back(trees_[tree_of_[i]].top + store_.slices.depth[rows_[i]]);
    };
    if (!for_each_block(rows_.size(), checked, add_depths)) return tl::unexpected(checked.error());
    return rows_.size();
  }

  static std::vector<uint32_t> tracks_of(std::string_view list) {
    std::vector<uint32_t> tracks;
    while (!list.empty()) {
      const size_t comma = std::min(list.find(','), list.size());
      std::string_view number = list.substr(0, comma);
      number.remove_prefix(std::min(number.find_first_not_of(' '), number.size()));
      uint32_t track = 0;
      if (std::from_chars(number.data(), number.data() + number.size(), track).ec == std::errc())
        tracks.push_back(track);
      list.remove_prefix(std::min(comma + 1, list.size()));
    }
    std::ranges::sort(tracks);
    tracks.erase(std::unique(tracks.begin(), tracks.end()), tracks.end());
    return tracks;
  }

  // Parents precede their children.
  Result<> make_trees(PacedStopCheck& check) {
    const SliceTable& slices = store_.slices;
    trees_.clear();
    tree_of_.clear();
    // Memory for all slices, because a map or a list that grows moves its values without a check.
    absl::flat_hash_map<uint32_t, uint32_t> trees;  // by slice
    trees.reserve(rows_.size());
    tree_of_.reserve(rows_.size());
    for (const uint32_t row : rows_) {
      if (check.stopped()) return tl::unexpected(check.error());
      const auto parent = trees.find(slices.parent_id[row].row);
      uint32_t tree = 0;
      if (parent != trees.end()) {
        tree = parent->second;
      } else {
        tree = static_cast<uint32_t>(trees_.size());
        trees_.push_back({slices.ts[row], end_of(slices, row), 0});
      }
      trees.emplace(row, tree);
      trees_[tree].end = std::max(trees_[tree].end, end_of(slices, row));
      trees_[tree].height = std::max(trees_[tree].height, slices.depth[row] + 1);
      tree_of_.push_back(tree);
    }
    return {};
  }

  Result<> place_trees(const StopCheck& checked) {
    PacedStopCheck check(checked);
    std::vector<const Tree*> open;  // by `top`
    std::vector<Tree*> order;
    order.reserve(trees_.size());
    for (Tree& tree : trees_) order.push_back(&tree);
    const auto is_before = [](const Tree* a, const Tree* b) { return a->begin < b->begin; };
    if (!stable_sort(order, is_before, checked)) return tl::unexpected(checked.error());
    for (Tree* const next : order) {
      if (check.stopped(1 + open.size())) return tl::unexpected(check.error());
      Tree& tree = *next;
      std::erase_if(open, [&](const Tree* other) { return other->end <= tree.begin; });
      auto behind = open.begin();
      for (; behind != open.end() && tree.top + tree.height > (*behind)->top; ++behind)
        tree.top = std::max(tree.top, (*behind)->top + (*behind)->height);
      open.insert(behind, &tree);
    }
    return {};
  }

  const Store& store_;
  std::shared_ptr<SliceIndexes> indexes_;
  std::vector<uint32_t> rows_, depths_, tree_of_;
  std::vector<Tree> trees_;
};

// experimental_flat_slice: the innermost slice of each track at each moment.
class FlatSlices final : public ComputedFunctionRows {
 public:
  FlatSlices(const Store& store, std::shared_ptr<SliceIndexes> indexes)
      : store_(store), indexes_(std::move(indexes)) {}

  Cell cell(size_t row, size_t column) const override {
    const Piece& piece = pieces_[row / kChunkPieces][row % kChunkPieces];
    const auto text = [&](StringId id) {
      return id ? Cell::of(store_.strings.get(id)) : Cell::null();
    };
    const bool is_gap = piece.slice == kGap;
    switch (column) {
      case 0:
        return Cell::of(static_cast<int64_t>(row));
      case 1:
        return Cell::of(piece.ts);
      case 2:
        return Cell::of(piece.dur);
      case 3:
        return Cell::of(int64_t{piece.track});
      case 4:
        return is_gap ? Cell::null() : text(store_.slices.category[piece.slice]);
      case 5:
        return is_gap ? Cell::null() : text(store_.slices.name[piece.slice]);
      case 6: {
        if (is_gap) return Cell::null();
        const auto args = store_.slices.arg_set_id[piece.slice];
        return args.row == decltype(args)::kNull ? Cell::null() : Cell::of(int64_t{args.row});
      }
      case 7:
        return is_gap ? Cell::null() : Cell::of(int64_t{piece.slice});
      case 8:
        return Cell::of(start_);
      default:
        return Cell::of(end_);
    }
  }

 private:
  static constexpr uint32_t kGap = ~uint32_t{0};
  static constexpr size_t kChunkPieces = size_t{1} << 16;
  struct Piece {
    int64_t ts, dur;
    uint32_t track, slice;
  };

  Result<size_t> compute(std::span<const Cell> arguments) override {
    pieces_.clear();
    if (arguments[0].kind != Cell::Kind::Int)
      return fail(ErrorCode::Sql, "start timestamp must be an integer");
    if (arguments[1].kind != Cell::Kind::Int)
      return fail(ErrorCode::Sql, "end timestamp must be an integer");
    start_ = arguments[0].integer;
    end_ = arguments[1].integer;
    const SliceIndex* const index = indexes_->tracks(stop);
    if (index == nullptr) return tl::unexpected(stop->error());
    const StopCheck never;
    PacedStopCheck check(stop == nullptr ? never : *stop);
    for (uint32_t track = 0; track < store_.tracks.rows(); ++track)
      TB_TRY(flatten(track, index->slices_of_track(track), check));
    return pieces_.empty() ? 0 : (pieces_.size() - 1) * kChunkPieces + pieces_.back().size();
  }

  void add(int64_t until, uint32_t track, uint32_t slice) {
    if (until > at_ || (slice == kGap && (at_ == start_ || at_ == end_))) {
      if (pieces_.empty() || pieces_.back().size() == kChunkPieces)
        pieces_.emplace_back().reserve(pieces_.size() == 1 ? 0 : kChunkPieces);
      pieces_.back().push_back({at_, until - at_, track, slice});
    }
    at_ = std::max(at_, until);
  }

  Result<> flatten(uint32_t track, std::span<const uint32_t> of_track, PacedStopCheck& check) {
    if (check.stopped()) return tl::unexpected(check.error());
    const SliceTable& slices = store_.slices;
    std::vector<uint32_t> open;  // innermost last
    bool any = false;
    at_ = start_;
    // Ends the slices that end up to `ts`.
    const auto end_slices = [&](int64_t ts) {
      while (!open.empty() && end_of(slices, open.back()) <= ts) {
        add(std::max(end_of(slices, open.back()), at_), track, open.back());
        open.pop_back();
      }
    };
    for (const uint32_t row : of_track) {
      if (check.stopped()) return tl::unexpected(check.error());
      const int64_t ts = slices.ts[row], end = end_of(slices, row);
      if (ts >= end_) break;
      if (end <= start_ || ts == end) continue;  // instants cover no moment
      const int64_t begin = std::max(ts, start_);
      end_slices(begin);
      // The first slice of a track always has a gap before it, perhaps an empty one.
      if (!any || begin > at_) add(begin, track, open.empty() ? kGap : open.back());
      any = true;
      open.push_back(row);
    }
    if (!any) return {};
    end_slices(end_);
    if (!open.empty())
      add(end_, track, open.back());
    else
      add(end_, track, kGap);
    return {};
  }

  const Store& store_;
  std::shared_ptr<SliceIndexes> indexes_;
  int64_t start_ = 0, end_ = 0;
  int64_t at_ = 0;  // end of the last piece
  // In chunks, because a list that grows moves its values without a check.
  std::vector<std::vector<Piece>> pieces_;
};

}  // namespace

std::vector<TableFunction> layout_functions(const Store& store) {
  const auto indexes = std::make_shared<SliceIndexes>(store);
  constexpr SqlType kInteger = SqlType::Integer, kText = SqlType::Text;
  return {
      {"experimental_slice_layout",
       "Rows that keep the trees of slices of several tracks apart.",
       {{"track_ids", "STRING", "Rows of track, separated by commas."}},
       {{"id", kInteger, "Row of slice."}, {"layout_depth", kInteger, "Row to show it in."}},
       [=, &store] { return std::make_unique<SliceLayout>(store, indexes); },
       {SliceTable::kName}},
      {"experimental_flat_slice",
       "The innermost slice of each track at each moment of a time range, and the gaps.",
       {{"start_ts", "TIMESTAMP", "Start of the range, ns."},
        {"end_ts", "TIMESTAMP", "End of the range, ns."}},
       {{"id", kInteger, "Number of the row in the result."},
        {"ts", kInteger, "Start, ns."},
        {"dur", kInteger, "Duration, ns."},
        {"track_id", kInteger, "Row of track."},
        {"category", kText, "Category of the slice."},
        {"name", kText, "Name of the slice; NULL in a gap."},
        {"arg_set_id", kInteger, "Args of the slice."},
        {"source_id", kInteger, "Row of slice; NULL in a gap."},
        {"start_bound", kInteger, "Start of the range, ns."},
        {"end_bound", kInteger, "End of the range, ns."}},
       [=, &store] { return std::make_unique<FlatSlices>(store, indexes); },
       {SliceTable::kName}},
  };
}

}  // namespace tracebraid
