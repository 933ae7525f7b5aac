#include "query/scan/table.h"

#include <algorithm>

namespace tracebraid {
namespace {

constexpr size_t kSampleRows = 1024;

std::shared_ptr<const std::vector<uint32_t>> sample_of(size_t rows) {
  const size_t size = std::min(rows, kSampleRows);
  std::vector<uint32_t> sample;
  for (size_t i = 0; i < size; ++i) sample.push_back(static_cast<uint32_t>(i * rows / size));
  return std::make_shared<const std::vector<uint32_t>>(std::move(sample));
}

}  // namespace

const RowIndex* ColumnStudy::build_index(const ColumnView& column, size_t rows,
                                         const StopCheck& stop) {
  const std::unique_lock lock(index_mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return nullptr;
  if (!built_) built_ = RowIndex::build(column, rows, stop);
  if (!built_) return nullptr;
  index_.store(&*built_, std::memory_order_release);
  return &*built_;
}

void ColumnStudy::add_ordered_index(OrderedIndex index) {
  const std::lock_guard lock(index_mutex_);
  OrderedIndexes list = ordered_lists_.empty() ? OrderedIndexes() : *ordered_lists_.back();
  const bool is_known = std::ranges::any_of(list, [&](const auto& known) {
    return std::ranges::equal(known->columns(), index.columns());
  });
  if (is_known) return;
  list.push_back(std::make_shared<const OrderedIndex>(std::move(index)));
  ordered_lists_.push_back(std::make_unique<const OrderedIndexes>(std::move(list)));
  ordered_.store(ordered_lists_.back().get(), std::memory_order_release);
}

void ColumnStudy::free_indexes(const std::function<bool(const OrderedIndex&)>& is_kept) {
  const std::lock_guard lock(index_mutex_);
  OrderedIndexes kept = ordered_lists_.empty() ? OrderedIndexes() : *ordered_lists_.back();
  std::erase_if(kept, [&](const auto& index) { return !is_kept(*index); });
  ordered_.store(nullptr, std::memory_order_release);
  ordered_lists_.clear();
  if (kept.empty()) {
    index_.store(nullptr, std::memory_order_release);
    built_.reset();
    return;
  }
  ordered_lists_.push_back(std::make_unique<const OrderedIndexes>(std::move(kept)));
  ordered_.store(ordered_lists_.back().get(), std::memory_order_release);
}

Table::Table(TableView table, const StringPool& strings)
    : view_(std::move(table)), strings_(&strings), sample_(sample_of(view_.rows)) {
  for (size_t i = 0; i < view_.columns.size(); ++i)
    studies_.push_back(std::make_shared<ColumnStudy>());
}

Table::Table(TableView view, const Table& base, std::span<const size_t> sources)
    : view_(std::move(view)), strings_(base.strings_), sample_(base.sample_) {
  for (const size_t source : sources) studies_.push_back(base.studies_[source]);
}

const ColumnView* Table::column(std::string_view name) const {
  const auto found = std::find_if(view_.columns.begin(), view_.columns.end(),
                                  [&](const ColumnView& column) { return column.name == name; });
  if (found != view_.columns.end()) return &*found;
  return name == kRowid.name ? &kRowid : nullptr;
}

bool is_searchable(const ColumnView& column) {
  if (column.type == CellType::RowNumber) return true;
  // NULLs are at different positions of sorted values, depending on the type; such columns are
  // scanned.
  return column.order == Order::Sorted &&
         (column.type == CellType::Int64 || column.type == CellType::UInt32 ||
          column.type == CellType::UInt8 || column.type == CellType::Computed);
}

}  // namespace tracebraid
