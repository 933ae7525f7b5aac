// Source: a file behind an input of an opening.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/read_file.h"
#include "base/result.h"
#include "container/bytes.h"
#include "container/meter.h"
#include "container/trace_input.h"

namespace tracebraid {

struct Source {
  std::optional<std::string> name{};  // as in trace_file: none for a sole file
  std::string path;                   // for messages
  Bytes bytes{};
  std::shared_ptr<const ReadFile> file{};  // instead of `bytes`: read on request
  std::optional<Error> problem{};          // why bytes are missing
  bool in_folder = false;                  // found in a folder, not named by the user

  uint64_t size() const { return file ? file->size() : bytes.view.size(); }
};

// Opens the inputs. Files of a directory are in bytewise order of their paths, without hidden ones
// and without links to directories; their names are relative to the directory. With several inputs,
// files are named by the last component of their path, and by more components if names are equal.
// "-" is standard input if `budget->files` allows it.
Result<std::vector<Source>> open_sources(std::span<const TraceInput> inputs,
                                         const std::shared_ptr<Budget>& budget, Progress& progress);

// A file and its name among all files of an opening or of an archive.
struct NamedPath {
  std::string name, path;
  bool in_folder = false;
};
// Lists the files that open_sources() opens for several paths, under the same names. A directory
// that cannot be read is an Error.
Result<std::vector<NamedPath>> list_files(std::span<const std::string> paths);

// Reads a stream to its end and returns the same input with its bytes. Returns the Error of the
// stream, or of a cancelled opening.
Result<TraceInput> gather_stream(const TraceInput& stream, const ContainerOptions& options,
                                 Progress& progress);

// Returns whether any component starts with a dot, other than "." and ".." (spec clocks 11.2).
bool is_hidden(std::string_view path);

}  // namespace tracebraid
