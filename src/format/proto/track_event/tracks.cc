#include "format/proto/track_event/tracks.h"
#include "format/proto/stats.h"
#include "format/proto/track_event/stats.h"

#include <algorithm>

namespace tracebraid::proto {
namespace {

constexpr size_t kMaxAncestors = 100;  // spec proto 2.4

// The types of tracks, by scope.
struct Types {
  std::string_view global, process, thread;
  std::string_view of(TrackScope scope) const {
    if (scope == TrackScope::Process) return process;
    return scope == TrackScope::Thread ? thread : global;
  }
};
constexpr Types kMerged{"global_merged_track_event", "process_merged_track_event",
                        "thread_merged_track_event"};
constexpr Types kUnmerged{"global_track_event", "process_track_event", "thread_track_event"};
constexpr Types kCounters{"global_counter_track_event", "process_counter_track_event",
                          "thread_counter_track_event"};
constexpr Types kStates{"global_state_track_event", "process_state_track_event",
                        "thread_state_track_event"};

std::string_view name_of(BuiltinCounter builtin) {
  if (builtin == BuiltinCounter::ThreadTime) return "thread_time";
  return builtin == BuiltinCounter::InstructionCount ? "thread_instruction_count" : "";
}

bool agree(const TrackDeclaration& a, const TrackDeclaration& b) {
  return a.kind == b.kind && a.parent_uuid == b.parent_uuid && a.has_process == b.has_process &&
         a.has_thread == b.has_thread && a.pid == b.pid && a.tid == b.tid && a.merge == b.merge &&
         a.merge_key == b.merge_key && a.counter.agrees_with(b.counter);
}

}  // namespace

Tracks::Entry& Tracks::entry(uint64_t uuid) {
  constexpr unsigned kShift = 64 - std::bit_width(kRecent - 1);
  uint32_t& recent = recent_[uuid * 0x9E3779B97F4A7C15 >> kShift];
  if (recent < entries_.size() && entries_[recent].uuid == uuid) return entries_[recent];
  const auto at = ids_.find(uuid);
  recent = at != ids_.end() ? at->second : add_entry(uuid);
  return entries_[recent];
}

// Adds parents, too, as far as they were declared before.
uint32_t Tracks::add_entry(uint64_t uuid) {
  const auto first = static_cast<uint32_t>(entries_.size());
  while (ids_.try_emplace(uuid, static_cast<uint32_t>(entries_.size())).second) {
    entries_.push_back({.uuid = uuid});
    if (!known_) break;
    const auto known = known_->find(uuid);
    if (known == known_->end()) break;
    entries_.back().is_declared = true;
    entries_.back().declaration = known->second;
    uuid = known->second.parent_uuid;
    if (uuid == 0) break;
  }
  return first;
}

bool Tracks::declare(uint64_t uuid, const TrackDeclaration& declaration) {
  Entry& known = entry(uuid);
  if (!known.is_declared) {
    known.is_declared = true;
    known.declaration = declaration;
    declared_.reset();
  } else if (!agree(known.declaration, declaration)) {
    return false;
  } else if (declaration.name &&
             (!known.declaration.name || declaration.merge == SiblingMerge::None)) {
    known.declaration.name = declaration.name;
  }
  ++known.times_declared;
  has_incremental_counters |= declaration.counter.is_incremental;
  return true;
}

std::shared_ptr<const DeclaredTracks> Tracks::declared() {
  if (declared_) return declared_;
  DeclaredTracks all;
  for (const Entry& entry : entries_)
    if (entry.is_declared) all.emplace(entry.uuid, entry.declaration);
  declared_ = std::make_shared<const DeclaredTracks>(std::move(all));
  return declared_;
}

std::vector<Tracks::Use> Tracks::uses() const {
  std::vector<Use> all;
  for (const Entry& entry : entries_)
    for (size_t i = 0; i < entry.slots.size(); ++i)
      if (entry.slots[i] != kNone)
        all.push_back({entry.uuid, kind_of_slot(i), i % 2 != 0, entry.slots[i]});
  return all;
}

const TrackDeclaration* Tracks::declaration(uint64_t uuid) {
  const Entry& known = entry(uuid);
  return known.is_declared ? &known.declaration : nullptr;
}

uint32_t Tracks::slot(uint64_t uuid, TrackEvents kind, bool is_whole) {
  return slot_of(entry(uuid), kind, is_whole && uuid != 0);
}

uint32_t Tracks::slot_of(Entry& entry, TrackEvents kind, bool is_whole) {
  uint32_t& slot = entry.slots[slot_number(kind, is_whole)];
  if (slot == kNone) {
    slot = static_cast<uint32_t>(sink_.batch().tracks.size());
    sink_.batch().tracks.push_back({.machine = machine_});
  }
  return slot;
}

Tracks::Owner Tracks::owner_now(uint64_t uuid) {
  const auto index = static_cast<uint32_t>(&entry(uuid) - entries_.data());
  if (entries_[index].owner) return *entries_[index].owner;
  const Scope scope = scope_of(entries_[index]);
  const Owner owner{scope.scope, scope.owner, scope.pid};
  if (entries_[index].is_declared && !scope.error) entries_[index].owner = owner;
  return owner;
}

uint32_t Tracks::thread_track(uint32_t thread) {
  return sink_.track({.scope = TrackScope::Thread,
                      .machine = machine_,
                      .owner = thread,
                      .type = sink_.string("thread_execution")});
}

uint32_t Tracks::owner(const Entry& entry) {
  const TrackDeclaration& track = entry.declaration;
  if (track.has_thread)
    return sink_.thread(
        {.machine = machine_, .tid = track.tid, .pid = track.pid, .life = entry.uuid});
  return sink_.process({.machine = machine_, .pid = track.pid, .life = entry.uuid});
}

// Returns the parent's entry; null if there is none or it was never declared.
const Tracks::Entry* Tracks::parent_of(const Entry& entry) const {
  if (entry.declaration.parent_uuid == 0) return nullptr;
  const auto at = ids_.find(entry.declaration.parent_uuid);
  return at == ids_.end() || !entries_[at->second].is_declared ? nullptr : &entries_[at->second];
}

// Returns whether the parents of the entry form a cycle.
bool Tracks::is_in_loop(const Entry& entry) const {
  const Entry* slow = &entry;
  const Entry* fast = &entry;
  for (;;) {
    fast = parent_of(*fast);
    if (fast != nullptr) fast = parent_of(*fast);
    if (fast == nullptr) return false;
    slow = parent_of(*slow);
    if (slow == fast) return true;
  }
}

// Finds a thread or process among the uuid and its parents.
Tracks::Scope Tracks::scope_of(const Entry& first) {
  if (!first.is_declared) return {};
  Scope scope;
  size_t ancestors = 0;
  for (const Entry* at = &first;;) {
    const TrackDeclaration& track = at->declaration;
    if (scope.owner == kNone && (track.has_thread || track.has_process)) {
      scope.scope = track.has_thread ? TrackScope::Thread : TrackScope::Process;
      scope.owner = owner(*at);
      scope.pid = track.pid;
      scope.is_root = at == &first;
    }
    if (track.parent_uuid == 0) return scope;
    at = parent_of(*at);
    if (at == nullptr) return {.error = stats::track_hierarchy_missing_uuid};
    if (++ancestors > kMaxAncestors)
      return {.error = is_in_loop(first) ? stats::track_event_track_hierarchy_loop
                                         : stats::track_event_track_hierarchy_too_deep};
  }
}

// Reserves indexes for the parents of tracks that have one. A parent with an index reserves those
// of its own parents.
void Tracks::make_parents() {
  for (size_t i = 0; i < entries_.size(); ++i) {
    const auto& slots = entries_[i].slots;
    if (std::ranges::all_of(slots, [](uint32_t slot) { return slot == kNone; })) continue;
    if (scope_of(entries_[i]).error) continue;
    for (const bool is_whole : {false, true}) {
      const auto is_used = [&](TrackEvents kind) {
        return entries_[i].slots[slot_number(kind, is_whole)] != kNone;
      };
      if (is_used(TrackEvents::Slice) || is_used(TrackEvents::Counter) ||
          is_used(TrackEvents::State))
        make_parents_of(i, is_whole);
    }
  }
}

void Tracks::make_parents_of(size_t entry, bool is_whole) {
  for (const Entry* at = parent_of(entries_[entry]); at != nullptr; at = parent_of(*at)) {
    // Processes and threads of our exporter are tracks only if it marks them so.
    if (entries_[entry].declaration.own.type && is_owner(*at)) break;
    const TrackEvents kind = at->declaration.kind;
    if (at->slots[slot_number(kind, is_whole)] != kNone) break;
    slot(at->uuid, kind, is_whole);
  }
}

std::vector<Tracks::Broken> Tracks::finish(const Translations& translations) {
  std::vector<Broken> broken;
  make_parents();
  for (Entry& entry : entries_) {
    const Scope scope = scope_of(entry);
    if (scope.error && entry.times_declared > 0) {
      sink_.tally(*scope.error, entry.times_declared, machine_);
      sink_.tally(stats::track_event_parser_errors, entry.times_declared, machine_);
    }
    for (size_t i = 0; i < entry.slots.size(); ++i) {
      if (entry.slots[i] == kNone) continue;
      if (scope.error || kind_of_slot(i) != entry.declaration.kind) {
        broken.push_back({entry.slots[i], scope.error});
      } else {
        // Makes the name first, because that may add tracks of other kinds.
        const TrackName name = track_name(entry, scope, translations, i % 2 != 0);
        sink_.batch().tracks[entry.slots[i]] = name;
      }
    }
  }
  return broken;
}

void Tracks::set_own(const Entry& entry, TrackName& name) {
  const OwnTrack& own = entry.declaration.own;
  name.name = entry.declaration.name;
  name.type = own.type;
  name.unit = own.unit;
  name.gpu = own.gpu;
  name.dimensions = own.dimensions;
  name.source_args = own.source_args;
  name.group = own.group;
  name.instance = entry.uuid;
  name.root = false;
  if (own.cpu == kNone) return;
  name.scope = TrackScope::Cpu;
  name.owner = own.cpu;
}

TrackName Tracks::track_name(const Entry& entry, const Scope& scope,
                             const Translations& translations, bool is_whole) {
  const TrackDeclaration& track = entry.declaration;
  const bool of_process = scope.scope == TrackScope::Process;
  TrackName name{
      .scope = scope.scope,
      .events = track.kind,
      .machine = machine_,
      .owner = scope.owner,
      .name = of_process ? translated(translations.process_track_names, track.name) : track.name};
  const bool of_thread = scope.scope == TrackScope::Thread;
  name.root = scope.is_root && track.kind == TrackEvents::Slice;
  if (name.root && of_thread && !track.is_separate) {
    name.name = {};
    name.type = sink_.string("thread_execution");
    return name;
  }
  const Entry* const around = parent_of(entry);
  if (track.own.type) {
    set_own(entry, name);
    if (around != nullptr && !is_owner(*around))
      name.parent = around->slots[slot_number(around->declaration.kind, is_whole)];
    return name;
  }
  name.source_args =
      source_args(entry, scope.is_root && (!of_thread || track.is_separate), is_whole);
  if (const Entry* parent = scope.is_root ? nullptr : around)
    name.parent = parent->slots[slot_number(parent->declaration.kind, is_whole)];
  if (track.kind == TrackEvents::Counter) {
    name.type = sink_.string(kCounters.of(scope.scope));
    name.unit = track.counter.unit;
    if (track.counter.builtin != BuiltinCounter::None)
      name.name = sink_.string(name_of(track.counter.builtin));
  } else if (track.kind == TrackEvents::State) {
    name.type = sink_.string(kStates.of(scope.scope));
  } else if (name.root) {
    name.type = sink_.string(kUnmerged.of(scope.scope));
  } else {
    if (entry.uuid == 0 && !name.name) name.name = sink_.string("Default Track");
    name.named_by_first_event = !name.name;
    if (track.merge != SiblingMerge::None) {
      set_merged(entry, name);
      return name;
    }
    name.type = sink_.string(kUnmerged.of(scope.scope));
  }
  sink_.open_args();
  add_int("track_uuid", static_cast<int64_t>(entry.uuid));
  name.dimensions = sink_.close_args();
  return name;
}

// Siblings with the same key share lanes (spec proto 3.2).
void Tracks::set_merged(const Entry& entry, TrackName& name) {
  const TrackDeclaration& track = entry.declaration;
  const bool by_key = track.merge == SiblingMerge::ByKey;
  name.type = sink_.string(kMerged.of(name.scope));
  name.lanes = Lanes::ByCookie;
  name.cookie = entry.uuid;
  if (by_key) name.named_by_first_event = false;
  sink_.open_args();
  add_int("parent_track_uuid", static_cast<int64_t>(track.parent_uuid));
  add_int("merge_key_type", by_key ? 2 : 0);
  // The name of the first event is added when it is known.
  if (by_key)
    add_text("merge_key_value", track.merge_key);
  else if (name.name)
    add_text("merge_key_value", name.name);
  name.dimensions = sink_.close_args();
}

uint32_t Tracks::source_args(const Entry& entry, bool is_root, bool is_whole) {
  const TrackDeclaration& track = entry.declaration;
  sink_.open_args();
  add_text("source", sink_.string("descriptor"));
  add_int("trace_id", static_cast<int64_t>(entry.uuid));
  add_int("is_root_in_scope", is_root || entry.uuid == 0 ? 1 : 0, ArgType::Bool);
  if (track.counter.categories) add_text("category", track.counter.categories);
  if (track.counter.builtin != BuiltinCounter::None)
    add_text("builtin_counter_type", sink_.string(name_of(track.counter.builtin)));
  if (track.counter.share_key) add_text("y_axis_share_key", track.counter.share_key);
  if (is_whole) add_int("has_first_packet_on_sequence", 1, ArgType::Bool);
  if (track.child_ordering) add_text("child_ordering", track.child_ordering);
  if (track.sibling_rank) add_int("sibling_order_rank", *track.sibling_rank);
  if (track.description) add_text("description", track.description);
  return sink_.close_args();
}

void Tracks::add_int(std::string_view key, int64_t value, ArgType type) {
  const StringId name = sink_.string(key);
  sink_.arg(sink_.arg_key({name, name}), type, value);
}

void Tracks::add_text(std::string_view key, StringId text) {
  add_int(key, text.row, ArgType::String);
}

}  // namespace tracebraid::proto
