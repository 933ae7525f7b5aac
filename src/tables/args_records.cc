// Storage of arg sets.
#include <algorithm>
#include <cstring>
#include <tuple>

#include "tables/arg_bytes.h"
#include "tables/args_table.h"

namespace tracebraid {
namespace {

// Records lie within chunks of this size; a larger record has a chunk of its own.
constexpr unsigned kChunkBits = 16;
constexpr size_t kChunkBytes = size_t{1} << kChunkBits;

// Equal keys with values of other widths are another shape. After this many shapes, new ones have
// values of the full width.
constexpr size_t kMaxShapes = size_t{1} << 16;

void put_listed_first(std::vector<ArgField>& fields) {
  std::ranges::stable_partition(fields, [](const ArgField& field) { return !field.unlisted; });
}

}  // namespace

ArgRow ArgSet::operator[](size_t index) const {
  const ArgField& field = table_->fields_[first_field_ + index];
  if (parted_ == kNone) return arg_of(field, values_, index + 1 == count_);
  ArgRow row{};
  row.value = table_->value_of_part(field, parted_, place_);
  row.key = field.key;
  row.type = field.type;
  row.last = index + 1 == count_;
  return row;
}

ArgsTable::Record ArgsTable::record(std::span<const ArgRow> rows) {
  const bool is_wide = shapes_.size() >= kMaxShapes;
  new_fields_.clear();
  new_values_.resize(rows.size() * sizeof(int64_t));
  uint32_t at = 0;
  uint64_t hash = 0;
  bool has_unlisted = false;
  for (const ArgRow& row : rows) {
    const uint32_t bytes = is_wide ? 8 : uint32_t{1} << width_of(row.value);
    std::memcpy(new_values_.data() + at, &row.value, bytes);
    const ArgField field{row.key, at, row.type, static_cast<uint8_t>(bytes), row.unlisted};
    new_fields_.push_back(field);
    hash = mix_field(hash, field);
    has_unlisted |= row.unlisted;
    at += bytes;
  }
  const std::string_view values = std::string_view(new_values_).substr(0, at);
  if (!has_unlisted) return {shape_of(hash, new_fields_, at), values};
  put_listed_first(new_fields_);
  return {shape_of(new_fields_, at), values};
}

uint32_t ArgsTable::shape(std::span<const ArgField> fields, uint32_t bytes) {
  if (shapes_.size() >= kMaxShapes) return kNoShape;
  if (std::ranges::none_of(fields, &ArgField::unlisted)) return shape_of(fields, bytes);
  new_fields_.assign(fields.begin(), fields.end());
  put_listed_first(new_fields_);
  return shape_of(new_fields_, bytes);
}

uint32_t ArgsTable::shape_of(std::span<const ArgField> fields, uint32_t bytes) {
  uint64_t hash = 0;
  for (const ArgField& field : fields) hash = mix_field(hash, field);
  return shape_of(hash, fields, bytes);
}

uint32_t ArgsTable::shape_of(uint64_t hash, std::span<const ArgField> fields, uint32_t bytes) {
  const auto new_shape = static_cast<uint32_t>(shapes_.size());
  const auto [found, is_new] = shapes_by_hash_.try_emplace(hash, new_shape);
  for (uint32_t i = is_new ? ~uint32_t{0} : found->second; i != ~uint32_t{0}; i = shapes_[i].next) {
    const auto known =
        std::span(fields_).subspan(shapes_[i].first, shapes_[i].count + shapes_[i].unlisted);
    if (std::ranges::equal(known, fields)) return i;
  }
  const uint32_t next = is_new ? ~uint32_t{0} : std::exchange(found->second, new_shape);
  const auto unlisted =
      static_cast<uint32_t>(std::ranges::count(fields, true, &ArgField::unlisted));
  shapes_.push_back({static_cast<uint32_t>(fields_.size()),
                     static_cast<uint32_t>(fields.size()) - unlisted, unlisted, bytes, next,
                     kNone});
  fields_.insert(fields_.end(), fields.begin(), fields.end());
  return new_shape;
}

uint32_t ArgsTable::add_id(uint32_t number, const Shape& shape) {
  const size_t next_rowless = last_id_ - rowless_sets_.size();
  if (rows_ >= next_rowless) {
    ++dropped_sets_;
    return kNone;
  }
  const size_t first = rows_;
  rows_ += shape.count;
  if (shape.count == 0)
    rowless_sets_.append(number);
  else
    starts_.add(first);
  return static_cast<uint32_t>(shape.count == 0 ? next_rowless : first);
}

uint32_t ArgsTable::add(const Record& record) {
  const uint32_t set = sets();
  const size_t first_leaf = leaves();
  const Shape& shape = shapes_[record.shape];
  const uint32_t id = add_id(set, shape);
  if (id == kNone) return OptRow::kNull;
  shapes_of_sets_.append(record.shape);
  places_.append(static_cast<int64_t>(store(record.values)));
  if (shape.unlisted != 0) {
    unlisted_sets_.append(set);
    first_leaves_.append(static_cast<int64_t>(first_leaf));
    unlisted_rows_ += shape.unlisted;
  }
  return id;
}

uint32_t ArgsTable::add(ArgLayout& layout, std::span<const int64_t> values) {
  char bytes[16 * sizeof(int64_t)];
  uint32_t at = 0;
  uint32_t widths = 0;
  for (const int64_t value : values) {
    const unsigned width = width_of(value);
    std::memcpy(bytes + at, &value, sizeof value);
    at += uint32_t{1} << width;
    widths = widths << 2 | width;
  }
  if (widths != layout.last_widths_ || layout.last_shape_ == ~uint32_t{0}) {
    const auto [known, is_new] = layout.shapes_.try_emplace(widths);
    if (is_new) {
      std::vector<ArgRow> rows(values.size());
      for (size_t i = 0; i < values.size(); ++i) {
        rows[i].value = values[i];
        std::tie(rows[i].key, rows[i].type) = layout.args_[i];
      }
      known->second = record(rows).shape;
    }
    layout.last_widths_ = widths;
    layout.last_shape_ = known->second;
  }
  // Unless there are too many shapes, the shape has exactly the widths of the values.
  if (shapes_[layout.last_shape_].bytes == at) return add({layout.last_shape_, {bytes, at}});
  char wide[sizeof bytes];
  std::memcpy(wide, values.data(), values.size_bytes());
  return add({layout.last_shape_, {wide, values.size_bytes()}});
}

uint32_t ArgsTable::add_combinations(uint32_t width) {
  combinations_.push_back({width, {}});
  return static_cast<uint32_t>(combinations_.size() - 1);
}

uint32_t ArgsTable::add_combination(uint32_t combinations, std::span<const int64_t> values) {
  Combinations& to = combinations_[combinations];
  const auto number = static_cast<uint32_t>(to.values.size() / to.width);
  for (const int64_t value : values) to.values.append(value);
  return number;
}

uint32_t ArgsTable::add_parted_layout(std::span<const ArgPart> parts) {
  PartedLayout& made = parted_layouts_.emplace_back();
  made.shape = static_cast<uint32_t>(shapes_.size());
  Shape shape{static_cast<uint32_t>(fields_.size()),
              0,
              0,
              0,
              kNone,
              static_cast<uint32_t>(parted_layouts_.size() - 1)};
  for (const ArgPart& part : parts) {
    const auto number = static_cast<uint32_t>(made.parts.size());
    made.parts.push_back({part.combinations, {}});
    uint32_t at = number << kPartShift | part.skipped;
    for (const auto& [key, type] : part.args) fields_.push_back({key, at++, type, sizeof(int64_t)});
    shape.count += static_cast<uint32_t>(part.args.size());
  }
  shapes_.push_back(shape);
  return shape.parted;
}

uint32_t ArgsTable::add_parts(uint32_t layout, std::span<const int64_t> numbers) {
  const uint32_t set = sets();
  PartedLayout& to = parted_layouts_[layout];
  const uint32_t id = add_id(set, shapes_[to.shape]);
  if (id == kNone) return OptRow::kNull;
  shapes_of_sets_.append(to.shape);
  const auto place = static_cast<int64_t>(to.parts[0].numbers.size());
  to.firsts.append_repeated(place, set / kSetsOfBlock + 1 - to.firsts.size());
  places_.append(place - to.firsts[set / kSetsOfBlock]);
  for (size_t i = 0; i < numbers.size(); ++i) to.parts[i].numbers.append(numbers[i]);
  return id;
}

int64_t ArgsTable::value_of_part(const ArgField& field, uint32_t parted, size_t place) const {
  const PartedLayout::Part& part = parted_layouts_[parted].parts[field.at >> kPartShift];
  const int64_t number = part.numbers[place];
  if (part.combinations == ArgPart::kValue) return number;
  const Combinations& of = combinations_[part.combinations];
  const uint32_t at = field.at & ((uint32_t{1} << kPartShift) - 1);
  return of.values[static_cast<size_t>(number) * of.width + at];
}

int64_t ArgsTable::value_in(const ArgField& field, uint32_t parted, uint64_t place) const {
  if (parted != kNone) return value_of_part(field, parted, place);
  return load_value(values_at(place) + field.at, field.bytes);
}

bool ArgsTable::holds(uint32_t arg_set_id, const Record& record) const {
  const uint32_t set = number_of(arg_set_id);
  return static_cast<uint32_t>(shapes_of_sets_[set]) == record.shape &&
         std::memcmp(values_at(static_cast<uint64_t>(places_[set])), record.values.data(),
                     record.values.size()) == 0;
}

uint64_t ArgsTable::store(std::string_view values) {
  if (values.size() > chunk_left_) {
    const size_t size = std::max(values.size(), kChunkBytes);
    chunks_.push_back(own_bytes(size));
    chunk_left_ = kChunkBytes;
  }
  const size_t at = kChunkBytes - chunk_left_;
  std::memcpy(chunks_.back().get() + at, values.data(), values.size());
  chunk_left_ -= std::min(values.size(), chunk_left_);
  return (chunks_.size() - 1) << kChunkBits | at;
}

const char* ArgsTable::values_at(uint64_t place) const {
  return chunks_[place >> kChunkBits].get() + (place & (kChunkBytes - 1));
}

uint32_t ArgsTable::number_of_run(uint32_t run) const {
  uint32_t begin = 0, end = static_cast<uint32_t>(rowless_sets_.size());
  while (begin < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    if (rowless_sets_[middle] - middle <= run)
      begin = middle + 1;
    else
      end = middle;
  }
  return run + begin;
}

uint32_t ArgsTable::rowless_before(uint32_t set) const {
  uint32_t begin = 0, end = static_cast<uint32_t>(rowless_sets_.size());
  while (begin < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    if (rowless_sets_[middle] < int64_t{set})
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

size_t ArgsTable::first_row(uint32_t set) const {
  const uint32_t run = set - rowless_before(set);
  return run < starts_.runs() ? starts_.first_row(run) : rows_;
}

ArgSet ArgsTable::set(uint32_t arg_set_id) const {
  const uint32_t number = number_of(arg_set_id);
  return number == kNone ? ArgSet{} : numbered_set(number);
}

ArgSet ArgsTable::numbered_set(uint32_t number) const {
  ArgSet set;
  const Shape& shape = shape_of_set(number);
  set.table_ = this;
  set.first_field_ = shape.first;
  set.count_ = shape.count;
  const uint64_t place = place_of(shape, number, places_[number]);
  if (shape.parted == kNone) {
    set.values_ = values_at(place);
  } else {
    set.parted_ = shape.parted;
    set.place_ = place;
  }
  return set;
}

ArgRow ArgsTable::row(size_t row) const {
  return numbered_set(number_of_row(row))[row - starts_.first_row_of(row)];
}

std::pair<size_t, size_t> ArgsTable::rows_of_set(uint32_t arg_set_id) const {
  const uint32_t number = number_of(arg_set_id);
  if (number == kNone) return {0, 0};
  const uint32_t rows = shape_of_set(number).count;
  if (rows == 0) return {0, 0};
  return {arg_set_id, size_t{arg_set_id} + rows};
}

std::optional<ArgRow> ArgsTable::find(uint32_t arg_set_id, StringId key) const {
  const ArgSet args = set(arg_set_id);
  for (size_t i = 0; i < args.size(); ++i)
    if (keys[fields_[args.first_field_ + i].key].key == key) return args[i];
  return std::nullopt;
}

bool ArgsTable::find_integers(StringId key, std::span<int64_t> sets, std::span<bool> valid) const {
  // Most sets have the shape of the one before.
  uint32_t last_shape = kNone;
  const ArgField* field = nullptr;  // of `last_shape`; null: it has no such key
  for (size_t i = 0; i < sets.size(); ++i) {
    if (!valid[i]) continue;
    const bool is_id = sets[i] >= 0 && sets[i] < int64_t{OptRow::kNull};
    const uint32_t number = is_id ? number_of(static_cast<uint32_t>(sets[i])) : kNone;
    if (number == kNone) {
      valid[i] = false;
      continue;
    }
    const auto index = static_cast<uint32_t>(shapes_of_sets_[number]);
    const Shape& shape = shapes_[index];
    if (index != last_shape) {
      const std::span<const ArgField> fields = listed_fields(shape);
      const auto found =
          std::ranges::find_if(fields, [&](const ArgField& of) { return keys[of.key].key == key; });
      field = found == fields.end() ? nullptr : &*found;
      if (field != nullptr && (is_real_arg(field->type) || is_text_arg(field->type))) return false;
      if (field != nullptr && !is_integer_arg(field->type)) field = nullptr;  // NULL
      last_shape = index;
    }
    if (field == nullptr)
      valid[i] = false;
    else
      sets[i] = value_in(*field, shape.parted, place_of(shape, number, places_[number]));
  }
  return true;
}

size_t ArgsTable::memory() const {
  size_t bytes = 0;
  for (const PartedLayout& layout : parted_layouts_) {
    bytes += layout.firsts.memory();
    for (const PartedLayout::Part& part : layout.parts) bytes += part.numbers.memory();
  }
  for (const Combinations& of : combinations_) bytes += of.values.size() * sizeof(int64_t);
  bytes += unlisted_sets_.memory() + first_leaves_.memory();
  return bytes + shapes_of_sets_.memory() + places_.memory() + starts_.memory() +
         rowless_sets_.memory() + chunks_.size() * kChunkBytes +
         fields_.capacity() * sizeof(ArgField) +
         shapes_.capacity() * (sizeof(Shape) + 2 * sizeof(uint64_t));
}

}  // namespace tracebraid
