// Format: all the program knows of one trace format.
//
// A plain value with functions in it. Each format's folder defines one;
// formats.inc lists them.
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

struct Peek {
  std::string_view head;  // the first bytes, at most kPeekBytes
  std::string_view name;  // the member's path; a hint for people, never a proof
};
inline constexpr size_t kPeekBytes = 8192;

enum class Match : uint8_t {
  No,
  Maybe,   // text that would parse; any better answer wins
  Likely,  // a structure that only this format is known to have
  Sure,    // a magic number
};

// The clock a format's times are in unless they say otherwise (spec clocks 6.1).
struct FormatClock {
  uint32_t domain = 0;  // 0: none
  bool claims_trace_time = false;
  bool is_default = false;  // also what ClockName::by_default stands for
};

// Where a reader puts what it reads: one batch a piece, kept in file order.
class Pieces {
 public:
  explicit Pieces(Workers& workers);
  ~Pieces();

  // A piece that this thread fills. Ends before the next add() or run().
  EventSink& add();
  // A piece that a task fills; runs now or on another thread.
  void run(std::function<void(EventSink&)> fill);
  // Returns when all tasks so far are done.
  void wait() { group_.wait(); }
  // Forgets all pieces, once their tasks are done.
  void clear();
  // Returns when all tasks are done. Called by whoever called read().
  std::vector<EventBatch> finish() &&;

 private:
  struct Piece;
  std::vector<std::unique_ptr<Piece>> pieces_;
  TaskGroup group_;
};

struct ReadOptions {
  uint32_t max_json_depth = 512;
  // Each a FileDescriptorSet, serialised: what messages of proto traces are called that neither
  // we nor the trace itself describe.
  std::vector<std::string> proto_descriptors;
  bool ftrace_raw = true;
};

// Order in which the files of one archive are taken (spec clocks 11.3).
enum class ArchiveRank : int8_t { Manifest = -1, Proto = 0, Container = 1, Usual = 2, Symbols = 3 };

struct Format {
  std::string_view name;   // folder, test vectors, `trace_type`
  std::string_view title;  // for people
  // For `formats` and the manual:
  std::string_view about;         // what is read, a paragraph
  std::string_view times;         // which clock its times are in
  std::string_view anchors = {};  // what in it relates that clock to others
  std::string_view tables = {};   // that it fills; empty: it is recognised, but not read
  FormatClock clock;
  ArchiveRank rank = ArchiveRank::Usual;
  // If not empty: it is not read inside archives, and this is said (spec clocks 11.4).
  std::string_view refused_in_archives = {};

  Match (*sniff)(const Peek& peek);

  // Reads all of `input`. Bytes that make no sense are counted and reading goes
  // on. An Error means that nothing more can be read; what the pieces already
  // hold is kept. Tasks may still run when it returns: Pieces::finish().
  Result<> (*read)(Input& input, const ReadOptions& options, Pieces& pieces);
};

std::span<const Format* const> all_formats();

// The best match; null if nothing matches. A test over all vectors holds that
// no two formats ever match alike.
const Format* detect(const Peek& peek);

}  // namespace tracebraid
