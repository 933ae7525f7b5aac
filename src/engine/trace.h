// Trace: files that were read and merged, on one timeline. In: paths or a braid, options, an
// Engine. Out: an immutable value with its problems, which reports (engine/report.h), exports
// (engine/export.h) and connections (engine/connection.h) read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "container/trace_input.h"
#include "engine/engine.h"
#include "engine/options.h"
#include "merge/problem.h"

namespace tracebraid {

struct Merged;
class BraidTables;
class BrokenInvariant;  // base/boundary.h
class TableSet;
namespace timeline {
struct IndexParts;
}

// The bytes that a trace takes. A table of a braid is counted as part of its file.
struct MemoryUse {
  uint64_t tables = 0;
  uint64_t statements = 0;  // what running statements hold, and tables that they created
  uint64_t mapped = 0;      // of mapped files
};

// Immutable and thread-safe. The last owner frees its memory. After an Error of code Internal, also
// of a connection or a query, each function of engine/ that returns a Result returns that Error.
class Trace {
 public:
  // Reads and merges the inputs: files, folders and archives. A braid must be the only input;
  // options of reading and placing do not affect it. Problems of a part of the input are in
  // problems(); with options.strict the first one is the Error. Blocks until done;
  // Progress::cancel() ends it with Cancelled.
  static Result<std::shared_ptr<const Trace>> open(std::shared_ptr<const Engine> engine,
                                                   std::span<const std::string> inputs,
                                                   const TraceOptions& options, Progress& progress);
  // Opens inputs in memory and from streams (container/trace_input.h), and braids among them.
  static Result<std::shared_ptr<const Trace>> open(std::shared_ptr<const Engine> engine,
                                                   std::span<const TraceInput> inputs,
                                                   const TraceOptions& options, Progress& progress);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  std::span<const Problem> problems() const;
  std::span<const NotImportedOfFile> not_imported() const;
  const StageTimes& times() const;  // empty for a braid

  // Returns damage to the files of the trace since they were opened. The rows of a braid are read
  // when a query needs them.
  std::optional<Error> damage() const;
  // Verifies all tables of a braid that are not verified yet. Returns an Error if one is damaged.
  Result<> verify_all() const;
  // Returns the memory in use now. Takes time in proportion to the size of the tables, some ms for
  // a million rows.
  MemoryUse memory_use() const;

  // Accessors for sources of the engine only.
  BrokenInvariant& broken() const;
  const Engine& engine() const;
  const Merged& merged() const;
  const std::shared_ptr<BraidTables>& braid_tables() const;  // null unless the trace is a braid
  const timeline::IndexParts* timeline_index() const;        // null unless a braid has it
  const std::shared_ptr<const TableSet>& table_set() const;  // shared by all connections
  const HostFiles& files() const;
  bool negative_dropped() const;  // as set in the options

 private:
  struct State;
  explicit Trace(std::unique_ptr<const State> state);
  std::unique_ptr<const State> state_;
};

}  // namespace tracebraid
