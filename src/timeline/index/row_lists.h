// RowLists: for each line of a table, the rows of its events in order.
//
// In: the owner of each row of a table in order of time, and its depth. Out: lists of rows. Called
// by timeline/tracks; timeline/index/line_index.h makes starts and lengths of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/workers.h"
#include "timeline/index/packed_rows.h"

namespace tracebraid::timeline {

// The owners and depths of the rows of a table. A line is one pair of owner and depth. The
// functions may be called by several threads.
struct LineKeys {
  static constexpr uint32_t kNoOwner = ~uint32_t{0};  // a row of no line

  size_t rows = 0;
  size_t owners = 0;  // owners are smaller, except kNoOwner
  std::function<void(size_t first, std::span<uint32_t> owners)> read_owners;
  std::function<void(size_t first, std::span<uint32_t> depths)> read_depths = {};  // none: all 0
};

// Immutable after its construction.
class RowLists {
 public:
  RowLists() = default;
  // Two passes over the table, in parallel. The result does not depend on the number of threads.
  // Holds 4 bytes a row more while it runs.
  RowLists(const LineKeys& keys, Workers& workers);

  // Lines of an owner are numbered from first_line(owner) on, by depth.
  size_t lines() const { return begins_.size() == 0 ? 0 : begins_.size() - 1; }
  size_t first_line(size_t owner) const { return first_lines_[owner]; }
  size_t lines_of(size_t owner) const { return first_lines_[owner + 1] - first_lines_[owner]; }
  // Rows of a line are at positions begin(line) to begin(line + 1) - 1 of rows().
  size_t begin(size_t line) const { return begins_[line]; }
  size_t size_of(size_t line) const { return begins_[line + 1] - begins_[line]; }
  size_t events_of(size_t owner) const {
    return begins_[first_lines_[owner + 1]] - begins_[first_lines_[owner]];
  }
  const PackedRows& rows() const { return rows_; }
  // Returns the place of a row in its line. Requires: the row is on this line.
  size_t place_of(size_t line, uint32_t row) const;

  size_t memory() const;  // bytes, without those of a file

  // Writes the lists as parts, of which there are parts().
  Result<> write(PartSink& sink) const;
  size_t parts() const { return 2 + PackedRows::parts_of(rows_.size()); }
  // Returns lists that view parts that write() wrote; nothing if they are malformed or not of a
  // table with so many rows and owners. The parts outlive the lists.
  static std::optional<RowLists> view(std::span<const std::string_view> parts, const LineKeys& keys,
                                      Workers& workers);

 private:
  size_t owned_bytes_ = 0;
  Column<uint32_t> first_lines_;  // by owner, and the number of lines
  Column<uint32_t> begins_;       // by line, and the number of rows
  PackedRows rows_;
};

}  // namespace tracebraid::timeline
