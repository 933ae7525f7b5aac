#include "assemble/json/refs.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "event/json_ids.h"

namespace tracebraid {
namespace {

constexpr int64_t kBrowser = -1;  // as a pid in references

// Returns the key of the object that is a reference; empty if `key` is not its id, or is at the
// root of the args.
std::string_view place_of(std::string_view key) {
  for (const std::string_view ending : {".id_ref", ".idRef"}) {
    if (!key.ends_with(ending)) continue;
    key.remove_suffix(ending.size());
    return key.find_first_of(".[") == std::string_view::npos ? std::string_view() : key;
  }
  return {};
}

}  // namespace

void JsonRefs::resolve(const JsonContexts& contexts) {
  gather();
  if (sets_.empty() && objects_.inner().empty()) return;
  add_slices();
  add_snapshots();
  add_contexts(contexts);
}

void JsonRefs::gather() {
  const ArgsTable& args = store_.args;
  places_.resize(args.keys.size());
  bool any = false;
  for (size_t i = 0; i < args.keys.size(); ++i) {
    const std::string_view place = place_of(store_.strings.get(args.keys[i].key));
    if (place.empty()) continue;
    places_[i] = store_.strings.intern(place);
    any = true;
  }
  if (!any) return;
  const StringId scope = store_.strings.intern("ptr");
  args.for_each_set([&](uint32_t id, const ArgSet& set) { gather_set(id, set, scope); });
}

void JsonRefs::gather_set(uint32_t id, const ArgSet& set, StringId scope_by_default) {
  const ArgsTable& args = store_.args;
  StringPool& strings = store_.strings;
  for (const ArgRow row : set) {
    const StringId place = places_[row.key];
    if (!place || (row.type != ArgType::Int && row.type != ArgType::String)) continue;
    Ref ref{place, {}, {}, scope_by_default, false, 0};
    ref.spelling = row.type == ArgType::String ? StringId{static_cast<uint32_t>(row.value)}
                                               : strings.intern(fmt::to_string(row.value));
    ref.canonical = strings.intern(canonical_id_text(strings.get(ref.spelling)));
    const std::string base(strings.get(place));
    const auto sibling = [&](const char* name) -> std::optional<ArgRow> {
      const StringId key = strings.find(base + name);
      return key ? args.find(id, key) : std::nullopt;
    };
    if (const auto scope = sibling(".scope"); scope && scope->type == ArgType::String)
      ref.scope = {static_cast<uint32_t>(scope->value)};
    std::optional<ArgRow> pid = sibling(".pid_ref");
    if (!pid) pid = sibling(".pidRef");
    if (pid && pid->type == ArgType::Int) {
      ref.has_pid = true;
      ref.pid = pid->value;
    }
    sets_[id].push_back(ref);
  }
}

void JsonRefs::add_slices() {
  const StringId kind = store_.strings.intern("slice");
  const TrackTable& tracks = store_.tracks;
  const JsonAsyncSliceTable& asyncs = store_.json.async_slices;
  size_t async = 0;
  for (uint32_t row = 0; row < store_.slices.rows(); ++row) {
    while (async < asyncs.rows() && asyncs.slice_id[async] < row) ++async;
    const uint32_t set = store_.slices.arg_set_id[row].row;
    if (set == OptRow::kNull || !sets_.contains(set)) continue;
    const uint32_t track = store_.slices.track_id[row];
    const uint32_t file = tracks.trace_id[track].row;
    if (file >= json_files_.size() || !json_files_[file]) continue;
    uint32_t upid = tracks.upid[track].row;
    if (tracks.utid[track].row != OptRow::kNull)
      upid = store_.threads.upid[tracks.utid[track].row].row;
    if (async < asyncs.rows() && asyncs.slice_id[async] == row)
      upid = store_.threads.upid[asyncs.begin_utid[async]].row;
    add({kind, row, store_.slices.ts[row], upid, tracks.machine_id[track], FileId{file}}, set);
  }
}

void JsonRefs::add_snapshots() {
  const StringId kind = store_.strings.intern("object_snapshot");
  const JsonObjectSnapshotTable& table = store_.json.snapshots;
  const auto owner = [&](uint32_t row) {
    const uint32_t utid = table.utid[row];
    return Owner{kind,
                 row,
                 table.ts[row],
                 store_.threads.upid[utid].row,
                 store_.threads.machine_id[utid],
                 objects_.file_of(row)};
  };
  // The targets of snapshots inside others are known.
  absl::flat_hash_set<std::pair<uint32_t, StringId>> known;
  for (const JsonObjects::Inner& inner : objects_.inner()) {
    if (!known.insert({inner.container, inner.place}).second) continue;
    add_row(owner(inner.container), inner.place, inner.spelling, inner.key);
  }
  for (uint32_t row = 0; row < table.rows(); ++row) {
    const auto set = sets_.find(table.arg_set_id[row].row);
    if (set == sets_.end()) continue;
    const Owner from = owner(row);
    for (const Ref& ref : set->second)
      if (!known.contains({row, ref.place}))
        add_row(from, ref.place, ref.spelling,
                {from.file, ref.scope, ref.canonical,
                 ref.has_pid ? process_of_pid(from, ref.pid) : from.upid});
  }
}

void JsonRefs::add_contexts(const JsonContexts& contexts) {
  const StringId kind = store_.strings.intern("context");
  const JsonContextTable& table = store_.json.contexts;
  for (const JsonContexts::Args& args : contexts.args()) {
    const uint32_t utid = table.utid[args.context];
    add({kind, args.context, table.enter_ts[args.context], store_.threads.upid[utid].row,
         store_.threads.machine_id[utid], args.file},
        args.arg_set_id);
  }
}

void JsonRefs::add(const Owner& owner, uint32_t arg_set_id) {
  const auto set = sets_.find(arg_set_id);
  if (set == sets_.end()) return;
  for (const Ref& ref : set->second)
    add_row(owner, ref.place, ref.spelling,
            {owner.file, ref.scope, ref.canonical,
             ref.has_pid ? process_of_pid(owner, ref.pid) : owner.upid});
}

void JsonRefs::add_row(const Owner& owner, StringId place, StringId spelling,
                       const JsonKey& target) {
  const JsonObjects::Found found = objects_.find(target, owner.ts);
  JsonObjectRefTable& table = store_.json.refs;
  table.owner_kind.append(owner.kind);
  table.owner_id.append(owner.id);
  table.arg_key.append(place);
  table.ts.append(owner.ts);
  table.target_upid.append({target.upid});
  table.target_scope.append(target.scope);
  table.target_id.append(spelling);
  table.instance_id.append({found.instance});
  table.snapshot_id.append({found.snapshot});
}

uint32_t JsonRefs::process_of_pid(const Owner& owner, int64_t pid) {
  if (pid == kBrowser) return browser(owner.machine);
  const ProcessTable& table = store_.processes;
  if (processes_.empty())
    for (uint32_t row = 0; row < table.rows(); ++row)
      processes_.try_emplace({table.machine_id[row], table.pid[row]}, row);
  const auto at = processes_.find({owner.machine, pid});
  return at == processes_.end() ? OptRow::kNull : at->second;
}

uint32_t JsonRefs::browser(uint32_t machine) const {
  const StringId process_name = store_.strings.find("Browser");
  const StringId thread_name = store_.strings.find("CrBrowserMain");
  const ProcessTable& processes = store_.processes;
  for (uint32_t row = 0; process_name && row < processes.rows(); ++row)
    if (processes.name[row] == process_name && processes.machine_id[row] == machine) return row;
  const ThreadTable& threads = store_.threads;
  for (uint32_t row = 0; thread_name && row < threads.rows(); ++row)
    if (threads.name[row] == thread_name && threads.machine_id[row] == machine)
      return threads.upid[row].row;
  return OptRow::kNull;
}

}  // namespace tracebraid
