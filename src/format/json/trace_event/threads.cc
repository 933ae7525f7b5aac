#include "format/json/trace_event/threads.h"

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/json/stats.h"
#include "format/json/trace_event/ids.h"

namespace tracebraid::json {
namespace {

constexpr int64_t kLowestPriority = 0;  // of names: metadata events take precedence

}  // namespace

Who Threads::who(const Members& members) {
  Who who;
  const std::optional<int64_t> pid = id(members, Field::Pid);
  const std::optional<int64_t> tid = id(members, Field::Tid);
  who.has_pid = pid.has_value();
  who.has_tid = tid.has_value();
  who.pid = pid.value_or(0);
  who.tid = tid.value_or(0);
  if (who.tid == 0) who.tid = who.pid;
  return who;
}

uint32_t Threads::process(int64_t pid) {
  const auto [at, added] = processes_.try_emplace(pid, kNone);
  if (!added) return at->second;
  ProcessName name;
  name.pid = pid;
  at->second = sink_.process(name);
  if (is_provisional(pid))
    sink_.untimed(
        make_process_name({}, at->second, sink_.string(text_of_id(pid)), kLowestPriority));
  return at->second;
}

uint32_t Threads::track(const Who& who) {
  Entry& of = entry(who);
  if (of.track != kNone) return of.track;
  TrackName name;
  name.scope = TrackScope::Thread;
  name.overlap = Overlap::Spill;
  name.owner = of.thread;
  name.type = sink_.string("thread_execution");
  return of.track = sink_.track(name);
}

int64_t Threads::lasting_pid(int64_t pid) const {
  if (!is_provisional(pid)) return pid;
  CanonicalId text;
  text.text = text_of_id(pid);
  return static_cast<int64_t>(as_number(text));
}

std::optional<int64_t> Threads::id(const Members& members, Field field) {
  const Value& value = members[field];
  if (value.has(Kind::Number)) {
    if (const std::optional<int64_t> whole = to_int64(value.number)) return whole;
    sink_.count(stats::json_pid_type, members.at, members.text);
    return truncated(value.number);
  }
  if (!value.has(Kind::String)) return std::nullopt;
  std::string scratch;
  const std::string_view text = text_of(value, scratch);
  const std::string_view digits =
      text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
  const bool is_decimal =
      !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (is_decimal)
    if (const std::optional<Number> number = number_in(text))
      if (const std::optional<int64_t> whole = to_int64(*number)) return whole;
  return number_for(text);
}

int64_t Threads::number_for(std::string_view text) {
  const auto at = numbers_.find(text);
  if (at != numbers_.end()) return at->second;
  const int64_t number = kProvisionalId - static_cast<int64_t>(texts_.size());
  numbers_.emplace(text, number);
  texts_.emplace_back(text);
  return number;
}

Threads::Entry& Threads::find_entry(const Who& who) {
  const Key key{who.pid, who.tid};
  const auto [at, added] = indexes_.try_emplace(key, static_cast<uint32_t>(entries_.size()));
  recent_[recent_place(key)] = {key, at->second};
  if (!added) return entries_[at->second];
  process(who.pid);  // named before its threads
  ThreadName name;
  name.pid = who.pid;
  name.tid = who.tid;
  Entry& made = entries_.emplace_back();
  made.thread = sink_.thread(name);
  if (is_provisional(who.tid) && who.has_tid)
    sink_.untimed(
        make_thread_name({}, made.thread, sink_.string(text_of_id(who.tid)), kLowestPriority));
  return made;
}

std::string_view Threads::text_of_id(int64_t provisional) const {
  return texts_[static_cast<size_t>(kProvisionalId - provisional)];
}

}  // namespace tracebraid::json
