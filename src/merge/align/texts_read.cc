// Reads the texts that a file has once.
#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/fnv.h"
#include "base/words.h"
#include "event/arg_group.h"
#include "event/event_kind.h"
#include "merge/align/hash.h"
#include "merge/align/texts.h"

namespace tracebraid::align {
namespace {

constexpr size_t kMostTexts = 1 << 20;   // of a file
constexpr size_t kShortestText = 12;     // bytes
constexpr size_t kLongestText = 512;     // bytes; of longer texts only these count
constexpr size_t kFewestTimeDigits = 4;  // of a time that a text begins with
constexpr std::array<std::string_view, 4> kTextKeys{"message", "msg", "text", "event.name"};

// Removes blanks, and the time that the text begins with.
std::string_view without_time(std::string_view text) {
  text = trim_lines(text.substr(0, kLongestText));
  const size_t end = std::min(text.find_first_not_of("0123456789:.,-/[]()+TZ "), text.size());
  const auto digits = static_cast<size_t>(
      std::count_if(text.begin(), text.begin() + static_cast<ptrdiff_t>(end), is_digit));
  return digits < kFewestTimeDigits ? text : text.substr(end);
}

bool is_text_key(std::string_view key) {
  return std::ranges::find(kTextKeys, without_arg_group(key)) != kTextKeys.end();
}

class TextReader {
 public:
  TextReader(const FileToLocate& file, std::span<const BatchTrackers> batches, size_t first,
             const EventKinds& kinds, LogTexts& all)
      : batches_(batches),
        first_(first),
        kinds_(kinds),
        all_(all),
        recordings_(file.file, all.recordings) {}

  void read() {
    for (size_t i = 0; i < batches_.size(); ++i) read_batch(first_ + i, batches_[i]);
    const size_t begin = all_.texts.size();
    for (auto& [key, of_key] : texts_)
      if (of_key.count == 1) all_.texts.push_back(of_key.text);
    // The order of the hash table is not that of other runs.
    std::sort(all_.texts.begin() + static_cast<ptrdiff_t>(begin), all_.texts.end(),
              [](const LogText& a, const LogText& b) { return a.key < b.key; });
    for (size_t i = begin; i < all_.texts.size(); ++i) set_surprise(all_.texts[i]);
  }

 private:
  struct OfKey {
    LogText text;
    uint64_t count = 0;
  };
  // A string of the batch, and its first event.
  struct OfString {
    uint64_t count = 0;
    LogText text;
  };

  void read_batch(size_t index, const BatchTrackers& batch) {
    using enum EventKind;
    if (!kinds_.has_any(index, {Log, Instant, FtraceEvent})) return;
    batch_ = batch.batch;
    batch_index_ = static_cast<uint32_t>(index);
    recordings_.begin(index, batch);
    strings_.clear();
    is_text_.clear();
    bool has_text_args = false;
    for (const ArgKey& key : batch_->args.keys) {
      is_text_.push_back(is_text_key(batch_->strings.get(key.key)));
      has_text_args |= is_text_.back();
    }
    const StringId print = batch_->strings.find("print"), buf = batch_->strings.find("buf");
    for (const Stream& stream : batch_->streams)
      for (const Event& event : stream.events) switch (event.what()) {
          case EventKind::Log:
            add(event, event.name, pid_of_thread(event.track));
            break;
          case EventKind::Instant:
            add(event, event.name, pid_of_track(event.track));
            if (has_text_args)
              add_args(event, [&](const ArgRow& row) { return is_text_[row.key]; });
            break;
          case EventKind::FtraceEvent:
            if (print && buf && event.name == print)
              add_args(event,
                       [&](const ArgRow& row) { return batch_->args.keys[row.key].key == buf; });
            break;
          default:
            break;
        }
    for (const auto& [row, of] : strings_) take({row}, of);
  }

  int64_t pid_of_thread(uint32_t thread) const {
    return thread < batch_->threads.size() ? batch_->threads[thread].pid : kNoId;
  }
  int64_t pid_of_track(uint32_t at) const {
    if (at >= batch_->tracks.size()) return kNoId;
    const TrackName& track = batch_->tracks[at];
    if (track.scope == TrackScope::Thread) return pid_of_thread(track.owner);
    return track.scope == TrackScope::Process && track.owner < batch_->processes.size()
               ? batch_->processes[track.owner].pid
               : kNoId;
  }

  template <class IsText>
  void add_args(const Event& event, IsText is_text) {
    if (event.args == kNone) return;
    for (const ArgRow* at = &batch_->args.rows[event.args];; ++at) {
      if (at->type == ArgType::String && is_text(*at))
        add(event, {static_cast<uint32_t>(at->value)},
            event.what() == EventKind::Instant ? pid_of_track(event.track) : kNoId);
      if (at->last) return;
    }
  }

  // Counts a text by its string, because many events share one.
  void add(const Event& event, StringId string, int64_t pid) {
    if (!string) return;
    OfString& of = strings_[string.row];
    if (++of.count > 1) return;
    of.text = {.recording = recordings_.of(event.clock),
               .batch = batch_index_,
               .text = string,
               .pid = pid};
    if (of.text.recording == kNone ||
        __builtin_mul_overflow(event.ts, batch_->clocks[event.clock].tick_ns, &of.text.at))
      of.count = 2;  // matches nothing
  }

  void take(StringId string, const OfString& of) {
    const std::string_view text = without_time(batch_->strings.get(string));
    if (text.size() < kShortestText) return;
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view word = take_word(rest);
      if (word.empty()) break;
      words_[fnv1a(word)] += of.count;
      all_words_ += of.count;
    }
    const uint64_t key = mix(1, fnv1a(text));
    if (key % stride_ != 0) return;
    OfKey& of_key = texts_[key];
    if (of_key.count == 0) {
      of_key.text = of.text;
      of_key.text.key = key;
      of_key.text.check = check_of(text);
    }
    of_key.count += of.count;
    if (texts_.size() <= kMostTexts) return;
    stride_ *= 2;
    absl::erase_if(texts_, [&](const auto& each) { return each.first % stride_ != 0; });
  }

  static uint64_t check_of(std::string_view text) {
    uint64_t hash = text.size();
    for (const char c : text) hash = mix(hash, static_cast<unsigned char>(c));
    return hash;
  }

  void set_surprise(LogText& of) const {
    std::string_view rest = without_time(batches_[of.batch - first_].batch->strings.get(of.text));
    double bits = 0;
    while (!rest.empty()) {
      const std::string_view word = take_word(rest);
      const auto at = words_.find(fnv1a(word));
      if (word.empty() || at == words_.end()) break;
      bits += std::log2(static_cast<double>(all_words_) / static_cast<double>(at->second));
    }
    of.surprise = static_cast<float>(bits);
  }

  std::span<const BatchTrackers> batches_;
  size_t first_;
  const EventKinds& kinds_;
  LogTexts& all_;
  RecordingIndex recordings_;
  const EventBatch* batch_ = nullptr;
  uint32_t batch_index_ = 0;
  std::vector<bool> is_text_;                        // by key of an arg
  absl::flat_hash_map<uint32_t, OfString> strings_;  // of the batch
  absl::flat_hash_map<uint64_t, OfKey> texts_;       // of the file
  absl::flat_hash_map<uint64_t, uint64_t> words_;    // how often the file has each
  uint64_t all_words_ = 0, stride_ = 1;
};

}  // namespace

LogTexts read_texts(std::span<const FileToLocate> files, const Trackers& trackers,
                    const EventKinds& kinds) {
  LogTexts all;
  if (trackers.all.size() < 2) return all;
  for_each_file(trackers, [&](size_t file, std::span<const BatchTrackers> batches, size_t first) {
    TextReader(files[file], batches, first, kinds, all).read();
  });
  return all;
}

}  // namespace tracebraid::align
