#include "assemble/args/args_builder.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "assemble/args/arg_conflicts.h"
#include "assemble/args/unlisted_args.h"
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
      passthrough_(strings.find("legacy_event.passthrough_utid")),
      key_maps_(sources.all.size()),
      shape_maps_(sources.all.size()),
      slots_(1024) {}

void ArgsBuilder::open() {
  open_.clear();
  has_unlisted_ = is_joined_ = false;
  if (++serial_ == 0) {  // after 2^32 sets: no key may appear to be in use
    std::ranges::fill(last_uses_, LastUse{});
    serial_ = 1;
  }
}

void ArgsBuilder::add(uint32_t key, ArgType type, int64_t value) {
  LastUse& last = last_uses_[listed_key(key)];
  if (last.serial == serial_) {
    const ArgRow before = open_[last.position];
    if (before.key != key) add_unlisted(before.key, before.type, before.value);
    open_[last.position].key = key;
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

void ArgsBuilder::add_unlisted(uint32_t key, ArgType type, int64_t value) {
  has_unlisted_ = true;
  ArgRow row{};
  row.value = value;
  row.key = key;
  row.type = type;
  row.unlisted = true;
  open_.push_back(row);
}

void ArgsBuilder::add(uint32_t key, const ArgRow& row) {
  if (row.unlisted) return add_unlisted(key, row.type, row.value);
  ArgType type = row.type;
  int64_t value = row.value;
  resolve_name(identity_, type, value);
  add(key, type, value);
}

void ArgsBuilder::add_set(ArgSource set) {
  is_joined_ |= !open_.empty();
  for (const ArgRow& row : sources_.rows(set, added_)) add(table_key(set.source, row.key), row);
}

void ArgsBuilder::add_stored(uint32_t arg_set_id) {
  if (arg_set_id == OptRow::kNull) return;
  is_joined_ |= !open_.empty();
  table_.for_each_leaf(arg_set_id, [&](const ArgRow& row) { add(row.key, row); });
}

// Returns whether the open set has the arg, and keeps its value.
bool ArgsBuilder::keeps_first(StringId name) {
  if (!passthrough_ || name != passthrough_) return false;
  return std::ranges::any_of(
      open_, [&](const ArgRow& row) { return table_.keys[row.key].key == passthrough_; });
}

uint32_t ArgsBuilder::add_closing_set(ArgSource set) {
  opened_rows_ = open_.size();
  has_array_ends_ = false;
  is_joined_ = true;
  uint32_t replaced = 0;
  bool has_nested = std::ranges::any_of(
      open_, [&](const ArgRow& row) { return !row.unlisted && is_nested(row.key); });
  for (const ArgRow& row : sources_.rows(set, closing_)) {
    const ArgKey name = sources_.key_of(set, row);
    if (keeps_first(name.key)) continue;
    const uint32_t at =
        name.key == name.flat_key ? table_key(set.source, row.key) : key(continued(name));
    if (!row.unlisted) {
      const LastUse last = last_uses_[listed_key(at)];
      if (last.serial == serial_ && last.position < opened_rows_) ++replaced;
      has_nested |= is_nested(at);
    }
    add(at, row);
  }
  drop_scalar_params();
  return has_nested ? replaced + drop_replaced(set) : replaced;
}

uint32_t ArgsBuilder::close() {
  if (open_.empty()) return OptRow::kNull;
  if (has_unlisted_ && is_joined_)
    drop_contradictions(
        open_, [&](const ArgRow& row) { return strings_.get(table_.keys[row.key].full_path()); });
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
    new_fields_.push_back(field);
    if (field.unlisted) continue;
    LastUse& last = last_uses_[listed_key(field.key)];
    is_copied &= last.serial != serial_ && !names_row(field.type);
    last.serial = serial_;
  }
  const uint32_t known = is_copied ? table_.shape(new_fields_, shape.bytes) : ArgsTable::kNoShape;
  return known == ArgsTable::kNoShape ? kNotCopied : known;
}

uint32_t ArgsBuilder::set_without_arrays(ArgSource set) {
  open();
  for (const ArgRow& row : sources_.rows(set, added_)) {
    const StringId name = sources_.key_of(set, row).flat_key;
    if (!row.unlisted) add(key(ArgKey{name, name}), row);
  }
  return close();
}

// Reads no text, because a task on another thread may call this while the pool of strings changes.
uint32_t ArgsBuilder::key(ArgKey key) {
  const auto known = keys_.find(key);
  if (known != keys_.end()) return known->second;
  const uint32_t listed = key.path ? this->key(ArgKey{key.flat_key, key.key}) : kNone;
  const auto at = static_cast<uint32_t>(table_.keys.size());
  keys_.emplace(key, at);
  table_.keys.push_back(key);
  last_uses_.emplace_back();
  listed_keys_.push_back(key.path ? listed : at);
  has_paths_ |= static_cast<bool>(key.path);
  return at;
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
  if (!std::exchange(has_array_ends_, true)) {
    array_ends_.clear();
    for (const ArgRow& row : std::span(open_).first(opened_rows_))
      array_ends_.add(table_.keys[row.key], row.unlisted, strings_);
  }
  ArgKey moved{key.flat_key, array_ends_.continued_key(key, strings_)};
  if (!has_paths_ && !has_unlisted_ && !key.path) return moved;
  const StringId path = array_ends_.continued_path(key.full_path(), strings_);
  if (path != moved.key) moved.path = path;
  return moved;
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
    return !row.unlisted && strings_.get(table_.keys[row.key].flat_key).starts_with("args.params.");
  };
  if (std::ranges::none_of(open_, is_member)) return;
  open_.erase(open_.begin() + last_uses_[params_key_].position);
  last_uses_[params_key_].serial = 0;
  number_positions();
}

void ArgsBuilder::number_positions() {
  for (uint32_t i = 0; i < open_.size(); ++i)
    if (!open_[i].unlisted) last_uses_[listed_key(open_[i].key)].position = i;
}

uint32_t ArgsBuilder::drop_replaced(ArgSource closing) {
  ArgConflicts conflicts;
  const auto text = [&](uint32_t key) { return strings_.get(table_.keys[key].key); };
  const size_t opened = std::min(opened_rows_, open_.size());
  for (const ArgRow& row : std::span(open_).first(opened))
    if (!row.unlisted) conflicts.add_begin(text(row.key));
  for (const ArgRow& row : sources_.rows(closing, closing_))
    if (!row.unlisted)
      conflicts.add_end(strings_.get(continued(sources_.key_of(closing, row)).key));
  if (!conflicts.has_any()) return 0;
  const auto is_dropped = [&](const ArgRow& row) {
    return !row.unlisted && conflicts.is_replaced(text(row.key));
  };
  for (ArgRow& row : std::span(open_).first(opened)) {
    if (!is_dropped(row)) continue;
    last_uses_[listed_key(row.key)].serial = 0;
    // close() drops those whose paths the closing set has.
    row.unlisted = has_unlisted_ = true;
  }
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
