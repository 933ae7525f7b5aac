// Format: the description and the functions of one trace format.
//
// A plain value with function pointers. Each folder of a format defines one; formats.inc lists
// them.
//
// Input: the bytes of one file (Input). Output: one EventBatch per chunk. Called by merge, which
// does not include the folders of single formats.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "base/workers.h"
#include "container/input.h"
#include "event/sink.h"

namespace tracebraid {

class HeldMemory;

struct Peek {
  std::string_view head;  // the first bytes, at most kPeekBytes
  std::string_view name;  // path of the member; not used for detection
};
inline constexpr size_t kPeekBytes = 8192;

enum class Match : uint8_t {
  No,
  Weak,    // little speaks for it; any better match is preferred
  Maybe,   // text that would parse
  Likely,  // a structure that only this format has
  Sure,    // a magic number
};

// The default clock of the times of a format (spec clocks 6.1).
struct FormatClock {
  uint32_t domain = 0;  // 0: none
  bool claims_trace_time = false;
  bool is_default = false;  // also the clock of ClockName::by_default
};

// The output of a reader: one batch per chunk, in file order.
class Chunks {
 public:
  // `memory`, if given, counts each chunk when it has been filled. After its limit is exceeded,
  // chunks stay empty.
  explicit Chunks(Workers& workers, HeldMemory* memory = nullptr);
  ~Chunks();

  // Adds a chunk that this thread fills, until the next add() or run().
  EventSink& add();
  // Adds a chunk that a task fills, now or on another thread.
  void run(std::function<void(EventSink&)> fill);
  // Waits for all tasks so far.
  void wait() { group_.wait(); }
  // Waits for all tasks and removes all chunks.
  void clear();
  // Waits for all tasks and returns the batches. Called by the caller of read().
  std::vector<EventBatch> finish() &&;

 private:
  struct Chunk;
  // Counts the growth of the chunk of the last add().
  void count_added();

  std::vector<std::unique_ptr<Chunk>> chunks_;
  HeldMemory* memory_;
  const EventBatch* added_ = nullptr;
  size_t added_bytes_ = 0;  // counted so far
  TaskGroup group_;
};

struct ReadOptions {
  uint32_t max_json_depth = 512;
  // Serialised FileDescriptorSets of messages in proto traces that neither tracebraid nor the trace
  // describes.
  std::vector<std::string> proto_descriptors;
  bool ftrace_raw = true;
};

// Reading order of the files of one archive (spec clocks 11.3).
enum class ArchiveRank : int8_t { Manifest = -1, Proto = 0, Container = 1, Usual = 2, Symbols = 3 };

struct Format {
  std::string_view name;   // also the folder and `trace_type`
  std::string_view title;  // for display
  // For `tracebraid formats` and docs/formats.md:
  std::string_view about;         // description, a paragraph
  std::string_view times;         // the clock of its times
  std::string_view anchors = {};  // what relates that clock to others
  std::string_view tables = {};   // tables that it fills; empty: recognised, but not imported
  FormatClock clock;
  ArchiveRank rank = ArchiveRank::Usual;
  // If not empty: the error for such files inside archives, where they are not read (spec clocks
  // 11.4).
  std::string_view refused_in_archives = {};

  Match (*sniff)(const Peek& peek);

  // Reads all of `input`. Counts malformed data and continues. Returns an Error if nothing more can
  // be read; the chunks so far are kept. Tasks may still run after it returns; Chunks::finish()
  // waits for them.
  Result<> (*read)(Input& input, const ReadOptions& options, Chunks& chunks);
};

std::span<const Format* const> all_formats();

// Returns the format with the best match; null if none matches. No two formats match one input
// equally well: detect_test.cc checks that over all vectors and real traces.
const Format* detect(const Peek& peek);

}  // namespace tracebraid
