#include "assemble/json/objects.h"

#include <algorithm>

namespace tracebraid {
namespace {

const JsonObject& object_at(const JsonEvent& at) {
  return at.from.batch.json.objects[at.event.extra];
}

}  // namespace

JsonObjects::JsonObjects(Identity& identity, DeferredArgs& args, Problems& problems, Store& store)
    : identity_(identity),
      args_(args),
      problems_(problems),
      instances_(store.json.instances),
      table_(store.json.snapshots) {}

void JsonObjects::create(const JsonEvent& at) {
  const JsonObject& object = object_at(at);
  const JsonKey key = key_of(at.from, id_at(at.from, object.id), identity_);
  if (const uint32_t old = alive(key); old != OptRow::kNull) {
    count(at);
    instances_.deletion_ts.at(old).value = at.event.ts;
  }
  const uint32_t row = add_instance(at, key, true);
  instances_.creation_arg_set_id.at(row).row = args_.set({at.batch, at.event.args});
}

void JsonObjects::snapshot(const JsonEvent& at) {
  const JsonObject& object = object_at(at);
  const JsonId& id = id_at(at.from, object.id);
  const JsonKey key = key_of(at.from, id, identity_);
  uint32_t instance = alive(key);
  if (instance == OptRow::kNull)
    instance = add_instance(at, key, false);
  else
    check_snapshot(at, object, instance);
  instances_.cname.at(instance) = object.colour;
  Life& life = lives_[instance];
  if (object.base_type && !std::exchange(life.has_base_type, true))
    instances_.base_type.at(instance) = object.base_type;

  auto row = static_cast<uint32_t>(table_.rows());
  uint32_t container = OptRow::kNull;
  if (object.container != kNone) container = rows_.at({at.batch, object.container});
  const bool again = !life.snapshots.empty() && table_.ts[life.snapshots.back()] == at.event.ts;
  bool keeps_old = false;
  if (again) {
    row = life.snapshots.back();
    // The first of two snapshots in one container stays.
    keeps_old = container != OptRow::kNull && table_.container_snapshot_id[row].row == container;
    if (!keeps_old) count(at);
  } else {
    life.snapshots.push_back(row);
  }
  if (!keeps_old) put_row(at, object, row, instance);
  rows_[{at.batch, at.event.extra}] = row;
  if (container != OptRow::kNull)
    inner_.push_back({container, row, object.place, id.spelling, key});
}

void JsonObjects::put_row(const JsonEvent& at, const JsonObject& object, uint32_t row,
                          uint32_t instance) {
  if (row == table_.rows()) {
    table_.instance_id.append(instance);
    table_.ts.append(at.event.ts);
    table_.type_name.append({});
    table_.category.append({});
    table_.is_implicit.append(0);
    table_.container_snapshot_id.append({});
    table_.utid.append(0);
    table_.arg_set_id.append({});
    table_.raw_json.append({});
  }
  const bool is_inside = object.container != kNone;
  table_.type_name.at(row) = at.event.name;
  table_.category.at(row) = at.event.category;
  table_.is_implicit.at(row) = is_inside ? 1 : 0;
  table_.container_snapshot_id.at(row).row =
      is_inside ? rows_.at({at.batch, object.container}) : OptRow::kNull;
  table_.utid.at(row) = identity_.thread(at.event.track);
  table_.arg_set_id.at(row).row = args_.set({at.batch, at.event.args});
  table_.raw_json.at(row) = object.raw_json;
}

void JsonObjects::remove(const JsonEvent& at) {
  const JsonObject& object = object_at(at);
  const JsonKey key = key_of(at.from, id_at(at.from, object.id), identity_);
  uint32_t instance = alive(key);
  if (instance == OptRow::kNull)
    instance = add_instance(at, key, false);
  else if (at.event.name != instances_.base_type[instance] ||
           at.event.category != instances_.category[instance])
    count(at);
  instances_.cname.at(instance) = object.colour;
  instances_.deletion_ts.at(instance).value = at.event.ts;
  instances_.deleted_explicitly.at(instance) = 1;
  instances_.deletion_arg_set_id.at(instance).row = args_.set({at.batch, at.event.args});
}

uint32_t JsonObjects::add_instance(const JsonEvent& at, const JsonKey& key, bool is_explicit) {
  const JsonObject& object = object_at(at);
  const auto row = static_cast<uint32_t>(instances_.rows());
  instances_.object_id.append(id_at(at.from, object.id).spelling);
  instances_.scope.append(key.scope);
  instances_.upid.append({key.upid});
  instances_.base_type.append(at.event.name);
  instances_.type_name.append(at.event.name);
  instances_.category.append(at.event.category);
  instances_.creation_ts.append(at.event.ts);
  instances_.deletion_ts.append({});
  instances_.created_explicitly.append(is_explicit ? 1 : 0);
  instances_.deleted_explicitly.append(0);
  instances_.cname.append(object.colour);
  instances_.creation_arg_set_id.append({});
  instances_.deletion_arg_set_id.append({});
  lives_.emplace_back();
  keys_.push_back(key);
  lives_by_key_[key].push_back(row);
  return row;
}

uint32_t JsonObjects::alive(const JsonKey& key) const {
  const auto at = lives_by_key_.find(key);
  if (at == lives_by_key_.end()) return OptRow::kNull;
  const uint32_t last = at->second.back();
  return instances_.deletion_ts[last].value == OptInt::kNull ? last : OptRow::kNull;
}

// Accepts and counts facts of a snapshot that differ from its instance.
void JsonObjects::check_snapshot(const JsonEvent& at, const JsonObject& object, uint32_t instance) {
  const bool other_name = at.event.name != instances_.type_name[instance] && !object.base_type;
  if (other_name || at.event.category != instances_.category[instance]) count(at);
}

JsonObjects::Found JsonObjects::find(const JsonKey& key, int64_t ts) const {
  const auto at = lives_by_key_.find(key);
  if (at == lives_by_key_.end()) return {};
  // The last instance that had begun; of instances with equal times the later one.
  const std::vector<uint32_t>& lives = at->second;
  const auto next = std::ranges::upper_bound(
      lives, ts, {}, [&](uint32_t row) { return instances_.creation_ts[row]; });
  Found found;
  if (next != lives.begin()) {
    const int64_t end = instances_.deletion_ts[*(next - 1)].value;
    if (end == OptInt::kNull || ts < end) found.instance = *(next - 1);
  }
  if (found.instance == OptRow::kNull && next != lives.end() &&
      instances_.created_explicitly[*next] == 0)
    found.instance = *next;
  if (found.instance == OptRow::kNull) return {};
  const std::vector<uint32_t>& snapshots = lives_[found.instance].snapshots;
  const auto after =
      std::ranges::upper_bound(snapshots, ts, {}, [&](uint32_t row) { return table_.ts[row]; });
  if (after != snapshots.begin())
    found.snapshot = *(after - 1);
  else if (!snapshots.empty())
    found.snapshot = snapshots.front();
  return found;
}

}  // namespace tracebraid
