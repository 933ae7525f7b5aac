// Braid: the file format of a merged trace, which is mapped and not read.
//
//   header     64 bytes: magic, version, digest of the tables, content key, offset of the directory
//   sections   each at a multiple of 64 bytes: the image of the store, then the other data
//   directory  offset, size and checksum of each section
//
// Opening a braid reads its lists of sections and blocks, and its strings. A table is verified when
// it is first used.
//
// In: a merged trace, or the path of a braid. Out: the file, or a merged trace whose tables view
// the file. Called by engine and by the exporter braid.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "base/new_file.h"
#include "base/progress.h"
#include "base/result.h"
#include "merge/merge.h"
#include "tables/image.h"

namespace tracebraid {

// Of what a braid was made: the bytes of its inputs and the options of merging. 0: not known.
using ContentKey = uint64_t;

bool is_braid(std::string_view head);
// The same by the first bytes of a file; false if it cannot be read.
bool is_braid_file(const std::string& path);

// Returns the bytes written. `file` is complete then, but for NewFile::finish().
Result<uint64_t> write_braid(const Merged& merged, ContentKey key, NewFile& file,
                             Progress& progress);

// Looks at the tables of a braid, each once, before its rows are used: whether their parts are
// what was written, and refer to what is there. Until then nothing but the number of rows holds.
// Any thread may call; one that needs a table that another looks at waits.
class BraidTables {
 public:
  // `size_of` and `is_whole` are told the number of a part.
  BraidTables(std::string path, std::vector<TableImage> tables,
              std::function<uint64_t(size_t)> size_of, std::function<bool(size_t)> is_whole,
              unsigned threads);
  // By the name in SQL; a table that is none of the braid's is fine. An Error if it is damaged,
  // now and whenever it is asked for again.
  Result<> verify(std::string_view table);
  Result<> verify_all();
  // Those that are small enough to take next to no time.
  Result<> verify_small();
  // The first that was found.
  std::optional<Error> damage() const;

 private:
  enum class State : uint8_t { Unseen, Fine, Damaged };
  Result<> verify(std::span<const size_t> tables);

  std::string path_;
  std::vector<TableImage> tables_;
  std::function<bool(size_t)> is_whole_;  // thread-safe
  // These by table. A state is written under the mutex of its table.
  std::vector<std::atomic<State>> states_;
  std::vector<std::mutex> mutexes_;
  std::vector<uint64_t> bytes_;  // of its parts
  mutable std::mutex damage_mutex_;
  std::optional<Error> damage_;
  unsigned threads_;
};

struct Braid {
  std::shared_ptr<const MappedFile> file;  // holds what `merged` views
  std::shared_ptr<BraidTables> tables;
  Merged merged;
  ContentKey key = 0;
};

// An Error names what is wrong and what to do: no braid, of another version, or damaged. Of
// large tables only what is needed to know their rows has been looked at (see BraidTables).
Result<Braid> open_braid(const std::string& path, unsigned threads);
// The key alone; nothing if the file is no braid of this version.
std::optional<ContentKey> braid_key(const std::string& path);

}  // namespace tracebraid
