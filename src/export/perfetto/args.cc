#include "export/perfetto/args.h"

#include <algorithm>
#include <bit>

#include "export/perfetto/packets.h"
#include "export/perfetto/tables.h"
#include "format/proto/recording/own.h"
#include "query/functions/arg_json.h"

namespace tracebraid::perfetto {
namespace {

namespace own = proto::own;

// Returns the key without "debug.", which readers add.
std::string_view shown_key(std::string_view key) {
  for (const std::string_view prefix : {"debug.", "args."})
    if (key.starts_with(prefix)) return key.substr(prefix.size());
  return key;
}

bool has_other_flat_key(const Store& store, const ArgKey& key) {
  const std::string_view whole = text(store, key.key), flat = text(store, key.flat_key);
  return whole == flat ? whole.find('[') != whole.npos : own::flat_key_of(whole) != flat;
}

void add_value(const Store& store, const ArgRow& arg, protozero::pbf_writer& annotation) {
  using Field = field::DebugAnnotation;
  switch (arg.type) {
    case ArgType::String:
      return add_text(annotation, Field::kStringValue,
                      text(store, {static_cast<uint32_t>(arg.value)}));
    case ArgType::Json:
      return add_text(annotation, Field::kLegacyJsonValue,
                      text(store, {static_cast<uint32_t>(arg.value)}));
    case ArgType::Real:
      return annotation.add_double(Field::kDoubleValue, std::bit_cast<double>(arg.value));
    case ArgType::Bool:
      return annotation.add_bool(Field::kBoolValue, arg.value != 0);
    case ArgType::Uint:
      return annotation.add_uint64(Field::kUintValue, static_cast<uint64_t>(arg.value));
    case ArgType::Pointer:
      return annotation.add_uint64(Field::kPointerValue, static_cast<uint64_t>(arg.value));
    case ArgType::UintAsReal:
      return annotation.add_uint64(Field::kUintValue, static_cast<uint64_t>(arg.value));
    case ArgType::Null:
      return;
    default:
      return annotation.add_int64(Field::kIntValue, arg.value);
  }
}

// Writes a leaf that has no row in `args`, in a form that gives none in other programs.
void add_unlisted_value(const Store& store, const ArgRow& arg, protozero::pbf_writer& annotation) {
  std::string json;
  append_arg_json(json, arg, store.strings, Reals::Exact);
  add_text(annotation, field::DebugAnnotation::kLegacyJsonValue, json);
}

void add_own_value(const Store& store, const ArgRow& row, protozero::pbf_writer& arg) {
  using Field = own::Arg;
  arg.add_uint32(Field::kType, static_cast<uint32_t>(row.type));
  if (row.type == ArgType::String || row.type == ArgType::Json)
    add_if_any(store, arg, Field::kText, {static_cast<uint32_t>(row.value)});
  else
    arg.add_fixed64(Field::kBits, static_cast<uint64_t>(row.value));
  if (row.unlisted) arg.add_bool(Field::kUnlisted, true);
}

}  // namespace

uint64_t Interned::add(std::vector<bool>& known, StringId text, uint32_t field) {
  const uint64_t iid = uint64_t{text.row} + 1;
  if (known[text.row]) return iid;
  known[text.row] = true;
  protozero::pbf_writer fresh(new_);
  protozero::pbf_writer entry(fresh, field);
  entry.add_uint64(1, iid);
  add_text(entry, 2, store_.strings.get(text));
  return iid;
}

uint64_t Interned::name(StringId name) {
  return add(names_, name, field::InternedData::kEventNames);
}

uint64_t Interned::category(StringId category) {
  return add(categories_, category, field::InternedData::kEventCategories);
}

uint64_t Interned::key(uint32_t key) {
  const uint64_t iid = uint64_t{key} + 1;
  if (keys_[key]) return iid;
  keys_[key] = true;
  const ArgKey& names = store_.args.keys[key];
  const std::string_view whole = text(store_, names.key);
  protozero::pbf_writer fresh(new_);
  {
    protozero::pbf_writer entry(fresh, field::InternedData::kDebugAnnotationNames);
    entry.add_uint64(own::kIid, iid);
    add_text(entry, own::kText, shown_key(whole));
  }
  protozero::pbf_writer entry(fresh, own::kField);
  entry.add_uint64(own::kIid, iid);
  add_text(entry, own::kText, whole);
  if (has_other_flat_key(store_, names))
    add_text(entry, own::kFlatText, text(store_, names.flat_key));
  add_if_any(store_, entry, own::kPathText, names.path);
  return iid;
}

void add_annotations(const Store& store, uint32_t arg_set_id, Interned& interned,
                     protozero::pbf_writer& event) {
  using Field = field::DebugAnnotation;
  store.args.for_each_leaf(arg_set_id, [&](const ArgRow& arg) {
    const uint64_t key = interned.key(arg.key);
    protozero::pbf_writer annotation(event, field::TrackEvent::kDebugAnnotations);
    annotation.add_uint64(Field::kNameIid, key);
    if (arg.unlisted)
      add_unlisted_value(store, arg, annotation);
    else
      add_value(store, arg, annotation);
    annotation.add_uint64(own::kField, key);
    if (!arg.unlisted && arg.type != ArgType::UintAsReal) return;
    protozero::pbf_writer value(annotation, own::kValueField);
    add_own_value(store, arg, value);
  });
}

void add_if_any(const Store& store, protozero::pbf_writer& to, uint32_t number, StringId id) {
  if (id) add_text(to, number, text(store, id));
}

void add_own_args(const Store& store, OptRow arg_set_id, uint32_t field, protozero::pbf_writer& to,
                  std::span<const std::string_view> leave_out) {
  using Field = own::Arg;
  if (arg_set_id.row == OptRow::kNull) return;
  store.args.for_each_leaf(arg_set_id.row, [&](const ArgRow& row) {
    const ArgKey& key = store.args.keys[row.key];
    if (std::ranges::count(leave_out, text(store, key.key)) != 0) return;
    protozero::pbf_writer arg(to, field);
    add_text(arg, Field::kKey, text(store, key.key));
    if (has_other_flat_key(store, key)) add_text(arg, Field::kFlatKey, text(store, key.flat_key));
    add_if_any(store, arg, Field::kPath, key.path);
    add_own_value(store, row, arg);
  });
}

}  // namespace tracebraid::perfetto
