#include "assemble/tracks/tracks.h"

#include <utility>

namespace tracebraid {
namespace {

constexpr uint32_t kMaxParents = 128;  // readers allow 100

std::string_view name_of(TrackEvents events) {
  switch (events) {
    case TrackEvents::Slice:
      return "slice";
    case TrackEvents::Counter:
      return "counter";
    case TrackEvents::State:
      return "state";
  }
  return {};
}

}  // namespace

Tracks::Tracks(const Names& names, Identity& identity, DeferredArgs& args, Cpus& cpus, Gpus& gpus,
               Store& store)
    : names_(names),
      identity_(identity),
      args_(args),
      cpus_(cpus),
      gpus_(gpus),
      table_(store.tracks),
      strings_(store.strings),
      source_(args.names_source()),
      places_(names.tracks.size()) {}

uint32_t Tracks::begin_row(uint32_t track, StringId event_name, uint64_t cookie) {
  const uint32_t index = place(track, event_name);
  if (name(track).lanes == Lanes::Single || index == kNone) return noted(index);
  return noted(lane_row(track, groups_[index].lanes.begin(cookie)));
}

uint32_t Tracks::end_row(uint32_t track, StringId event_name, uint64_t cookie) {
  const uint32_t index = place(track, event_name);
  if (name(track).lanes == Lanes::Single || index == kNone) return noted(index);
  return noted(lane_row(track, groups_[index].lanes.end(cookie)));
}

uint32_t Tracks::complete_row(uint32_t track, StringId event_name, int64_t ts, int64_t end) {
  const uint32_t index = place(track, event_name);
  if (name(track).lanes == Lanes::Single || index == kNone) return noted(index);
  return noted(lane_row(track, groups_[index].lanes.timed(ts, end)));
}

uint32_t Tracks::instant_row(uint32_t track, StringId event_name) {
  const uint32_t index = place(track, event_name);
  const TrackName& name = this->name(track);
  if (name.lanes == Lanes::Single || index == kNone) return noted(index);
  groups_[index].lanes.begin(name.cookie);
  return noted(lane_row(track, groups_[index].lanes.end(name.cookie)));
}

bool Tracks::is_active(uint32_t track, StringId event_name) {
  const uint32_t index = place(track, event_name);
  const TrackName& name = names_.tracks[track];
  if (name.lanes == Lanes::Single || index == kNone) return true;
  return groups_[index].lanes.is_active(name.cookie);
}

uint32_t Tracks::spill_row(uint32_t row, int64_t ts, int64_t end) {
  std::unique_ptr<Spill>& spill = spills_[row];
  if (!spill) spill = std::make_unique<Spill>(Spill{next_group_id_++, {}, {}});
  const uint32_t lane = spill->lanes.place(ts, end);
  if (lane < spill->rows.size()) return noted(spill->rows[lane]);

  TrackName name;
  name.scope = TrackScope::Thread;
  name.machine = table_.machine_id[row];
  name.file = {table_.trace_id[row].row};
  name.type = strings_.intern("thread_overlapping_slice");
  const uint32_t utid = table_.utid[row].row;
  ArgsBuilder& args = args_.open();
  args.add_int("utid", utid);
  args.add_int("track_compressor_idx", lane);
  const RowOf from{.track = kNone, .owner = utid, .name = {}, .lane = lane, .group = spill->id};
  spill->rows.push_back(add_row(name, from, OptRow::kNull, args.close(), OptRow::kNull));
  return noted(spill->rows.back());
}

std::span<const uint32_t> Tracks::spill_rows(uint32_t row) const {
  const auto at = spills_.find(row);
  if (at == spills_.end()) return {};
  return at->second->rows;
}

StringId Tracks::first_name(const TrackName& track, StringId event_name) const {
  if (track.scope != TrackScope::Process || names_.process_track_names.empty()) return event_name;
  const auto known = names_.process_track_names.find({track.file, event_name});
  return known == names_.process_track_names.end() ? event_name : known->second;
}

uint32_t Tracks::find_place(uint32_t track, StringId event_name) {
  const TrackName& name = names_.tracks[track];
  const uint32_t owner = owner_of(name);
  {
    Place& known = places_[track];
    known.lives = identity_.lives();
    if (known.index != kNone && known.owner == owner) return known.index;
    const bool has_owner = name.scope == TrackScope::Thread || name.scope == TrackScope::Process;
    if (has_owner && owner == kNone) return kNone;
    if (!std::exchange(known.is_named, true))
      known.name =
          name.named_by_first_event && !name.name ? first_name(name, event_name) : name.name;
    known.owner = owner;
    known.kind = owner_kind(name);
    if (known.dimensions == kNone) known.dimensions = dimensions_key(name, known.name);
  }
  const StringId shown = places_[track].name;
  const Key key{
      .file = name.file,
      .machine = name.machine,
      .owner = owner,
      .gpu = name.gpu,
      .dimensions = places_[track].dimensions,
      .instance = name.instance,
      .type = name.type,
      .name = name.named_by_first_event && !merges_by_first_name(name) ? shown : StringId{},
      .scope = name.scope,
      .events = name.events,
      .lanes = name.lanes};
  if (const auto at = indexes_.find(key); at != indexes_.end())
    return places_[track].index = at->second;

  uint32_t index = 0;
  if (name.lanes == Lanes::Single) {
    index = add_row({.track = track, .owner = owner, .name = shown});
  } else {
    index = static_cast<uint32_t>(groups_.size());
    groups_.push_back({owner, next_group_id_++, {}, {}});
  }
  indexes_[key] = index;
  return places_[track].index = index;
}

uint32_t Tracks::dimensions_key(std::span<const TrackDimension> dimensions) {
  content_.clear();
  for (const TrackDimension& dimension : dimensions) {
    // Numbers are equal regardless of their signedness.
    const bool is_number = dimension.type == ArgType::Int || dimension.type == ArgType::Uint;
    content_.append(reinterpret_cast<const char*>(&dimension.key.row), sizeof(uint32_t));
    content_.push_back(static_cast<char>(is_number ? ArgType::Int : dimension.type));
    content_.append(reinterpret_cast<const char*>(&dimension.value), sizeof(int64_t));
  }
  const auto next = static_cast<uint32_t>(dimension_keys_.size());
  return dimension_keys_.try_emplace(content_, next).first->second;
}

bool Tracks::merges_by_first_name(const TrackName& name) const {
  if (!name.named_by_first_event || name.lanes != Lanes::ByCookie) return false;
  const ArgSource set{source_, name.dimensions};
  for (const ArgRow& row : args_.rows(set))
    if (strings_.get(args_.key_of(set, row).key) == "merge_key_type") return true;
  return false;
}

uint32_t Tracks::dimensions_key(const TrackName& name, StringId shown) {
  const ArgSource set{source_, name.dimensions};
  std::vector<TrackDimension> dimensions;
  for (const ArgRow& row : args_.rows(set))
    dimensions.push_back({args_.key_of(set, row).key, row.type, row.value});
  if (shown && merges_by_first_name(name))
    dimensions.push_back({strings_.intern("merge_key_value"), ArgType::String, shown.row});
  return dimensions_key(dimensions);
}

Tracks::Key Tracks::key_of(const MadeTrack& track, uint32_t dimensions) {
  return {.file = track.file,
          .machine = track.machine,
          .owner = track.owner,
          .gpu = kNone,
          .dimensions = dimensions,
          .instance = 0,
          .type = track.type,
          .name = {},
          .scope = track.scope,
          .events = track.events,
          .lanes = track.lanes};
}

uint32_t Tracks::find_made(const MadeTrack& track, std::span<const TrackDimension> dimensions) {
  const auto at = made_indexes_.find(key_of(track, dimensions_key(dimensions)));
  return at == made_indexes_.end() ? kNone : at->second;
}

uint32_t Tracks::make(const MadeTrack& track, std::span<const TrackDimension> dimensions,
                      StringId name, StringId unit) {
  const Key key = key_of(track, dimensions_key(dimensions));
  const auto index = static_cast<uint32_t>(places_.size());
  made_indexes_[key] = index;
  made_.push_back({.scope = track.scope,
                   .events = track.events,
                   .lanes = track.lanes,
                   .machine = track.machine,
                   .file = track.file,
                   .owner = track.owner,
                   .type = track.type,
                   .name = name,
                   .unit = unit});
  made_dimensions_.emplace_back(dimensions.begin(), dimensions.end());
  places_.push_back({.owner = track.owner, .dimensions = key.dimensions, .name = name});
  const auto [known, is_new] = indexes_.try_emplace(key, kNone);
  if (is_new && track.lanes == Lanes::Single) {
    const uint32_t row = add_row({.track = index, .owner = track.owner, .name = name});
    indexes_[key] = row;
  } else if (is_new) {
    known->second = static_cast<uint32_t>(groups_.size());
    groups_.push_back({track.owner, next_group_id_++, {}, {}});
  }
  places_[index].index = indexes_[key];
  return index;
}

uint32_t Tracks::owner_of(const TrackName& name) {
  switch (name.scope) {
    case TrackScope::Global:
      return kNone;
    case TrackScope::Process:
      return identity_.process(name.owner);
    case TrackScope::Thread:
      return identity_.thread(name.owner);
    case TrackScope::Cpu:
      return name.owner;
  }
  return kNone;
}

Tracks::Owner Tracks::owner_kind(const TrackName& name) const {
  if (name.scope == TrackScope::Process) return Owner::UntilLives;
  if (name.scope != TrackScope::Thread) return Owner::Fixed;
  return identity_.is_stable(name.owner) ? Owner::UntilLives : Owner::Momentary;
}

uint32_t Tracks::lane_row(uint32_t track, uint32_t lane) {
  const uint32_t index = places_[track].index;
  Group& group = groups_[index];
  if (lane >= group.rows.size()) group.rows.resize(lane + 1, kNone);
  if (group.rows[lane] != kNone) return group.rows[lane];
  const uint32_t row = add_row({.track = track,
                                .owner = group.owner,
                                .name = places_[track].name,
                                .lane = lane,
                                .group = group.id});
  groups_[index].rows[lane] = row;  // making the rows of parents may have moved the groups
  return row;
}

// The first lane represents a parent with lanes.
uint32_t Tracks::parent_row(uint32_t track) {
  if (track == kNone || depth_ >= kMaxParents) return kNone;
  ++depth_;
  uint32_t row = place(track, {});
  if (row != kNone && names_.tracks[track].lanes != Lanes::Single) row = lane_row(track, 0);
  --depth_;
  return row;
}

uint32_t Tracks::add_row(const RowOf& from) {
  const TrackName& name = this->name(from.track);
  uint32_t parent = parent_row(name.parent);
  if (parent != kNone) {
    // A process or thread is the parent of its tracks without being a track.
    const TrackName& above = names_.tracks[name.parent];
    if (above.root && above.scope != TrackScope::Global) parent = OptRow::kNull;
  }
  if (name.scope == TrackScope::Cpu) cpus_.note(name.machine, name.owner);
  const uint32_t source_args = args_.set({source_, name.source_args});
  return add_row(name, from, parent, dimensions(from), source_args);
}

uint32_t Tracks::add_row(const TrackName& name, const RowOf& from, uint32_t parent,
                         uint32_t dimensions, uint32_t source_args) {
  const auto row = static_cast<uint32_t>(table_.name.size());
  const bool of_thread = name.scope == TrackScope::Thread;
  const bool of_process = name.scope == TrackScope::Process;
  table_.name.append(from.name);
  table_.parent_id.append({parent});
  table_.source_arg_set_id.append({source_args});
  table_.machine_id.append(name.machine);
  table_.type.append(name.type);
  table_.dimension_arg_set_id.append({dimensions});
  uint32_t group = from.group;
  if (name.group != 0) {
    const auto [at, is_new] = named_groups_.try_emplace({name.machine, name.group}, next_group_id_);
    if (is_new) ++next_group_id_;
    group = at->second;
  }
  table_.track_group_id.append({group});
  table_.event_type.append(strings_.intern(name_of(name.events)));
  table_.counter_unit.append(name.unit);
  table_.utid.append({of_thread ? from.owner : OptRow::kNull});
  table_.upid.append({of_process ? from.owner : OptRow::kNull});
  table_.trace_id.append({name.file.row});
  clock_of_row_.push_back(kNoClock);
  return row;
}

void Tracks::fill_clocks() {
  for (const uint32_t clock : clock_of_row_)
    table_.clock_id.append({clock >= kSeveralClocks ? OptRow::kNull : clock});
}

uint32_t Tracks::dimensions(const RowOf& from) {
  const TrackName& name = this->name(from.track);
  ArgsBuilder& args = args_.open();
  if (name.scope == TrackScope::Thread) args.add_int("utid", from.owner);
  if (name.scope == TrackScope::Process) args.add_int("upid", from.owner);
  if (name.scope == TrackScope::Cpu) args.add_int("cpu", from.owner);
  if (name.gpu != kNone) {
    args.add_int("ugpu", gpus_.row(name.machine, name.gpu));
    args.add_int("gpu", name.gpu);
  }
  const ArgSource given{source_, name.dimensions};
  args.add_set(given);
  if (is_made(from.track))
    for (const TrackDimension& dimension : made_dimensions_[from.track - names_.tracks.size()])
      args.add(args.key({dimension.key, dimension.key}), dimension.type, dimension.value);
  if (name.named_by_first_event && name.lanes == Lanes::ByCookie && from.name)
    args.add_text(merges_by_first_name(name) ? "merge_key_value" : "name", from.name);
  if (from.lane != kNone) args.add_int("track_compressor_idx", from.lane);
  return args.close();
}

}  // namespace tracebraid
