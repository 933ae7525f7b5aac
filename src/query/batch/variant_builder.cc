#include "query/batch/variant_builder.h"

#include <utility>

namespace tracebraid {

// Children are found by the kind of a cell.
static_assert(static_cast<int>(Cell::Kind::Null) == 0 && static_cast<int>(Cell::Kind::Int) == 1 &&
              static_cast<int>(Cell::Kind::Real) == 2 && static_cast<int>(Cell::Kind::Text) == 3 &&
              static_cast<int>(Cell::Kind::Blob) == 4);

int32_t VariantBuilder::Texts::add(std::string_view text) {
  if (count == 0) ends.append(int32_t{0});
  bytes.append(text);
  ends.append(static_cast<int32_t>(bytes.size()));
  return count++;
}

ArrayData VariantBuilder::Texts::finish(DataType type) {
  if (count == 0) ends.append(int32_t{0});
  ArrayData array{.type = type, .length = static_cast<size_t>(std::exchange(count, 0))};
  array.values = ends.take();
  array.bytes = bytes.take();
  return array;
}

void VariantBuilder::add(const Cell& cell) {
  kinds_.append(static_cast<int8_t>(cell.kind));
  ++rows_;
  switch (cell.kind) {
    case Cell::Kind::Null:
      return offsets_.append(nulls_++);
    case Cell::Kind::Int:
      integers_.append(cell.integer);
      return offsets_.append(integer_count_++);
    case Cell::Kind::Real:
      reals_.append(cell.real);
      return offsets_.append(real_count_++);
    case Cell::Kind::Text:
      return offsets_.append(texts_.add(cell.text));
    case Cell::Kind::Blob:
      return offsets_.append(blobs_.add(cell.text));
  }
}

ArrayData VariantBuilder::finish() {
  const auto taken = [](int32_t& count) { return static_cast<size_t>(std::exchange(count, 0)); };
  ArrayData array{
      .type = DataType::Variant, .length = taken(rows_), .null_count = static_cast<size_t>(nulls_)};
  array.values = kinds_.take();
  array.offsets = offsets_.take();
  const size_t nulls = taken(nulls_);
  array.children.push_back({.type = DataType::Null, .length = nulls, .null_count = nulls});
  array.children.push_back({.type = DataType::Int64, .length = taken(integer_count_)});
  array.children.back().values = integers_.take();
  array.children.push_back({.type = DataType::Float64, .length = taken(real_count_)});
  array.children.back().values = reals_.take();
  array.children.push_back(texts_.finish(DataType::Utf8));
  array.children.push_back(blobs_.finish(DataType::Binary));
  return array;
}

size_t VariantBuilder::memory() const {
  return kinds_.size() + offsets_.size() + integers_.size() + reals_.size() + texts_.ends.size() +
         texts_.bytes.size() + blobs_.ends.size() + blobs_.bytes.size();
}

}  // namespace tracebraid
