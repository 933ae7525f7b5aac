// Samples and callstacks as exports write them: one sample per moment, and where a frame is in the
// source.
//
// Input: a Store. Called by the exporters perfetto and json.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tables/store.h"

namespace tracebraid {

// A sample: its rows and its owner.
struct ExportedSample {
  uint32_t row = OptRow::kNull;       // of profiler_sample
  uint32_t json_row = OptRow::kNull;  // of json_sample; at least one of the two is set
  int64_t ts = 0;
  OptRow utid, upid, ucpu, callsite, session;
  StringId source, cpu_mode;
};

// Iterates over all samples in order of time. A sample can be a row of both tables, which have the
// same order.
class ExportedSamples {
 public:
  explicit ExportedSamples(const Store& store) : store_(store) {}

  // Returns false after the last sample.
  bool next(ExportedSample& sample);

 private:
  bool is_same(uint32_t row, uint32_t json_row) const;
  OptRow thread_of(uint32_t row) const;
  bool is_next(uint32_t json_row) const;
  void fill(ExportedSample& sample) const;

  const Store& store_;
  uint32_t row_ = 0, json_row_ = 0;
};

// Returns the row of machine that a sample belongs to; the machine of the timeline if not known.
uint32_t machine_of(const Store& store, const ExportedSample& sample);

// Returns the process of the sample's thread, else that of the sample.
OptRow process_of(const Store& store, const ExportedSample& sample);

// Returns the row of stack_profile_symbol with the source location of a frame, the innermost
// function if several are inlined; null without one.
OptRow symbol_of_frame(const Store& store, uint32_t frame);

// Finds the callstacks of slices.
class SliceCallstacks {
 public:
  explicit SliceCallstacks(const Store& store);

  struct Entry {
    uint32_t slice, row;  // row of track_event_callstacks
  };
  // Returns the entries of a slice.
  std::span<const Entry> of(uint32_t slice) const;

 private:
  std::vector<Entry> entries_;  // by slice
};

}  // namespace tracebraid
