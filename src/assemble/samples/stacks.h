// Stacks: maps frames and callsites of batches to rows, which are created on first use, once for
// all files (spec proto 1.2).
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <span>
#include <tuple>
#include <vector>

#include "assemble/args/deferred_args.h"
#include "assemble/placed_batch.h"
#include "assemble/problems.h"
#include "tables/store.h"

namespace tracebraid {

// Returns the symbol lines of an address, innermost first; none if it has no symbol.
std::span<const SymbolLine> lines_of(const ModuleSymbols& module, const AddressSymbols& address);

class Stacks {
 public:
  // `batches` must not move.
  Stacks(std::span<const PlacedBatch> batches, DeferredArgs& args, Problems& problems,
         Store& store);

  // Returns the row of stack_profile_callsite of a callsite of the batch; kNone for kNone.
  uint32_t callsite(uint32_t batch, uint32_t index);

  // Returns the row of stack_profile_mapping of a method at an address in a mapping of the batch.
  uint32_t method(uint32_t batch, uint32_t mapping, int64_t rel_pc);

  // Adds symbols and names found after the recording. Requires: all rows are created.
  void finish();

 private:
  struct Rows {  // by index of the batch; only rows created so far
    std::vector<uint32_t> mappings, frames, callsites;
  };
  uint32_t mapping(uint32_t batch, uint32_t index);
  uint32_t frame(uint32_t batch, uint32_t index);
  void append_callsite(uint32_t batch, uint32_t index);
  void look_up_callsites();
  void append_frame(const StackFrame& frame);
  uint32_t no_mapping();
  uint32_t add_mapping(const StackMapping& mapping, const PlacedBatch& from);
  uint32_t add_symbols(std::span<const SymbolLine> lines);
  void add_module(const PlacedBatch& from, const ModuleSymbols& module);

  std::span<const PlacedBatch> batches_;
  DeferredArgs& args_;
  Problems& problems_;
  Store& store_;
  std::vector<Rows> rows_;  // by batch
  absl::flat_hash_map<StackMapping, uint32_t> mappings_;
  // Rows by content; indexes in the keys are rows.
  absl::flat_hash_map<StackFrame, uint32_t> frames_;
  absl::flat_hash_map<Callsite, uint32_t> callsites_;
  // Frames and callsites of one batch are distinct, so they are looked up only if there are several
  // batches, or if frames may be equal.
  bool looks_up_frames_ = false, looks_up_callsites_ = false;
  std::vector<uint32_t> chain_;  // callsites being created
  // Path and build id of the module, and address.
  absl::flat_hash_set<std::tuple<StringId, StringId, int64_t>> methods_;
};

}  // namespace tracebraid
