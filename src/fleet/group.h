// Group: the files of a fleet that are merged onto one timeline, and what became of them.
//
// Input: lists of files (fleet/source.h). Output: tasks for worker processes, and rows. Called by
// the command `fleet`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace tracebraid::fleet {

// Why a group gives no rows: a row of the table of errors.
struct Failure {
  std::string stage;  // list, fetch, open, check, describe, query, write
  std::string code;   // as in the C header, or WorkerDied
  std::string message;
  std::optional<std::string> file = {};
  std::optional<int64_t> offset = {};  // byte in the file
  double seconds = 0;
  std::optional<int64_t> peak_bytes = {};
};

struct Group {
  std::string name;
  std::vector<std::string> paths;
  std::vector<int64_t> sizes;  // bytes, when they were listed; -1: not known
  std::string root;            // the folder that trace() is relative to; empty: none
  std::string manifest = {};   // path of the merge manifest; empty: none
  // Named groups of the regex, or other columns of a fleet manifest: names and values.
  std::vector<std::pair<std::string, std::string>> carried = {};
  std::vector<std::string> versions = {};  // change with the bytes of files in archives
  std::optional<Failure> failure = {};     // why a file cannot be listed

  int64_t size() const;       // bytes of all files; less if some are not known
  std::string trace() const;  // the first path, relative to the root
  std::string uri() const;    // the first path as a URI
};

// Returns the absolute path without "." and "..", whether or not the file exists.
std::string absolute_path(const std::string& path);
// Returns the path as seen from the folder `root`.
std::string relative_path(const std::string& path, const std::string& root);
// Returns the path without its last component: "" for a name.
std::string folder_of(const std::string& path);

// Parses the name of an error code; Io for names that are no code.
ErrorCode code_named(std::string_view name);

}  // namespace tracebraid::fleet
