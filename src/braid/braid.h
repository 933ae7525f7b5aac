// Braid: the file format of a merged trace, which is mapped and not read.
//
//   header     64 bytes: magic, version, digest of the tables, content key, offset of the directory
//   sections   each at a multiple of 64 bytes: the image of the store, then the other data, then
//              extras, which can be made from the tables
//   directory  offset, size and checksum of each section
//
// Opening a braid reads its lists of sections and blocks, and its strings. A table is verified when
// it is first used.
//
// In: a merged trace, or the path of a braid. Out: the file, or a merged trace whose tables view
// the file. Called by engine and by the exporter braid.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/new_file.h"
#include "base/progress.h"
#include "base/result.h"
#include "container/bytes.h"
#include "merge/merge.h"
#include "tables/image.h"

namespace tracebraid {

// A digest of the inputs and the options of a braid. 0: not known.
using ContentKey = uint64_t;

// Returns whether `head` begins a braid.
bool is_braid(std::string_view head);
// Returns whether the file at `path` is a braid; false if it cannot be read.
bool is_braid_file(const std::string& path);

// Parts behind the tables that a layer above writes, and that it can make from the tables.
struct BraidExtra {
  std::string_view name;
  uint32_t version = 1;
  std::function<Result<>(PartSink&)> write;
};
// The parts of an extra as they were read. `is_whole` verifies the checksum of one part; other
// checks are up to the layer that wrote the parts. Any thread may use it.
struct StoredExtra {
  std::vector<std::string_view> parts;
  std::function<bool(size_t part)> is_whole;
};

// Writes a braid and returns its size in bytes. `file` then needs NewFile::finish() only.
Result<uint64_t> write_braid(const Merged& merged, ContentKey key, NewFile& file,
                             Progress& progress, std::span<const BraidExtra> extras = {});

// Verifies the tables of a braid, each once, before its rows are used: the checksums of its
// sections, and its references. Until then only the number of rows is valid. Thread-safe: a thread
// waits while another verifies the same table.
class BraidTables {
 public:
  // The argument of `size_of` and `is_whole` is the number of a section.
  BraidTables(std::string path, std::vector<TableImage> tables,
              std::function<uint64_t(size_t)> size_of, std::function<bool(size_t)> is_whole,
              unsigned threads);
  // Verifies a table by its SQL name; accepts tables that are not in the braid. Returns an Error if
  // the table is damaged, in every call.
  Result<> verify(std::string_view table);
  // Returns Cancelled if `progress`, which may be null, is cancelled.
  Result<> verify_all(const Progress* progress = nullptr);
  // Verifies all small tables.
  Result<> verify_small();
  // Returns the first error found.
  std::optional<Error> damage() const;

 private:
  enum class State : uint8_t { Unseen, Verifying, Fine, Damaged };
  Result<> verify(std::span<const size_t> tables, const Progress* progress = nullptr);
  // Claims the tables that no thread has verified or is verifying; the caller must verify them.
  std::vector<size_t> claim(std::span<const size_t> tables);
  // Fine or Damaged; Unseen if `progress` is cancelled.
  State state_of(std::span<const size_t> tables, const Progress* progress) const;
  void settle(std::span<const size_t> claimed, State state);

  std::string path_;
  std::vector<TableImage> tables_;
  std::function<bool(size_t)> is_whole_;  // thread-safe
  std::vector<uint64_t> bytes_;           // by table: the size of its sections
  std::mutex states_mutex_;
  std::condition_variable is_settled_;      // a table is no longer Verifying
  std::vector<std::atomic<State>> states_;  // by table; written under states_mutex_
  mutable std::mutex damage_mutex_;
  std::optional<Error> damage_;
  unsigned threads_;
};

struct Braid {
  Bytes bytes;  // the bytes that `merged` views
  std::shared_ptr<BraidTables> tables;
  Merged merged;
  ContentKey key = 0;
  bool are_extras_damaged = false;  // their list; then none is known
  // Returns an extra of this version; nothing if the braid has none.
  std::optional<StoredExtra> extra(std::string_view name, uint32_t version) const;

  struct ExtraParts {
    std::string name;
    uint32_t version;
    StoredExtra stored;
  };
  std::vector<ExtraParts> extras;
};

// Opens a braid. An Error says what to do: no braid, another version, or damaged. Verifies the
// numbers of rows of large tables only (see BraidTables). Progress: "opening the braid".
Result<Braid> open_braid(const std::string& path, const HostFiles& files, unsigned threads,
                         Progress& progress);
// Opens a braid in memory, which `path` names in errors. Copies the bytes unless they are aligned
// to 64 bytes.
Result<Braid> open_braid(Bytes bytes, const std::string& path, unsigned threads,
                         Progress& progress);
// Returns the key only; nothing if the file is no braid of this version.
std::optional<ContentKey> braid_key(const std::string& path);

}  // namespace tracebraid
