// InputFiles: the files that an operation reads, so that none of its outputs replaces one of them.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"

namespace tracebraid {

// Regular files, by device and inode, so that links and other spellings of a path count as the same
// file. Filled by one thread before outputs are written.
class InputFiles {
 public:
  // Adds the file behind `path`, or all files below a folder. Ignores paths that do not exist.
  void add(const std::string& path);
  // Adds the file that the descriptor reads, if it is one; `name` is for messages.
  void add(int fd, const std::string& name);
  // Returns the path of the input that `path` refers to, if there is one.
  std::optional<std::string> find(const std::string& path) const;

 private:
  std::map<std::pair<dev_t, ino_t>, std::string> files_;
};

// Returns an Error of code Usage if `path` is one of the inputs, or if a file has this name and
// `force` is not set. Devices and pipes are always allowed.
Result<> check_output_file(const std::string& path, bool force, const InputFiles& inputs);
// Returns an Error of code Usage if `path` is one of the inputs.
Result<> check_no_input(const std::string& path, const InputFiles& inputs);

}  // namespace tracebraid
