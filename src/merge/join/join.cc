#include "merge/join/join.h"

#include "event/event_traits.h"

namespace tracebraid {
namespace {

uint32_t mapped(const std::vector<uint32_t>& map, uint32_t index) {
  return index < map.size() ? map[index] : kNone;
}

void join_row(const JoinMap& map, ArgRow& row) {
  const auto index = static_cast<uint32_t>(row.value);
  switch (row.type) {
    case ArgType::String:
    case ArgType::Json:
      row.value = map.string({index}).row;
      break;
    case ArgType::Process:
    case ArgType::ProcessUint:
      row.value = mapped(map.processes, index);
      break;
    case ArgType::Thread:
    case ArgType::ThreadUint:
      row.value = mapped(map.threads, index);
      break;
    case ArgType::Track:
      row.value = mapped(map.tracks, index);
      break;
    case ArgType::Session:
      row.value = mapped(map.sessions, index);
      row.type = ArgType::Int;
      break;
    default:
      break;
  }
}

void join_facts(const JoinMap& map, EventBatch& batch) {
  const auto join = [&](StringId& id) { id = map.string(id); };
  for (ArgKey& key : batch.args.keys) {
    join(key.flat_key);
    join(key.key);
    join(key.path);
  }
  for (SwitchExtra& extra : batch.switches) {
    join(extra.prev_state_text);
    join(extra.prev_comm);
    join(extra.next_comm);
  }
  for (WakingExtra& extra : batch.wakings) join(extra.row_name);
  for (BlockedExtra& extra : batch.blocked) join(extra.function);
  for (FlowExtra& extra : batch.flow_extras) join(extra.text_id);
  for (MachineFacts& facts : batch.machine_facts)
    for (StringId* id : {&facts.name, &facts.sysname, &facts.release, &facts.version, &facts.arch,
                         &facts.android_build_fingerprint, &facts.android_device_manufacturer})
      join(*id);
  for (CpuFacts& facts : batch.cpus) join(facts.processor);
  for (GpuFacts& facts : batch.gpus)
    for (StringId* id : {&facts.name, &facts.vendor, &facts.model, &facts.architecture, &facts.uuid,
                         &facts.pci_bdf})
      join(*id);
  for (Metadata& row : batch.metadata) {
    join(row.key);
    join(row.text);
  }
}

}  // namespace

bool shows_track_events(std::string_view type) {
  return type == "thread_execution" || type.ends_with("_track_event") ||
         type.starts_with("legacy_") || type == "chrome_process_instant";
}

JoinMap NameJoiner::join(FileId file, std::span<const MachineId> machines, EventBatch& batch,
                         StringPool& strings) {
  JoinMap map;
  map.strings = strings.adopt(std::move(batch.strings));
  join_facts(map, batch);
  // A pid is the same process in all files of a machine, unless a file distinguishes processes with
  // that pid, which applies to the file only.
  map.processes.reserve(batch.processes.size());
  for (ProcessName name : batch.processes) {
    name.machine = machines[name.machine].row;
    name.file = name.life != 0 ? file : FileId{};
    map.processes.push_back(process(name));
  }
  map.threads.reserve(batch.threads.size());
  for (ThreadName name : batch.threads) {
    name.machine = machines[name.machine].row;
    name.file = name.life != 0 ? file : FileId{};
    map.threads.push_back(thread(name));
  }
  for (const SampleSession& name : batch.stacks.sessions)
    map.sessions.push_back(session(name, file, machines, map));
  join_tracks(file, machines, batch, map);
  for (const auto& [name, shown] : batch.process_track_names)
    names_.process_track_names[{file, map.string(name)}] = map.string(shown);
  for (const TrackName& track : batch.tracks)
    map.is_of_track_events.push_back(track.type &&
                                     shows_track_events(strings.get(map.string(track.type))));
  join_json(map, batch.json);
  join_memory(map, batch.memory);
  return map;
}

uint32_t NameJoiner::session(SampleSession session, FileId file,
                             std::span<const MachineId> machines, const JoinMap& map) {
  session.machine = machines[session.machine].row;
  session.file = file;
  for (StringId* id : {&session.source, &session.timebase_unit, &session.cmdline})
    *id = map.string(*id);
  return sessions_.add(names_.sessions, session);
}

void NameJoiner::join_tracks(FileId file, std::span<const MachineId> machines,
                             const EventBatch& batch, JoinMap& map) {
  constexpr uint32_t kWaiting = kNone - 1;  // on the chain; a loop of parents ends at it
  map.tracks.assign(batch.tracks.size(), kNone);
  std::vector<uint32_t> chain;
  for (uint32_t first = 0; first < batch.tracks.size(); ++first) {
    for (uint32_t i = first; i < batch.tracks.size() && map.tracks[i] == kNone;
         i = batch.tracks[i].parent) {
      map.tracks[i] = kWaiting;
      chain.push_back(i);
    }
    while (!chain.empty()) {  // parents first
      const uint32_t i = chain.back();
      chain.pop_back();
      TrackName name = batch.tracks[i];
      name.machine = machines[name.machine].row;
      name.file = file;
      if (name.scope == TrackScope::Process) name.owner = mapped(map.processes, name.owner);
      if (name.scope == TrackScope::Thread) name.owner = mapped(map.threads, name.owner);
      name.type = map.string(name.type);
      name.name = map.string(name.name);
      name.unit = map.string(name.unit);
      name.parent = mapped(map.tracks, name.parent);
      if (name.parent == kWaiting) name.parent = kNone;
      name.dimensions = args(batch.args, name.dimensions, map);
      name.source_args = args(batch.args, name.source_args, map);
      map.tracks[i] = track(name);
    }
  }
}

uint32_t NameJoiner::process(ProcessName name) { return processes_.add(names_.processes, name); }

uint32_t NameJoiner::thread(ThreadName name) { return threads_.add(names_.threads, name); }

uint32_t NameJoiner::track(const TrackName& name) { return tracks_.add(names_.tracks, name); }

uint32_t NameJoiner::arg_key(ArgKey key) { return arg_keys_.add(names_.args.keys, key); }

// Joins equal sets, so that equal tracks of two batches of a file become one.
uint32_t NameJoiner::args(const ArgSets& from, uint32_t set, const JoinMap& map) {
  if (set == kNone) return kNone;
  rows_.clear();
  bytes_.clear();
  for (size_t i = set;; ++i) {
    ArgRow row{};
    row.value = from.rows[i].value;
    row.key = arg_key(from.keys[from.rows[i].key]);
    row.type = from.rows[i].type;
    row.last = from.rows[i].last;
    row.unlisted = from.rows[i].unlisted;
    join_row(map, row);
    rows_.push_back(row);
    bytes_.append(reinterpret_cast<const char*>(&row.value), sizeof row.value);
    bytes_.append(reinterpret_cast<const char*>(&row.key), sizeof row.key);
    bytes_.push_back(static_cast<char>(row.type));
    bytes_.push_back(row.unlisted ? '1' : '0');
    if (row.last) break;
  }
  const auto known = arg_sets_.find(bytes_);
  if (known != arg_sets_.end()) return known->second;
  const auto at = static_cast<uint32_t>(names_.args.rows.size());
  names_.args.rows.insert(names_.args.rows.end(), rows_.begin(), rows_.end());
  arg_sets_.emplace(bytes_, at);
  return at;
}

bool join_args(const JoinMap& map, std::span<ArgRow> rows) {
  bool any = false;
  for (ArgRow& row : rows) {
    join_row(map, row);
    any |= names_row(row.type);
  }
  return any;
}

void join_stacks(const JoinMap& map, EventBatch& batch) {
  const auto join = [&](auto&... ids) { ((ids = map.string(ids)), ...); };
  StackTables& stacks = batch.stacks;
  for (StackMapping& mapping : stacks.mappings) join(mapping.name, mapping.build_id);
  for (StackFrame& frame : stacks.frames) join(frame.name, frame.type, frame.source_file);
  for (AsyncContext& context : stacks.async_contexts) join(context.name, context.kind);
  for (SampleExtra& sample : stacks.samples) {
    join(sample.cpu_mode, sample.unwind_error);
    sample.session = mapped(map.sessions, sample.session);
    sample.process = mapped(map.processes, sample.process);
  }
  for (SampleCounter& counter : stacks.sample_counters)
    counter.track = mapped(map.tracks, counter.track);
  for (ModuleSymbols& module : stacks.module_symbols) {
    join(module.path, module.build_id);
    for (SymbolLine& line : module.lines) join(line.function, line.file);
  }
  for (HeapGraph& graph : stacks.heap_graphs) {
    for (HeapGraphClass& type : graph.classes) join(type.name, type.location, type.kind);
    for (HeapGraphObject& object : graph.objects) join(object.heap_type, object.root_type);
    for (HeapGraphReference& reference : graph.references)
      join(reference.field_name, reference.field_type);
  }
  for (OutOfMemory& state : stacks.out_of_memory) {
    join(state.error);
    state.thread = mapped(map.threads, state.thread);
  }
  for (Deobfuscation& entry : stacks.deobfuscations)
    join(entry.package, entry.obfuscated, entry.name);
}

void join_event(const JoinMap& map, Event& event) {
  const EventTraits& traits = traits_of(event.what());
  event.name = map.string(event.name);
  event.category = map.string(event.category);
  switch (traits.track) {
    case TrackField::Track:
      event.track = mapped(map.tracks, event.track);
      break;
    case TrackField::Process:
      event.track = mapped(map.processes, event.track);
      break;
    case TrackField::Thread:
    case TrackField::MaybeThread:
      event.track = mapped(map.threads, event.track);
      break;
    case TrackField::None:
    case TrackField::Cpu:
    case TrackField::StatIndex:
      break;
  }
  if (traits.value == ValueField::Process)
    event.value = mapped(map.processes, static_cast<uint32_t>(event.value));
  if (traits.extra == ExtraField::Text) event.extra = map.string({event.extra}).row;
}

}  // namespace tracebraid
