// Documents: JSON texts that the server keeps for its user: settings and states of the viewer.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tracebraid::api {

// Files of mode 0600 in a folder of mode 0700. Any thread may use it; other processes, too.
class Documents {
 public:
  explicit Documents(std::string folder) : folder_(std::move(folder)) {}

  bool are_kept() const { return !folder_.empty(); }
  // Returns the newest version of a document. Error NotFound. A file that is no JSON object is
  // renamed to "NAME.damaged", and not found.
  Result<std::string> read(std::string_view name);
  // Adds a version, and removes those before the last `versions`. Error Io.
  Result<> write(std::string_view name, std::string_view json, size_t versions);

 private:
  std::string folder_of(std::string_view name) const;

  const std::string folder_;
  std::mutex mutex_;  // one read or write at a time
};

// Returns whether the text can name a document: up to 128 letters, digits, '.', '_' and '-', of
// which the first is no '.'.
bool is_document_name(std::string_view name);

}  // namespace tracebraid::api
