// Facts: data about the whole file that is found chunk by chunk.
//
// Chunks are read in parallel and do not know each other. Data that depends on the order of the
// file is stored in ChunkFacts and settled by FileFacts, chunk by chunk.
//
// Input: ChunkFacts of each chunk in file order. Output: rows and args of the whole file. Called by
// document/ and read_file().
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "event/sink.h"
#include "format/json/args/args.h"
#include "format/json/profile/file_heaps.h"
#include "format/json/profile/file_stacks.h"
#include "format/json/recording/chunk_facts.h"

namespace tracebraid::json {

class FileFacts {
 public:
  // Takes the facts of the next chunk, and makes its batch consistent with the file.
  void settle(ChunkFacts&& facts, EventBatch& batch);

  uint64_t elements() const { return elements_; }
  uint64_t syntax_errors() const { return syntax_errors_; }
  std::vector<MetadataText>& metadata() { return metadata_; }
  const std::vector<SyncMark>& sync_marks() const { return sync_marks_; }
  // Notes a truncation; the first one applies.
  void note(Truncation truncation) {
    if (!truncation_) truncation_ = std::move(truncation);
  }
  const std::optional<Truncation>& truncation() const { return truncation_; }

  FileStacks& stacks() { return stacks_; }

  // Emits the facts that are known at the end.
  void write(EventSink& sink, ArgReader& args) const;
  // Emits callstacks, samples and heap dumps; times are of `clock`.
  void write_stacks(EventSink& sink, uint32_t clock);

 private:
  struct Counter {                                     // the series of one counter
    absl::flat_hash_map<std::string, int64_t> series;  // to its index
    std::string category, colour;
    bool has_category = false, has_colour = false;
  };
  using CounterKey = std::pair<int64_t, std::pair<std::string, std::string>>;  // pid, name, id

  int64_t number_of(const std::string& text);
  int64_t final_id(const std::vector<int64_t>& numbers, int64_t id) const;
  void describe_counters(const ChunkFacts& facts, EventBatch& batch);
  void take_hints(std::vector<Hint>&& hints, const std::vector<int64_t>& numbers);

  absl::flat_hash_map<std::string, int64_t> id_numbers_;
  absl::flat_hash_map<CounterKey, Counter> counters_;
  // The last hint of each kind; labels in order of appearance.
  std::map<std::pair<Hint::Kind, std::pair<int64_t, int64_t>>, Hint> hints_;
  std::map<int64_t, std::vector<std::string>> labels_;
  absl::flat_hash_set<std::pair<int64_t, std::string>> known_labels_;
  std::vector<MetadataText> metadata_;
  std::vector<SyncMark> sync_marks_;
  FileStacks stacks_;
  FileHeaps heaps_;
  std::optional<Truncation> truncation_;
  int64_t num_cpus_ = -1;
  uint64_t elements_ = 0;
  uint64_t syntax_errors_ = 0;
};

}  // namespace tracebraid::json
