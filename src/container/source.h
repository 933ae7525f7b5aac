// Sources: the files behind the inputs of an opening.
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
  std::string path;                   // for people
  Bytes bytes{};
  std::shared_ptr<const ReadFile> file{};  // instead of `bytes`: read when they are asked for
  std::optional<Error> problem{};          // why the bytes are not all there

  uint64_t size() const { return file ? file->size() : bytes.view.size(); }
};

// Files of a directory come in bytewise order of their paths, without hidden ones and without
// links to directories; their names are relative to it. Of several inputs, files are named by the
// last part of their path. "-" is standard input if `budget->files` says so.
Result<std::vector<Source>> open_sources(std::span<const TraceInput> inputs,
                                         const std::shared_ptr<Budget>& budget, Progress& progress);

// Reads a stream to its end: the same input with its bytes. An Error if the stream or the work ends
// with one.
Result<TraceInput> gather_stream(const TraceInput& stream, const ContainerOptions& options,
                                 Progress& progress);

// Any component that starts with a dot, other than "." and ".." (spec clocks
// 11.2).
bool is_hidden(std::string_view path);

}  // namespace tracebraid
