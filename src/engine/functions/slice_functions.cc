// Table functions that follow slices and flows (spec sql-dialect 3.7, 3.8).
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <unordered_set>

#include "base/time.h"
#include "engine/functions/slice_index.h"
#include "engine/functions/table_functions.h"

namespace tracebraid {
namespace {

constexpr size_t kChunkRows = 4096;

// Rows of a raw table; subclasses select the next rows.
class RowsOfTable : public TableFunctionRows {
 public:
  // `is_numbered`: the first column is the number of the row in the result.
  RowsOfTable(std::shared_ptr<const TableView> table, const Store& store, bool is_numbered)
      : store_(store), table_(std::move(table)), is_numbered_(is_numbered) {}

  Result<> call(std::span<const Cell> arguments) final {
    rows_.clear();
    made_ = 0;
    start_.reset();
    const Cell& id = arguments[0];
    if (id.kind == Cell::Kind::Null) return {};
    if (id.kind != Cell::Kind::Int) return fail(ErrorCode::Sql, "start id should be an integer.");
    if (id.integer < 0 || id.integer >= static_cast<int64_t>(store_.slices.rows()))
      return fail(ErrorCode::Sql, unknown_slice(id.integer));
    start_ = static_cast<uint32_t>(id.integer);
    return begin(*start_);
  }
  Result<size_t> next_chunk() final {
    made_ += static_cast<int64_t>(rows_.size());
    rows_.clear();
    if (!start_) return 0;
    PacedStopCheck check(stop == nullptr ? never_ : *stop);
    if (!choose_rows(rows_, check)) return tl::unexpected(check.error());
    return rows_.size();
  }
  Cell cell(size_t row, size_t column) const final {
    if (is_numbered_ && column == 0) return Cell::of(made_ + static_cast<int64_t>(row));
    return tracebraid::cell(table_->columns[column], rows_[row], store_.strings);
  }

 protected:
  virtual Result<> begin(uint32_t slice) = 0;
  // Appends some rows; none at the end. Returns false if stopped.
  virtual bool choose_rows(std::vector<uint32_t>& rows, PacedStopCheck& check) = 0;
  virtual std::string unknown_slice(int64_t id) const {
    return fmt::format("no row with id {}", id);
  }

  const Store& store_;

 private:
  std::shared_ptr<const TableView> table_;
  bool is_numbered_;
  std::vector<uint32_t> rows_;
  int64_t made_ = 0;  // rows of earlier chunks
  std::optional<uint32_t> start_;
  StopCheck never_;
};

// Calls visit(row) for each parent, innermost first. Depth decreases from child to parent, so this
// ends even if a damaged braid has a cycle.
template <class Visit>
void for_each_ancestor(const SliceTable& slices, uint32_t slice, Visit visit) {
  for (uint32_t row = slice;;) {
    const uint32_t parent = slices.parent_id[row].row;
    if (parent >= slices.rows() || slices.depth[parent] >= slices.depth[row]) return;
    visit(parent);
    row = parent;
  }
}

class Ancestors final : public RowsOfTable {
 public:
  using RowsOfTable::RowsOfTable;

 private:
  Result<> begin(uint32_t slice) override {
    slice_ = slice;
    return {};
  }
  bool choose_rows(std::vector<uint32_t>& rows, PacedStopCheck&) override {
    if (!slice_) return true;
    for_each_ancestor(store_.slices, *slice_, [&](uint32_t row) { rows.push_back(row); });
    std::ranges::reverse(rows);
    slice_.reset();
    return true;
  }
  std::optional<uint32_t> slice_;
};

// Visits the slices of a track below one of them.
class DescendantWalk {
 public:
  DescendantWalk(const SliceTable& slices, const SliceIndex& index, uint32_t slice)
      : slices_(&slices), track_(index.slices_of_track(slices.track_id[slice])), top_(slice) {
    const auto ts = slices.ts[slice];
    const auto first = std::ranges::lower_bound(
        track_, ts, {}, [&](uint32_t row) -> int64_t { return slices.ts[row]; });
    track_ = track_.subspan(static_cast<size_t>(first - track_.begin()));
  }
  // Appends up to `most` rows; fewer at the end. Returns false if stopped.
  bool append(size_t most, std::vector<uint32_t>& rows, PacedStopCheck& check) {
    const int64_t end = end_of(top_);
    const uint32_t depth = slices_->depth[top_];
    for (; most != 0 && !track_.empty(); track_ = track_.subspan(1)) {
      if (check.stopped()) return false;
      const uint32_t row = track_.front();
      if (slices_->ts[row] > end) {
        track_ = {};
        return true;
      }
      if (slices_->depth[row] <= depth || end_of(row) > end) continue;
      rows.push_back(row);
      --most;
    }
    return true;
  }

 private:
  // Open slices never end.
  int64_t end_of(uint32_t row) const {
    if (slices_->dur[row] < 0) return INT64_MAX;
    return add(TraceTime{slices_->ts[row]}, Duration{slices_->dur[row]})
        .value_or(TraceTime{INT64_MAX})
        .ns;
  }

  const SliceTable* slices_;
  std::span<const uint32_t> track_;
  uint32_t top_;
};

class Descendants final : public RowsOfTable {
 public:
  Descendants(std::shared_ptr<const TableView> table, const Store& store,
              std::shared_ptr<SliceIndexes> indexes)
      : RowsOfTable(std::move(table), store, false), indexes_(std::move(indexes)) {}

 private:
  Result<> begin(uint32_t slice) override {
    const SliceIndex* const index = indexes_->tracks(stop);
    if (index == nullptr) return tl::unexpected(stop->error());
    walk_.emplace(store_.slices, *index, slice);
    return {};
  }
  bool choose_rows(std::vector<uint32_t>& rows, PacedStopCheck& check) override {
    return walk_->append(kChunkRows, rows, check);
  }

  std::shared_ptr<SliceIndexes> indexes_;
  std::optional<DescendantWalk> walk_;
};

enum class FlowSearch : uint8_t { Following, Preceding, DirectlyConnected };

// Searches breadth first. A slice that was reached along a flow is followed in that direction only.
// Relatives of relatives are those of the first slice, so they are not searched again.
class ConnectedFlows final : public RowsOfTable {
 public:
  ConnectedFlows(std::shared_ptr<const TableView> table, const Store& store,
                 std::shared_ptr<SliceIndexes> indexes, FlowSearch search)
      : RowsOfTable(std::move(table), store, true), indexes_(std::move(indexes)), search_(search) {}

 private:
  enum class Via : uint8_t { Start, Out, In, Relative };
  struct Visit {
    uint32_t slice;
    Via via;
  };

  Result<> begin(uint32_t slice) override {
    waiting_.clear();
    known_.clear();
    tracks_ = indexes_->tracks(stop);
    flows_ = tracks_ == nullptr ? nullptr : indexes_->flows(stop);
    if (flows_ == nullptr) return tl::unexpected(stop->error());
    reach(slice, Via::Start);
    return {};
  }
  bool choose_rows(std::vector<uint32_t>& rows, PacedStopCheck& check) override {
    while (!waiting_.empty() && rows.size() < kChunkRows) {
      if (check.stopped()) return false;
      const Visit visit = waiting_.front();
      waiting_.pop_front();
      if (visit.via != Via::Relative && !reach_relatives(visit.slice, check)) return false;
      if (search_ != FlowSearch::Following && visit.via != Via::Out)
        follow(flows_->flows_in(visit.slice), store_.flows.slice_out, Via::In, rows);
      if (search_ != FlowSearch::Preceding && visit.via != Via::In)
        follow(flows_->flows_out(visit.slice), store_.flows.slice_in, Via::Out, rows);
    }
    return true;
  }
  std::string unknown_slice(int64_t id) const override {
    return fmt::format("invalid slice id {}", id);
  }

  void reach(uint32_t slice, Via via) {
    if (known_.insert(slice).second) waiting_.push_back({slice, via});
  }
  void follow(std::span<const uint32_t> flows, const PackedColumn<uint32_t>& ends, Via via,
              std::vector<uint32_t>& rows) {
    for (const uint32_t flow : flows) {
      rows.push_back(flow);
      if (ends[flow] < store_.slices.rows()) reach(ends[flow], via);
    }
  }
  bool reach_relatives(uint32_t slice, PacedStopCheck& check) {
    const auto add = [this](uint32_t row) { reach(row, Via::Relative); };
    if (search_ == FlowSearch::Preceding) for_each_ancestor(store_.slices, slice, add);
    if (search_ != FlowSearch::Following) return true;
    std::vector<uint32_t> below;
    if (!DescendantWalk(store_.slices, *tracks_, slice).append(SIZE_MAX, below, check))
      return false;
    std::ranges::for_each(below, add);
    return true;
  }

  std::shared_ptr<SliceIndexes> indexes_;
  FlowSearch search_;
  const SliceIndex* tracks_ = nullptr;  // of indexes_
  const FlowIndex* flows_ = nullptr;
  std::deque<Visit> waiting_;
  std::unordered_set<uint32_t> known_;
};

std::vector<TableFunction::Column> columns_of(const TableView& table) {
  std::vector<TableFunction::Column> columns;
  for (const ColumnView& column : table.columns)
    columns.push_back({column.name, column.sql_type, column.about});
  return columns;
}

}  // namespace

// The functions share indexes of the store, each of which is built once, by the first call that
// needs it.
std::vector<TableFunction> slice_functions(const Store& store) {
  const auto slices = std::make_shared<const TableView>(store.slices.view());
  const auto flows = std::make_shared<const TableView>(store.flows.view());
  const auto indexes = std::make_shared<SliceIndexes>(store);
  const std::vector<TableFunction::Parameter> slice_id = {
      {"slice_id", "LONG", "Row of slice; NULL gives no rows."}};
  const std::vector<std::string_view> reads = {SliceTable::kName, FlowTable::kName};

  std::vector<TableFunction> functions = {
      {"ancestor_slice",
       "The slices around a slice, outermost first.",
       slice_id,
       columns_of(*slices),
       [=, &store] { return std::make_unique<Ancestors>(slices, store, false); },
       {SliceTable::kName},
       true},
      {"descendant_slice",
       "The slices within a slice, on its track, by id.",
       slice_id,
       columns_of(*slices),
       [=, &store] { return std::make_unique<Descendants>(slices, store, indexes); },
       {SliceTable::kName},
       true},
  };
  std::vector<TableFunction::Column> flow_columns = columns_of(*flows);
  flow_columns[0].about = "Number of the row in the result.";
  const auto add_flows = [&](std::string_view name, std::string_view about, FlowSearch search) {
    functions.push_back(
        {name, about, slice_id, flow_columns,
         [=, &store] { return std::make_unique<ConnectedFlows>(flows, store, indexes, search); },
         reads, true});
  };
  add_flows("following_flow",
            "The flows from a slice and its descendants, from the slices they reach, and so on.",
            FlowSearch::Following);
  add_flows("preceding_flow",
            "The flows to a slice and its ancestors, to the slices they come from, and so on.",
            FlowSearch::Preceding);
  add_flows("directly_connected_flow",
            "The flows from and to a slice, and on from the slices they reach.",
            FlowSearch::DirectlyConnected);
  return functions;
}

}  // namespace tracebraid
