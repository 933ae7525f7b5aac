#include "assemble/identity/identity.h"
#include "assemble/stats.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tracebraid {

Identity::Identity(const Names& names, std::span<const bool> zero_is_idle, Store& store,
                   Problems& problems)
    : names_(names),
      processes_(store.processes),
      threads_(store.threads),
      problems_(problems),
      small_slots_(zero_is_idle.size()),
      known_processes_(names.processes.size()),
      known_threads_(names.threads.size()) {
  const StringId swapper = store.strings.intern("swapper");
  for (uint32_t machine = 0; machine < zero_is_idle.size(); ++machine) {
    add_idle(machine, zero_is_idle[machine]);
    if (zero_is_idle[machine]) name_thread(machine, swapper, kThreadNameConstant);
  }
  for (const ProcessName& name : names.processes)
    process_slots_.push_back(slot_of(name.machine, name.pid));
  for (const ThreadName& name : names.threads)
    thread_slots_.push_back(slot_of(name.machine, name.tid));
}

void Identity::add_idle(uint32_t machine, bool is_zero) {
  // A number that no file can contain represents the idle task on machines where 0 is an ordinary
  // number.
  Slot slot = 0;
  if (is_zero) {
    slot = slot_of(machine, 0);
  } else {
    slot = static_cast<Slot>(numbers_.size());
    numbers_.push_back({machine, 0});
  }
  const uint32_t upid = add_process(slot, std::nullopt);
  const uint32_t utid = add_thread(slot, std::nullopt);
  adopt(utid, upid);
  threads_.is_idle.at(utid) = 1;
}

uint32_t Identity::process(uint32_t name) {
  if (name >= known_processes_.size()) return kNone;
  Known& known = known_processes_[name];
  const ProcessName& process = names_.processes[name];
  if (known.row != kNone && (known.lives == lives_ || process.life != 0)) return known.row;
  const Slot slot = process_slots_[name];
  const uint32_t row = process.life != 0 ? process_with_life(process, slot) : find_process(slot);
  known = {row, lives_};
  return row;
}

uint32_t Identity::thread(uint32_t name) {
  if (name >= known_threads_.size()) return kNone;
  const ThreadName& thread = names_.threads[name];
  const Slot slot = thread_slots_[name];
  if (!is_stable(name)) return find_thread(slot);
  Known& known = known_threads_[name];
  if (known.row != kNone && (known.lives == lives_ || thread.life != 0)) {
    if (thread.life == 0) numbers_[slot].live_thread = known.row;
    return known.row;
  }
  uint32_t row = 0;
  if (thread.life != 0) {
    row = thread_with_life(thread, slot);
  } else {
    row = associate(slot, find_process(slot_of(thread.machine, thread.pid)));
  }
  known = {row, lives_};
  return row;
}

uint32_t Identity::thread_of(uint32_t machine, int64_t tid) {
  return find_thread(slot_of(machine, tid));
}

uint32_t Identity::known_thread(uint32_t machine, int64_t tid) const {
  const auto at = slots_.find({machine, tid});
  if (at == slots_.end()) return kNone;
  const uint32_t live = numbers_[at->second].live_thread;
  return live != kNone && is_alive(live) ? live : kNone;
}

uint32_t Identity::process_of(uint32_t machine, int64_t pid) {
  return find_process(slot_of(machine, pid));
}

uint32_t Identity::thread_of(uint32_t machine, int64_t tid, int64_t pid) {
  return associate(slot_of(machine, tid), process_of(machine, pid));
}

uint32_t Identity::process_with_life(const ProcessName& name, Slot slot) {
  const uint32_t upid = find_process(slot);
  const auto [claim, is_first] = claimed_processes_.try_emplace({name.file, upid}, name.life);
  if (is_first || claim->second == name.life) return upid;
  const uint32_t next = begin_process(slot, {}, std::nullopt);
  claimed_processes_[{name.file, next}] = name.life;
  return next;
}

uint32_t Identity::thread_with_life(const ThreadName& name, Slot slot) {
  const uint32_t upid = name.pid == kNoId ? kNone : find_process(slot_of(name.machine, name.pid));
  const uint32_t utid = upid == kNone ? find_thread(slot) : associate(slot, upid);
  const auto [claim, is_first] = claimed_threads_.try_emplace({name.file, utid}, name.life);
  if (is_first || claim->second == name.life) return utid;
  ++lives_;
  const uint32_t next = add_thread(slot, std::nullopt);
  if (upid != kNone) adopt(next, upid);
  claimed_threads_[{name.file, next}] = name.life;
  return next;
}

void Identity::name_process(uint32_t upid, StringId name, int64_t priority) {
  if (upid == kNone || !name || priority < process_lives_[upid].priority) return;
  process_lives_[upid].priority = static_cast<uint8_t>(std::min<int64_t>(priority, 255));
  processes_.name.at(upid) = name;
}

void Identity::name_thread(uint32_t utid, StringId name, int64_t priority) {
  if (utid == kNone || !name || priority < thread_lives_[utid].priority) return;
  thread_lives_[utid].priority = static_cast<uint8_t>(std::min<int64_t>(priority, 255));
  threads_.name.at(utid) = name;
}

void Identity::rename_task(uint32_t utid, StringId name, int64_t priority) {
  name_thread(utid, name, priority);
  if (utid == kNone) return;
  const uint32_t upid = threads_.upid[utid].row;
  if (upid != OptRow::kNull && processes_.pid[upid] == threads_.tid[utid])
    name_process(upid, name, kProcessNameFromSystem);
}

void Identity::set_parent(uint32_t process_name, uint32_t parent_name, FileId file) {
  const uint32_t parent = process(parent_name);  // its row comes first
  const uint32_t child = process(process_name);
  if (parent == kNone || child == kNone) return;
  OptRow& now = processes_.parent_upid.at(child);
  if (now.row == OptRow::kNull) {
    now.row = parent;
  } else if (now.row != parent) {
    problems_.count(stats::process_tracker_parent_pid_changed, processes_.machine_id[child], file);
  }
}

void Identity::start_process(uint32_t process_name, StringId name, int64_t ts) {
  if (process_name >= process_slots_.size()) return;
  begin_process(process_slots_[process_name], name, ts);
}

void Identity::start_thread(uint32_t thread_name, int64_t ts) {
  if (thread_name >= thread_slots_.size()) return;
  const ThreadName& name = names_.threads[thread_name];
  ++lives_;
  const uint32_t utid = add_thread(thread_slots_[thread_name], ts);
  if (name.pid != kNoId) adopt(utid, find_process(slot_of(name.machine, name.pid)));
}

uint32_t Identity::start_thread(uint32_t machine, int64_t tid, int64_t ts) {
  ++lives_;
  return add_thread(slot_of(machine, tid), ts);
}

void Identity::end_thread(uint32_t machine, int64_t tid, int64_t ts) {
  end_live_thread(slot_of(machine, tid), ts);
}

void Identity::end_thread(uint32_t thread_name, int64_t ts) {
  if (thread_name < thread_slots_.size()) end_live_thread(thread_slots_[thread_name], ts);
}

void Identity::note_end(uint32_t thread_name, int64_t ts) {
  if (thread_name >= thread_slots_.size()) return;
  const uint32_t utid = numbers_[thread_slots_[thread_name]].live_thread;
  if (utid != kNone) set_end(utid, ts);
}

uint32_t Identity::set_end(uint32_t utid, int64_t ts) {
  threads_.end_ts.at(utid).value = ts;
  const uint32_t upid = threads_.upid[utid].row;
  if (upid == OptRow::kNull || processes_.pid[upid] != threads_.tid[utid]) return kNone;
  processes_.end_ts.at(upid).value = ts;
  return upid;
}

void Identity::end_live_thread(Slot slot, int64_t ts) {
  Number& number = numbers_[slot];
  const uint32_t utid = number.live_thread;
  if (utid == kNone || !is_alive(utid)) return;
  ++lives_;
  thread_lives_[utid].ended = true;
  const uint32_t upid = set_end(utid, ts);
  if (upid == kNone) return;
  process_lives_[upid].ended = true;
  if (number.process == upid) number.process = kNone;
}

uint32_t Identity::new_task(const Event& event) {
  const uint32_t parent = thread(event.track);
  if (parent == kNone || event.value == 0) return kNone;
  const Slot slot = slot_of(threads_.machine_id[parent], event.value);
  const uint32_t parent_upid = threads_.upid[parent].row;
  if (event.extra == 1) {
    ++lives_;
    const uint32_t utid = add_thread(slot, event.ts);
    name_thread(utid, event.name, kThreadNameFromSched);
    if (parent_upid != OptRow::kNull) {
      adopt(utid, parent_upid);
    } else {
      waiting_threads_[parent].push_back(utid);
      waiting_threads_[utid].push_back(parent);
    }
    return utid;
  }
  const uint32_t upid = begin_process(slot, event.name, event.ts);
  if (parent_upid != OptRow::kNull) {
    processes_.parent_upid.at(upid).row = parent_upid;
  } else {
    waiting_children_[parent].push_back(upid);
  }
  return numbers_[slot].live_thread;
}

Identity::Slot Identity::slot_of(uint32_t machine, int64_t id) {
  // Ids in the default range of kernels are found by index, without hashing.
  constexpr uint64_t kSmallIds = 1 << 15;
  const bool is_small = static_cast<uint64_t>(id) < kSmallIds && machine < small_slots_.size();
  if (is_small && static_cast<uint64_t>(id) < small_slots_[machine].size()) {
    const Slot known = small_slots_[machine][static_cast<size_t>(id)];
    if (known != kNone) return known;
  }
  const auto [at, added] = slots_.try_emplace({machine, id}, static_cast<Slot>(numbers_.size()));
  if (added) numbers_.push_back({machine, id});
  if (is_small) {
    std::vector<Slot>& slots = small_slots_[machine];
    if (slots.size() <= static_cast<uint64_t>(id))
      slots.resize(std::bit_ceil(static_cast<size_t>(id) + 1), kNone);
    slots[static_cast<size_t>(id)] = at->second;
  }
  return at->second;
}

uint32_t Identity::find_process(Slot slot) {
  if (numbers_[slot].process != kNone) return numbers_[slot].process;
  const uint32_t upid = add_process(slot, std::nullopt);
  associate(slot, upid);  // the main thread
  return upid;
}

uint32_t Identity::bare_process_of(uint32_t machine, int64_t pid) {
  const Slot slot = slot_of(machine, pid);
  const uint32_t known = numbers_[slot].process;
  return known != kNone ? known : add_process(slot, std::nullopt);
}

uint32_t Identity::thread_in(uint32_t machine, int64_t tid, uint32_t upid) {
  return associate(slot_of(machine, tid), upid);
}

uint32_t Identity::find_thread(Slot slot) {
  const uint32_t live = numbers_[slot].live_thread;
  if (live != kNone && is_alive(live)) return live;
  return add_thread(slot, std::nullopt);
}

// Returns the newest thread of the tid in the process, or without a process.
uint32_t Identity::associate(Slot tid, uint32_t upid) {
  uint32_t& unowned = numbers_[tid].unowned;
  while (unowned != kNone && (has_process(unowned) || !is_alive(unowned)))
    unowned = thread_lives_[unowned].older_unowned;
  uint32_t owned = kNone;
  if (const auto at = owned_.find({tid, upid}); at != owned_.end()) {
    while (at->second != kNone && !is_alive(at->second))
      at->second = thread_lives_[at->second].older_owned;
    owned = at->second;
  }
  uint32_t utid = owned;
  if (unowned != kNone && (owned == kNone || unowned > owned)) utid = unowned;
  if (utid == kNone) utid = add_thread(tid, std::nullopt);
  if (utid != owned) adopt(utid, upid);
  numbers_[tid].live_thread = utid;
  return utid;
}

bool Identity::is_alive(uint32_t utid) const {
  const ThreadLife& life = thread_lives_[utid];
  const uint32_t upid = threads_.upid[utid].row;
  return !life.ended && utid >= numbers_[life.slot].first_alive &&
         (upid == OptRow::kNull || !process_lives_[upid].ended);
}

uint32_t Identity::add_process(Slot slot, std::optional<int64_t> ts) {
  const auto upid = static_cast<uint32_t>(process_lives_.size());
  process_lives_.push_back({slot});
  processes_.pid.append(numbers_[slot].id);
  processes_.name.append({});
  processes_.start_ts.append({ts.value_or(OptInt::kNull)});
  processes_.end_ts.append({});
  processes_.parent_upid.append({});
  processes_.uid.append({});
  processes_.android_appid.append({});
  processes_.android_user_id.append({});
  processes_.cmdline.append({});
  processes_.arg_set_id.append({});
  processes_.machine_id.append(numbers_[slot].machine);
  numbers_[slot].process = upid;
  return upid;
}

uint32_t Identity::add_thread(Slot slot, std::optional<int64_t> ts) {
  const auto utid = static_cast<uint32_t>(thread_lives_.size());
  Number& number = numbers_[slot];
  thread_lives_.push_back({slot, number.unowned});
  number.unowned = utid;
  number.live_thread = utid;
  threads_.tid.append(number.id);
  threads_.name.append({});
  threads_.start_ts.append({ts.value_or(OptInt::kNull)});
  threads_.end_ts.append({});
  threads_.upid.append({});
  threads_.is_main_thread.append({});
  threads_.is_idle.append(0);
  threads_.machine_id.append(number.machine);
  threads_.arg_set_id.append({});
  return utid;
}

// Puts a thread without a process, and the threads that wait for its process, into `upid`.
void Identity::adopt(uint32_t utid, uint32_t upid) {
  std::vector<uint32_t> to_do{utid};
  while (!to_do.empty()) {
    const uint32_t next = to_do.back();
    to_do.pop_back();
    if (has_process(next)) continue;
    set_process(next, upid);
    const auto at = waiting_threads_.find(next);
    if (at == waiting_threads_.end()) continue;
    to_do.insert(to_do.end(), at->second.begin(), at->second.end());
    waiting_threads_.erase(at);
  }
}

void Identity::set_process(uint32_t utid, uint32_t upid) {
  ThreadLife& life = thread_lives_[utid];
  const auto [newest, is_first] = owned_.try_emplace({life.slot, upid}, utid);
  if (!is_first) life.older_owned = std::exchange(newest->second, utid);
  threads_.upid.at(utid).row = upid;
  threads_.is_main_thread.at(utid).value = threads_.tid[utid] == processes_.pid[upid] ? 1 : 0;
  const auto at = waiting_children_.find(utid);
  if (at == waiting_children_.end()) return;
  for (const uint32_t child : at->second)
    if (processes_.parent_upid[child].row == OptRow::kNull)
      processes_.parent_upid.at(child).row = upid;
  waiting_children_.erase(at);
}

// Handles a reused pid: later events do not refer to the old process.
uint32_t Identity::begin_process(Slot slot, StringId name, std::optional<int64_t> ts) {
  ++lives_;
  if (const uint32_t old = numbers_[slot].process; old != kNone) process_lives_[old].ended = true;
  numbers_[slot].first_alive = static_cast<uint32_t>(thread_lives_.size());
  numbers_[slot].unowned = kNone;
  const uint32_t utid = add_thread(slot, ts);
  const uint32_t upid = add_process(slot, ts);
  adopt(utid, upid);
  name_thread(utid, name, kThreadNameFromSched);
  name_process(upid, name, kProcessNameFromSystem);
  return upid;
}

}  // namespace tracebraid
