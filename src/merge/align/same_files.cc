#include "merge/align/same_files.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "merge/align/recording.h"

namespace tracebraid::align {
namespace {

std::string_view text_of(const EventBatch& batch, StringId id) {
  return id ? batch.strings.get(id) : std::string_view();
}

// Whether both batches state the same facts and args, such as the rank of a job.
bool have_same_args(const EventBatch& a, const EventBatch& b) {
  const auto is_same_fact = [&](const Metadata& x, const Metadata& y) {
    return x.value == y.value && a.strings.get(x.key) == b.strings.get(y.key) &&
           text_of(a, x.text) == text_of(b, y.text);
  };
  const auto is_same_arg = [&](const ArgRow& x, const ArgRow& y) {
    if (x.type != y.type ||
        a.strings.get(a.args.keys[x.key].key) != b.strings.get(b.args.keys[y.key].key))
      return false;
    if (x.type != ArgType::String && x.type != ArgType::Json) return x.value == y.value;
    return text_of(a, {static_cast<uint32_t>(x.value)}) ==
           text_of(b, {static_cast<uint32_t>(y.value)});
  };
  return std::ranges::equal(a.metadata, b.metadata, is_same_fact) &&
         std::ranges::equal(a.args.rows, b.args.rows, is_same_arg);
}

// The events of a file, in the order of its batches.
class EventsOfFile {
 public:
  explicit EventsOfFile(std::span<const BatchTrackers> batches) : batches_(batches) {}

  // Number, and the times of the first and the last one.
  using Outline = std::tuple<size_t, int64_t, int64_t>;
  Outline outline() const {
    Outline outline;
    auto& [count, first, last] = outline;
    for_each([&](const Stream& stream, const EventBatch&) {
      if (stream.events.empty()) return;
      if (count == 0) first = stream.events.front().ts;
      count += stream.events.size();
      last = stream.events.back().ts;
    });
    return outline;
  }

  bool equals(const EventsOfFile& other) const {
    std::vector<std::pair<const Stream*, const EventBatch*>> all, others;
    for_each([&](const Stream& s, const EventBatch& batch) { all.emplace_back(&s, &batch); });
    other.for_each(
        [&](const Stream& s, const EventBatch& batch) { others.emplace_back(&s, &batch); });
    const auto have_equal_args = [](const BatchTrackers& a, const BatchTrackers& b) {
      return have_same_args(*a.batch, *b.batch);
    };
    return std::ranges::equal(batches_, other.batches_, have_equal_args) &&
           std::ranges::equal(all, others, [](const auto& a, const auto& b) {
             return std::ranges::equal(
                 a.first->events, b.first->events, [&](const Event& x, const Event& y) {
                   return x.ts == y.ts && x.value == y.value && x.kind == y.kind &&
                          text_of(*a.second, x.name) == text_of(*b.second, y.name);
                 });
           });
  }

 private:
  template <class Visit>
  void for_each(Visit visit) const {
    for (const BatchTrackers& batch : batches_)
      for (const Stream& stream : batch.batch->streams) visit(stream, *batch.batch);
  }
  std::span<const BatchTrackers> batches_;
};

}  // namespace

SameFiles find_same_files(std::span<const FileToLocate> files, const Trackers& trackers) {
  constexpr size_t kFewestEvents = 8;  // fewer are equal by chance
  SameFiles same;
  std::map<EventsOfFile::Outline, std::pair<FileId, EventsOfFile>> first;
  for_each_file(trackers, [&](size_t file, std::span<const BatchTrackers> batches, size_t) {
    const EventsOfFile events(batches);
    const EventsOfFile::Outline outline = events.outline();
    if (std::get<0>(outline) < kFewestEvents) return;
    const auto [at, added] = first.try_emplace(outline, files[file].file, events);
    if (!added && events.equals(at->second.second))
      same.emplace_back(files[file].file, at->second.first);
  });
  return same;
}

void refuse_same_files(const SameFiles& same, std::vector<MatchSet>& sets) {
  for (MatchSet& set : sets) {
    if (std::ranges::find(same, std::pair(set.file_a, set.file_b)) == same.end()) continue;
    if (set.reason == Reason::None || set.reason == Reason::OneSided) set.reason = Reason::NotSame;
    set.detail = "same_file: both files have the same events, as one that was given twice";
    set.offset_ns = 0;
    set.knots.clear();
    set.limits.clear();
  }
}

}  // namespace tracebraid::align
