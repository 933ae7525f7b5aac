#include "format/json/recording/facts.h"

#include <algorithm>
#include <iterator>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/json/trace_event/threads.h"

namespace tracebraid::json {
namespace {

// Numbers for texts decrease from here on (spec json 3.3).
constexpr int64_t kFirstTextId = -1'000'000'001;

std::string_view arg_name(Hint::Kind kind) {
  switch (kind) {
    case Hint::Kind::ProcessSortIndex:
      return "process_sort_index_hint";
    case Hint::Kind::ProcessUptime:
      return "process_uptime_seconds";
    case Hint::Kind::ProcessLabel:
      return "chrome.process_label";
    case Hint::Kind::ThreadSortIndex:
      return "thread_sort_index_hint";
  }
  return {};
}

}  // namespace

void FileFacts::settle(ChunkFacts&& facts, EventBatch& batch) {
  elements_ += facts.elements;
  syntax_errors_ += facts.syntax_errors;
  num_cpus_ = std::max(num_cpus_, facts.num_cpus);
  if (facts.truncation) note(*std::move(facts.truncation));
  std::ranges::move(facts.metadata, std::back_inserter(metadata_));
  std::ranges::move(facts.sync_marks, std::back_inserter(sync_marks_));

  std::vector<int64_t> numbers;
  for (const std::string& text : facts.id_texts) numbers.push_back(number_of(text));
  if (!numbers.empty()) {
    for (ProcessName& name : batch.processes) name.pid = final_id(numbers, name.pid);
    for (ThreadName& name : batch.threads) {
      name.pid = final_id(numbers, name.pid);
      name.tid = final_id(numbers, name.tid);
    }
    for (CounterTrack& counter : facts.counters) counter.pid = final_id(numbers, counter.pid);
  }
  take_hints(std::move(facts.hints), numbers);
  const auto id_in_file = [&](int64_t id) { return final_id(numbers, id); };
  stacks_.settle(std::move(facts.stacks), batch, id_in_file);
  heaps_.settle(std::move(facts.heaps), batch, id_in_file);
  describe_counters(facts, batch);
}

int64_t FileFacts::number_of(const std::string& text) {
  const auto next = kFirstTextId - static_cast<int64_t>(id_numbers_.size());
  return id_numbers_.try_emplace(text, next).first->second;
}

void FileFacts::write_stacks(EventSink& sink, uint32_t clock) {
  stacks_.write(sink, clock, elements_ > 0,
                [&](const std::string& text) { return number_of(text); });
  heaps_.write(sink);
}

int64_t FileFacts::final_id(const std::vector<int64_t>& numbers, int64_t id) const {
  const int64_t index = kProvisionalId - id;
  if (!is_provisional(id) || index >= static_cast<int64_t>(numbers.size())) return id;
  return numbers[static_cast<size_t>(index)];
}

// Adds source args of counter tracks: category and colour of the first sample that has one, and the
// index of the series in its counter (spec json 4.6).
void FileFacts::describe_counters(const ChunkFacts& facts, EventBatch& batch) {
  if (facts.counters.empty()) return;
  EventSink sink(batch);
  ArgReader args(sink, 0, 0);
  const auto text = [&](StringId id) {
    return id ? std::string(batch.strings.get(id)) : std::string();
  };
  for (const CounterTrack& track : facts.counters) {
    Counter& counter = counters_[{track.pid, {text(track.name), text(track.id)}}];
    if (!counter.has_category && track.category) {
      counter.has_category = true;
      counter.category = text(track.category);
    }
    if (!counter.has_colour && track.colour) {
      counter.has_colour = true;
      counter.colour = text(track.colour);
    }
    const auto next = static_cast<int64_t>(counter.series.size());
    const int64_t index = counter.series.try_emplace(text(track.series), next).first->second;
    sink.open_args();
    if (counter.has_category) args.add_text("json.category", counter.category);
    args.add_text("json.name", text(track.name));
    if (track.id) args.add_text("json.id", text(track.id));
    args.add_text("json.series", text(track.series));
    if (counter.has_colour) args.add_text("json.cname", counter.colour);
    args.add_int("json.series_index", index);
    batch.tracks[track.track].source_args = sink.close_args();
  }
}

void FileFacts::take_hints(std::vector<Hint>&& hints, const std::vector<int64_t>& numbers) {
  for (Hint& hint : hints) {
    hint.pid = final_id(numbers, hint.pid);
    hint.tid = final_id(numbers, hint.tid);
    if (hint.kind == Hint::Kind::ProcessLabel) {
      if (known_labels_.emplace(hint.pid, hint.label).second)
        labels_[hint.pid].push_back(std::move(hint.label));
    } else {
      hints_[{hint.kind, {hint.pid, hint.tid}}] = std::move(hint);
    }
  }
}

void FileFacts::write(EventSink& sink, ArgReader& args) const {
  for (const auto& [key, hint] : hints_) {
    sink.open_args();
    args.add_int(arg_name(hint.kind), hint.value, hint.type);
    const uint32_t set = sink.close_args();
    ThreadName thread;
    thread.pid = hint.pid;
    thread.tid = hint.tid;
    ProcessName process;
    process.pid = hint.pid;
    if (hint.kind == Hint::Kind::ThreadSortIndex)
      sink.untimed(make_thread_args({}, sink.thread(thread), set));
    else
      sink.untimed(make_process_args({}, sink.process(process), set));
  }
  for (const auto& [pid, labels] : labels_) {
    sink.open_args();
    args.add_texts(arg_name(Hint::Kind::ProcessLabel), labels);
    ProcessName process;
    process.pid = pid;
    const uint32_t set = sink.close_args();
    sink.untimed(make_process_args({}, sink.process(process), set));
  }
  if (num_cpus_ >= 0) {
    Metadata row;
    row.key = sink.string("json_num_cpus");
    row.value = num_cpus_;
    sink.batch().metadata.push_back(row);
  }
}

}  // namespace tracebraid::json
