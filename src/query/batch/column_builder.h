// ColumnBuilder: collects the values of a result column and returns an array for each batch.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/string_pool.h"
#include "column/column.h"
#include "query/batch/growing_buffer.h"
#include "query/batch/record_batch.h"
#include "query/batch/variant_builder.h"
#include "query/scan/scan.h"

namespace tracebraid {

class ColumnBuilder {
 public:
  // `type` is not Unknown. `most_text_bytes`: of the texts of a batch, and of a dictionary; at most
  // kMostTextBytes. `is_verbatim`: texts that are not UTF-8 stay so.
  explicit ColumnBuilder(DataType type, size_t most_text_bytes = kMostTextBytes,
                         bool is_verbatim = false)
      : type_(type), is_verbatim_(is_verbatim), most_text_bytes_(most_text_bytes) {}

  // The bytes that a cell takes as text at most, and those of one byte of a text.
  static size_t most_bytes_of(const Cell& cell);
  static constexpr size_t kMostBytesOfByte = 3;  // U+FFFD in place of it

  // Adds a cell. Returns false, and adds nothing, if the cell does not fit the type without loss,
  // or sets is_out_of_room(). Integers fit Float64 if it represents them exactly; all cells but
  // blobs fit Utf8, and all texts fit Binary. Invalid bytes of texts that are not UTF-8 become
  // U+FFFD.
  bool add(const Cell& cell);
  // Decodes rows of a stored column at once. Returns false as add() does.
  bool add_rows(const ColumnView& column, const StringPool& strings, const Scan::Rows& rows);
  // Adds integers, NULL unless valid[i]. Requires: the type is Int64.
  void add_integers(std::span<const int64_t> values, std::span<const bool> valid);
  // Returns whether a text did not fit after the others of the batch or into the dictionary. Do not
  // call finish() then.
  bool is_out_of_room() const { return is_out_of_room_; }
  // Returns whether the cell, or how many of the first rows, fit after the texts of the batch. Does
  // not consider the dictionary, because no batch has a new one.
  bool has_room(const Cell& cell) const;
  size_t rows_with_room(const ColumnView& column, const StringPool& strings,
                        const Scan::Rows& rows) const;
  // Adds to sizes[i] the bytes of the text in row i, before any of it is replaced; numbers that
  // become texts count as the longest one. Returns the sum over the rows.
  size_t add_text_sizes(const ColumnView& column, const StringPool& strings, const Scan::Rows& rows,
                        std::span<size_t> sizes);
  // Returns the values added since the last call.
  ArrayData finish();

  DataType type() const { return type_; }

  // Whether each batch has texts of its own.
  bool holds_texts() const { return has_offsets() || type_ == DataType::Variant; }
  size_t text_bytes() const {
    return type_ == DataType::Variant ? variant_.text_bytes() : bytes_.size();
  }
  // Returns the bytes that the builder holds.
  size_t memory() const;
  size_t invalid_texts() const { return invalid_texts_; }

 private:
  void mark(bool is_valid);
  void mark_all_valid(size_t count);
  void add_null();
  bool has_offsets() const { return type_ == DataType::Utf8 || type_ == DataType::Binary; }
  size_t room() const { return most_text_bytes_ - text_bytes(); }
  bool add_text(std::string_view text);
  // Returns -1 if the dictionary has no room.
  int32_t code_of(std::string_view text);
  int32_t append_entry(std::string_view text);
  // Adds StringIds and other integers; those equal to `null` are NULL.
  void add_integers(const ColumnView& column, const Scan::Rows& rows);
  bool add_codes(const ColumnView& column, const StringPool& strings, const Scan::Rows& rows);
  bool add_texts(const ColumnView& column, const StringPool& strings, const Scan::Rows& rows);
  void add_reals(const ColumnView& column, const Scan::Rows& rows);

  DataType type_;
  bool is_verbatim_;
  size_t most_text_bytes_;
  bool is_out_of_room_ = false;
  size_t rows_ = 0, nulls_ = 0;
  GrowingBuffer validity_, values_, bytes_;
  VariantBuilder variant_;
  std::vector<int64_t> scratch_;
  size_t invalid_texts_ = 0;

  // State of a Dictionary: its array so far, and the codes of strings by id, or by text.
  GrowingBuffer entry_ends_, entry_bytes_;
  int32_t entries_ = 0;
  std::vector<int32_t> codes_;                   // by StringId, -1: none yet
  StringPool texts_;                             // the id is the code
  std::shared_ptr<const ArrayData> dictionary_;  // of `dictionary_->length` entries
};

}  // namespace tracebraid
