#include "timeline/index/row_lists.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "base/pages.h"
#include "timeline/index/stored_values.h"

namespace tracebraid::timeline {
namespace {

constexpr size_t kBatch = 1024;
constexpr size_t kSmallestRange = size_t{1} << 16;

// The batches of a range of rows: owners and depths.
struct KeyBatch {
  std::array<uint32_t, kBatch> owners, depths{};
  size_t size = 0;
};

template <class Each>
void for_each_batch(const LineKeys& keys, size_t begin, size_t end, Each each) {
  const auto batch = std::make_unique<KeyBatch>();
  for (size_t first = begin; first < end; first += kBatch) {
    batch->size = std::min(kBatch, end - first);
    keys.read_owners(first, std::span(batch->owners).first(batch->size));
    if (keys.read_depths) keys.read_depths(first, std::span(batch->depths).first(batch->size));
    each(first, *batch);
  }
}

// Divides the rows so that each thread has a range, and the counters of all ranges stay small.
struct Ranges {
  size_t rows, count;
  Ranges(size_t of, unsigned threads)
      : rows(of), count(std::clamp<size_t>(of / kSmallestRange, 1, threads)) {}
  size_t begin(size_t range) const { return rows * range / count; }
};

std::vector<uint32_t> lines_by_owner(const LineKeys& keys, const Ranges& ranges, Workers& workers) {
  std::vector<std::vector<uint32_t>> by_range(ranges.count);
  workers.run(ranges.count, [&](size_t range) {
    std::vector<uint32_t>& lines = by_range[range];
    lines.resize(keys.owners);
    for_each_batch(keys, ranges.begin(range), ranges.begin(range + 1),
                   [&](size_t, const KeyBatch& batch) {
                     for (size_t i = 0; i < batch.size; ++i)
                       if (const uint32_t owner = batch.owners[i]; owner < lines.size())
                         lines[owner] = std::max(lines[owner], batch.depths[i] + 1);
                   });
  });
  std::vector<uint32_t> firsts(keys.owners + 1);
  for (size_t owner = 0; owner < keys.owners; ++owner) {
    uint32_t most = 0;
    for (const std::vector<uint32_t>& lines : by_range) most = std::max(most, lines[owner]);
    // More lines than rows can have come of a damaged file.
    if (uint64_t{firsts[owner]} + most > std::numeric_limits<uint32_t>::max())
      throw std::bad_alloc();
    firsts[owner + 1] = firsts[owner] + most;
  }
  return firsts;
}

}  // namespace

RowLists::RowLists(const LineKeys& keys, Workers& workers) {
  const Ranges ranges(keys.rows, workers.threads());
  std::vector<uint32_t> first_lines = lines_by_owner(keys, ranges, workers);
  const size_t lines = first_lines.back();
  // The next position of each line, by range.
  std::vector<std::vector<uint32_t>> places(ranges.count);
  const auto for_each_row = [&](size_t range, auto each) {
    for_each_batch(keys, ranges.begin(range), ranges.begin(range + 1),
                   [&](size_t first, const KeyBatch& batch) {
                     for (size_t i = 0; i < batch.size; ++i)
                       if (const uint32_t owner = batch.owners[i]; owner < keys.owners)
                         each(first_lines[owner] + batch.depths[i], first + i);
                   });
  };
  workers.run(ranges.count, [&](size_t range) {
    places[range].resize(lines);
    for_each_row(range, [&](size_t line, size_t) { ++places[range][line]; });
  });
  std::vector<uint32_t> begins(lines + 1);
  uint32_t next = 0;
  for (size_t line = 0; line < lines; ++line) {
    begins[line] = next;
    for (std::vector<uint32_t>& of_range : places) {
      const uint32_t count = of_range[line];
      of_range[line] = next;
      next += count;
    }
  }
  begins[lines] = next;
  // Rows go to thousands of lines in turn: small pages would need an address translation each time.
  const auto placed = std::make_unique_for_overwrite<uint32_t[]>(next);
  prefer_huge_pages(placed.get(), next * sizeof(uint32_t));
  workers.run(ranges.count, [&](size_t range) {
    std::vector<uint32_t>& at = places[range];
    for_each_row(range,
                 [&](size_t line, size_t row) { placed[at[line]++] = static_cast<uint32_t>(row); });
  });
  places.clear();
  rows_ = PackedRows({placed.get(), next}, workers);
  owned_bytes_ = (first_lines.size() + begins.size()) * sizeof(uint32_t);
  first_lines_.take(std::move(first_lines));
  begins_.take(std::move(begins));
}

size_t RowLists::place_of(size_t line, uint32_t row) const {
  size_t low = begins_[line], high = begins_[line + 1];
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (rows_[middle] < row)
      low = middle + 1;
    else
      high = middle;
  }
  return low - begins_[line];
}

size_t RowLists::memory() const { return owned_bytes_ + rows_.memory(); }

Result<> RowLists::write(PartSink& sink) const {
  TB_TRY(append_part(sink, first_lines_.values()));
  TB_TRY(append_part(sink, begins_.values()));
  return rows_.write(sink);
}

std::optional<RowLists> RowLists::view(std::span<const std::string_view> parts,
                                       const LineKeys& keys, Workers& workers) {
  RowLists lists;
  if (parts.size() < 2 || !view_part(parts[0], lists.first_lines_) ||
      !view_part(parts[1], lists.begins_))
    return std::nullopt;
  const std::span<const uint32_t> first_lines = lists.first_lines_.values();
  const std::span<const uint32_t> begins = lists.begins_.values();
  if (first_lines.size() != keys.owners + 1 || first_lines.front() != 0 ||
      begins.size() != size_t{first_lines.back()} + 1 || begins.front() != 0 ||
      begins.back() > keys.rows || !std::ranges::is_sorted(first_lines) ||
      !std::ranges::is_sorted(begins))
    return std::nullopt;
  std::optional<PackedRows> rows =
      PackedRows::view(parts.subspan(2), begins.back(), static_cast<uint32_t>(keys.rows), workers);
  if (!rows) return std::nullopt;
  lists.rows_ = *std::move(rows);
  return lists;
}

}  // namespace tracebraid::timeline
