#include "assemble/args/args_builder.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <string>
#include <utility>

#include "assemble/args/arg_conflicts.h"
#include "tables/arg_bytes.h"
#include "tables/packed_args.h"

namespace tracebraid {
namespace {

// Searches for equal sets among as many as fit into the processor's cache. In larger traces most
// sets occur once, and a read of main memory per set would take most of the time.
constexpr size_t kMaxSlots = size_t{1} << 19;
// After this many probes one of the probed sets is replaced; below the limit of slots none is.
constexpr size_t kMaxProbes = 16;
constexpr size_t max_probes(size_t slots) { return slots < kMaxSlots ? slots : kMaxProbes; }

// Values of shape_maps_: a shape not seen yet, and a shape whose sets must be built arg by arg.
constexpr uint32_t kUnknownShape = ~uint32_t{0};
constexpr uint32_t kNotCopied = kUnknownShape - 1;

// The position of an array element in its key: `array` [ `index` ] `rest`.
struct Element {
  std::string_view array;
  int64_t index = 0;
  std::string_view rest;
};

// Finds the outermost array in a key: where the key first differs from its flat form.
bool find_element(std::string_view flat_key, std::string_view key, Element& element) {
  const auto differs = std::mismatch(flat_key.begin(), flat_key.end(), key.begin(), key.end());
  const auto bracket = static_cast<size_t>(differs.second - key.begin());
  if (bracket >= key.size() || key[bracket] != '[') return false;
  const char* digits = key.data() + bracket + 1;
  const char* end = key.data() + key.size();
  const auto [stop, error] = std::from_chars(digits, end, element.index);
  if (error != std::errc() || stop == end || *stop != ']') return false;
  element.array = key.substr(0, bracket);
  element.rest = std::string_view(stop + 1, end);
  return true;
}

}  // namespace

std::span<const ArgRow> ArgSourceList::rows(ArgSource set, std::vector<ArgRow>& unpacked) const {
  if (!set) return {};
  const ArgSets& source = *all[set.source];
  if (source.is_packed) {
    if (set.first >= source.rows.size()) return {};  // released
    unpack(source, set.first, unpacked);
    return unpacked;
  }
  size_t end = set.first;
  while (end < source.rows.size() && !source.rows[end].last) ++end;
  if (end == source.rows.size()) return {};
  return std::span(source.rows).subspan(set.first, end + 1 - set.first);
}

void resolve_name(Identity& identity, ArgType& type, int64_t& value) {
  if (!names_row(type)) return;
  const bool is_process = type == ArgType::Process || type == ArgType::ProcessUint;
  const bool is_unsigned = type == ArgType::ProcessUint || type == ArgType::ThreadUint;
  const auto name = static_cast<uint32_t>(value);
  const uint32_t row = is_process ? identity.process(name) : identity.thread(name);
  type = row == kNone ? ArgType::Null : is_unsigned ? ArgType::Uint : ArgType::Int;
  value = row == kNone ? 0 : int64_t{row};
}

ArgsBuilder::ArgsBuilder(const ArgSourceList& sources, Identity& identity, StringPool& strings,
                         ArgsTable& table)
    : sources_(sources),
      identity_(identity),
      strings_(strings),
      table_(table),
      key_maps_(sources.all.size()),
      shape_maps_(sources.all.size()),
      slots_(1024) {}

void ArgsBuilder::open() {
  open_.clear();
  if (++serial_ == 0) {  // after 2^32 sets: no key may appear to be in use
    std::ranges::fill(last_uses_, LastUse{});
    serial_ = 1;
  }
}

void ArgsBuilder::add(uint32_t key, ArgType type, int64_t value) {
  LastUse& last = last_uses_[key];
  if (last.serial == serial_) {
    open_[last.position].type = type;
    open_[last.position].value = value;
    return;
  }
  last = {serial_, static_cast<uint32_t>(open_.size())};
  ArgRow row{};
  row.value = value;
  row.key = key;
  row.type = type;
  open_.push_back(row);
}

void ArgsBuilder::add_set(ArgSource set) {
  for (const ArgRow& row : sources_.rows(set, added_)) {
    ArgType type = row.type;
    int64_t value = row.value;
    resolve_name(identity_, type, value);
    add(table_key(set.source, row.key), type, value);
  }
}

void ArgsBuilder::add_stored(uint32_t arg_set_id) {
  if (arg_set_id == OptRow::kNull) return;
  for (const ArgRow& row : table_.set(arg_set_id)) add(row.key, row.type, row.value);
}

uint32_t ArgsBuilder::add_closing_set(ArgSource set) {
  opened_rows_ = open_.size();
  arrays_known_ = false;
  uint32_t replaced = 0;
  bool has_nested =
      std::ranges::any_of(open_, [&](const ArgRow& row) { return is_nested(row.key); });
  for (const ArgRow& row : sources_.rows(set, closing_)) {
    ArgType type = row.type;
    int64_t value = row.value;
    resolve_name(identity_, type, value);
    const ArgKey name = sources_.key_of(set, row);
    const uint32_t at =
        name.key == name.flat_key ? table_key(set.source, row.key) : key(continued(name));
    const LastUse last = last_uses_[at];
    if (last.serial == serial_ && last.position < opened_rows_) ++replaced;
    add(at, type, value);
    has_nested |= is_nested(at);
  }
  drop_scalar_params();
  return has_nested ? replaced + drop_replaced(set) : replaced;
}

uint32_t ArgsBuilder::close() {
  if (open_.empty()) return OptRow::kNull;
  const ArgsTable::Record record = table_.record(open_);
  return intern(record, hash_of_values(record.values));
}

uint32_t ArgsBuilder::set(ArgSource set) {
  if (!set) return OptRow::kNull;
  if (const uint32_t row = packed_set_row(set); row != kNone) return row;
  open();
  add_set(set);
  return close();
}

void ArgsBuilder::prefetch(ArgSource set, bool very_soon) const {
  if (!set || !sources_.is_packed(set.source)) return;
  const std::vector<ArgRow>& rows = sources_.packed[set.source]->rows;
  if (set.first >= rows.size()) return;
  if (very_soon)
    prefetch_slot(set);
  else
    __builtin_prefetch(&rows[set.first]);
}

void ArgsBuilder::prefetch_slot(ArgSource set) const {
  const PackedSet packed = packed_set(*sources_.packed[set.source], set.first);
  const std::vector<uint32_t>& shapes = shape_maps_[set.source];
  if (packed.what() != PackedSet::Link::Hash || shapes.empty()) return;
  const auto hash = static_cast<uint32_t>(mix(packed.link, shapes[packed.shape]));
  __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
}

void ArgsBuilder::release_source(uint32_t source) {
  sources_.packed[source]->rows = {};
  shape_maps_[source] = {};
  key_maps_[source] = {};
}

uint32_t ArgsBuilder::packed_set_row(ArgSource set) {
  if (!sources_.is_packed(set.source)) return kNone;
  ArgSets& source = *sources_.packed[set.source];
  if (set.first >= source.rows.size()) return kNone;  // released
  PackedSet packed = packed_set(source, set.first);
  if (packed.what() == PackedSet::Link::Same) {
    set.first = packed.link;
    packed = packed_set(source, set.first);
  }
  if (packed.what() == PackedSet::Link::Stored) return packed.link;
  const uint32_t shape = table_shape(set.source, packed.shape);
  if (shape == kNotCopied) return kNone;
  const uint32_t row = intern({shape, packed_values(source, set.first, packed)}, packed.link);
  packed.kind = static_cast<uint32_t>(PackedSet::Link::Stored) & 3U;
  packed.link = row;
  set_packed_set(source, set.first, packed);
  return row;
}

uint32_t ArgsBuilder::table_shape(uint32_t source, uint32_t shape) {
  std::vector<uint32_t>& map = shape_maps_[source];
  if (map.empty()) map.resize(sources_.all[source]->shapes.size(), kUnknownShape);
  if (map[shape] == kUnknownShape)
    map[shape] = new_table_shape(source, sources_.all[source]->shapes[shape]);
  return map[shape];
}

uint32_t ArgsBuilder::new_table_shape(uint32_t source, const ArgShape& shape) {
  const std::span fields =
      std::span(sources_.all[source]->fields).subspan(shape.first, shape.count);
  open();  // opens a set, to recognise repeated keys
  new_fields_.clear();
  bool is_copied = true;
  for (ArgField field : fields) {
    field.key = table_key(source, field.key);
    is_copied &= last_uses_[field.key].serial != serial_ && !names_row(field.type);
    last_uses_[field.key].serial = serial_;
    new_fields_.push_back(field);
  }
  const uint32_t known = is_copied ? table_.shape(new_fields_, shape.bytes) : ArgsTable::kNoShape;
  return known == ArgsTable::kNoShape ? kNotCopied : known;
}

uint32_t ArgsBuilder::set_without_arrays(ArgSource set) {
  open();
  for (const ArgRow& row : sources_.rows(set, added_)) {
    ArgType type = row.type;
    int64_t value = row.value;
    resolve_name(identity_, type, value);
    const StringId name = sources_.key_of(set, row).flat_key;
    add(key(ArgKey{name, name}), type, value);
  }
  return close();
}

// Reads no text, because a task on another thread may call this while the pool of strings changes.
uint32_t ArgsBuilder::key(ArgKey key) {
  const auto [at, added] = keys_.try_emplace(key, static_cast<uint32_t>(table_.keys.size()));
  if (added) {
    table_.keys.push_back(key);
    last_uses_.emplace_back();
  }
  return at->second;
}

uint32_t ArgsBuilder::key(std::string_view name) {
  const StringId id = strings_.intern(name);
  return key(ArgKey{id, id});
}

bool ArgsBuilder::is_nested(uint32_t key) {
  if (nested_.size() < table_.keys.size()) nested_.resize(table_.keys.size());
  Nested& known = nested_[key];
  if (known == Nested::Unknown)
    known = ArgConflicts::is_nested(strings_.get(table_.keys[key].key)) ? Nested::Yes : Nested::No;
  return known == Nested::Yes;
}

uint32_t ArgsBuilder::table_key(uint32_t source, uint32_t from) {
  std::vector<uint32_t>& map = key_maps_[source];
  if (map.size() < sources_.all[source]->keys.size())
    map.resize(sources_.all[source]->keys.size(), kNone);
  if (map[from] == kNone) map[from] = key(sources_.all[source]->keys[from]);
  return map[from];
}

// Returns the key with the outermost index moved past the elements that the array has.
ArgKey ArgsBuilder::continued(ArgKey key) {
  Element element;
  const std::string_view name = strings_.get(key.key);
  if (!find_element(strings_.get(key.flat_key), name, element)) return key;
  const int64_t shift = next_index(element.array);
  int64_t index = 0;
  if (shift == 0 || __builtin_add_overflow(element.index, shift, &index)) return key;
  std::string moved(element.array);
  moved += '[';
  moved += std::to_string(index);
  moved += ']';
  moved += element.rest;
  return {key.flat_key, strings_.intern(moved)};
}

int64_t ArgsBuilder::next_index(std::string_view array) {
  if (!std::exchange(arrays_known_, true)) {
    next_indexes_.clear();
    for (const ArgRow& row : std::span(open_).first(opened_rows_)) {
      const ArgKey key = table_.keys[row.key];
      Element element;
      if (key.key == key.flat_key) continue;
      if (!find_element(strings_.get(key.flat_key), strings_.get(key.key), element)) continue;
      int64_t& next = next_indexes_[element.array];
      next = std::max(next, element.index + 1);
    }
  }
  const auto at = next_indexes_.find(array);
  return at == next_indexes_.end() ? 0 : at->second;
}

// Keeps the object `params` of one end if the other end has a text `params` (spec json 3.5).
void ArgsBuilder::drop_scalar_params() {
  if (params_key_ == kNone) {
    const StringId name = strings_.find("args.params");
    const auto known = keys_.find(ArgKey{name, name});
    if (known != keys_.end()) params_key_ = known->second;
  }
  if (params_key_ == kNone || last_uses_[params_key_].serial != serial_) return;
  const auto is_member = [&](const ArgRow& row) {
    return strings_.get(table_.keys[row.key].flat_key).starts_with("args.params.");
  };
  if (std::ranges::none_of(open_, is_member)) return;
  open_.erase(open_.begin() + last_uses_[params_key_].position);
  last_uses_[params_key_].serial = 0;
  for (uint32_t i = 0; i < open_.size(); ++i) last_uses_[open_[i].key].position = i;
}

uint32_t ArgsBuilder::drop_replaced(ArgSource closing) {
  ArgConflicts conflicts;
  const auto text = [&](uint32_t key) { return strings_.get(table_.keys[key].key); };
  const size_t opened = std::min(opened_rows_, open_.size());
  for (const ArgRow& row : std::span(open_).first(opened)) conflicts.add_begin(text(row.key));
  for (const ArgRow& row : sources_.rows(closing, closing_))
    conflicts.add_end(strings_.get(continued(sources_.key_of(closing, row)).key));
  if (!conflicts.has_any()) return 0;
  size_t kept = 0;
  for (size_t i = 0; i < open_.size(); ++i) {
    const bool is_dropped = i < opened && conflicts.is_replaced(text(open_[i].key));
    last_uses_[open_[i].key] = {is_dropped ? 0 : serial_, static_cast<uint32_t>(kept)};
    if (!is_dropped) open_[kept++] = open_[i];
  }
  open_.resize(kept);
  return conflicts.members();
}

uint32_t ArgsBuilder::intern(const ArgsTable::Record& record, uint32_t hash_of_values) {
  if (size_t{table_.sets()} * 2 >= slots_.size() && slots_.size() < kMaxSlots) grow();
  const auto hash = static_cast<uint32_t>(mix(hash_of_values, record.shape));
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  size_t probes = 0;
  for (; slots_[at].set != kNone && probes < max_probes(slots_.size());
       at = (at + 1) & mask, ++probes)
    if (slots_[at].hash == hash && table_.holds(slots_[at].set, record)) return slots_[at].set;
  const uint32_t set = table_.add(record);
  slots_[at] = {hash, set};
  return set;
}

void ArgsBuilder::grow() {
  std::vector<Slot> larger(slots_.size() * 2);
  const size_t mask = larger.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.set == kNone) continue;
    size_t at = slot.hash & mask;
    for (size_t probes = 0; larger[at].set != kNone && probes < max_probes(larger.size()); ++probes)
      at = (at + 1) & mask;
    larger[at] = slot;
  }
  slots_ = std::move(larger);
}

}  // namespace tracebraid
