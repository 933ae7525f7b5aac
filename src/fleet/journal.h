// Journal of a fleet whose rows go to a file: a run that was killed continues where it was.
//
// While a file PATH is written, a folder PATH.resume is beside it. Its file `rows` has the frames
// of the groups that ended, one group after the other. Its file `journal` has JSON lines: a head,
// which says what was asked, and a line for each of these groups.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "fleet/group.h"
#include "fleet/spool.h"

namespace tracebraid::fleet {

// Returns 16 digits that change if a file of the group is another one, or was written to.
std::string state_of(const Group& group);

// One thread at a time.
class Journal {
 public:
  // `asked`: a JSON object. Without `resume`, begins a new journal. Errors: Usage if another run
  // writes the file, or the journal has another head; Io.
  static Result<Journal> open(const std::string& path, std::string_view asked,
                              const std::vector<Group>& groups, bool resume);

  // Returns whether the group ended, in this run or an earlier one.
  bool has(const Group& group) const { return ended_.contains(group.name); }
  // Keeps the rows of a group. An Error (Io) if they cannot be written; then nothing of them stays.
  Result<> add(const Group& group, const Spool& rows, std::string_view facts);
  // Returns the facts of a group that ended.
  const std::string& facts(const Group& group) const { return ended_.at(group.name).facts; }
  // Passes the frames of a group that ended to `take`.
  Result<> for_each_frame(
      const Group& group,
      const std::function<Result<>(std::string_view head, std::string_view body)>& take) const;
  // Removes the files, because the run is complete.
  Result<> remove();
  const std::string& folder() const { return folder_; }

 private:
  struct Entry {
    uint64_t begin = 0, end = 0;  // bytes of `rows`
    std::string facts;            // JSON
  };
  Journal() = default;
  Result<> begin(const std::string& head, bool resume);
  Result<> read_lines(std::string_view text);

  std::string folder_;
  Descriptor lines_, rows_;
  uint64_t size_ = 0;  // of `rows`
  std::map<std::string, std::string> digests_;
  std::map<std::string, Entry> ended_;
};

}  // namespace tracebraid::fleet
