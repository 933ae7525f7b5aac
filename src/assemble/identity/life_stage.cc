#include "assemble/identity/life_stage.h"

#include <utility>

#include "base/android_uid.h"
#include "event/event_kind.h"
#include "event/make_event.h"

namespace tracebraid {

void LifeStage::process(const PlacedEvent& at) {
  const Event& event = at.event;
  if (event.what() == EventKind::ProcessStart && event.value == 1)
    return identity_.start_process(event.track, event.name, event.ts);
  if (event.what() == EventKind::ProcessStart) {
    starts_.try_emplace(event.track, event.ts);
    return;
  }
  if (event.what() == EventKind::ProcessParent)
    identity_.set_parent(event.track, static_cast<uint32_t>(event.value), at.from.file);
  if (event.what() == EventKind::ProcessSeen &&
      event.value == static_cast<int64_t>(SeenProcess::Died))
    return process_died(at);
  const uint32_t upid = identity_.process(event.track);
  if (upid == kNone) return;
  apply_start(event.track, upid);
  describe_process(at, upid);
}

void LifeStage::process_died(const PlacedEvent& at) {
  const uint32_t utid = identity_.known_main_thread(at.event.track);
  if (utid == kNone) return;
  const uint32_t upid = identity_.process_of_thread(utid);
  if (upid == OptRow::kNull) return;
  android_processes_.end(upid, at.event.ts);
  identity_.end_thread(store_.threads.machine_id[utid], store_.threads.tid[utid], at.event.ts);
}

void LifeStage::describe_process(const PlacedEvent& at, uint32_t upid) {
  const Event& event = at.event;
  ProcessTable& table = store_.processes;
  switch (event.what()) {
    case EventKind::ProcessSeen:
      if (event.value == static_cast<int64_t>(SeenProcess::Listed))
        chrome_processes_.note_listed(upid, event.ts);
      if (event.value == static_cast<int64_t>(SeenProcess::Described))
        chrome_processes_.note_described(upid, event.ts);
      if (event.value == static_cast<int64_t>(SeenProcess::Started))
        android_processes_.start(upid, event.ts, args_, at.args());
      break;
    case EventKind::ProcessName:
      identity_.name_process(upid, event.name, event.value);
      break;
    case EventKind::ProcessCmdline:
      table.cmdline.at(upid) = event.name;
      break;
    case EventKind::ProcessUid:
      table.uid.at(upid).value = event.value;
      table.android_appid.at(upid).value = app_of_uid(event.value);
      table.android_user_id.at(upid).value = user_of_uid(event.value);
      break;
    case EventKind::ProcessArgs:
      args_.hold(at.args());
      process_args_.add(upid, at.args());
      break;
    default:
      break;
  }
}

// The start of a process that started before all of its events is applied at the first event that
// names the process, so that rows are in the order of first use.
void LifeStage::apply_start(uint32_t process_name, uint32_t upid) {
  if (starts_.empty()) return;
  const auto at = starts_.find(process_name);
  if (at == starts_.end()) return;
  set_start(upid, at->second);
  starts_.erase(at);
}

void LifeStage::set_start(uint32_t upid, int64_t ts) {
  if (OptInt& start = store_.processes.start_ts.at(upid); start.value == OptInt::kNull)
    start.value = ts;
}

void LifeStage::finish_starts() {
  for (const auto& [name, ts] : std::exchange(starts_, {}))
    if (const uint32_t upid = identity_.process(name); upid != kNone) set_start(upid, ts);
}

void LifeStage::thread(const PlacedEvent& at) {
  const Event& event = at.event;
  if (event.what() == EventKind::ThreadStart) return identity_.start_thread(event.track, event.ts);
  if (event.what() == EventKind::ThreadEnd) {
    if (event.value == 0) return identity_.end_thread(event.track, event.ts);
    return identity_.note_end(event.track, event.ts);
  }
  const uint32_t utid = identity_.thread(event.track);
  if (event.what() == EventKind::ThreadName) identity_.name_thread(utid, event.name, event.value);
  if (event.what() == EventKind::TaskRename) identity_.rename_task(utid, event.name, event.value);
  if (event.what() != EventKind::ThreadArgs) return;
  args_.hold(at.args());
  thread_args_.add(utid, at.args());
}

void LifeStage::new_task(const PlacedEvent& at) {
  const uint32_t parent = identity_.thread(at.event.track);
  const uint32_t utid = identity_.new_task(at.event);
  if (utid != kNone)
    thread_states_.start(utid, at.event.ts, {.waker_utid = parent, .irq_context = 0});
}

void LifeStage::fill_args() {
  process_args_.fill(args_, store_.processes.arg_set_id);
  thread_args_.fill(args_, store_.threads.arg_set_id);
  chrome_processes_.fill(store_);
}

}  // namespace tracebraid
