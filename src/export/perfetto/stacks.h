// Callstacks as interned data: frames, mappings and texts are named when they are first used.
#pragma once

#include <protozero/pbf_writer.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tables/store.h"

namespace tracebraid::perfetto {

// Which rows a sequence has named. Their numbers in the file are rows and 1.
class Named {
 public:
  // Whether it is the first time.
  bool add(uint32_t row) {
    if (row >= named_.size()) named_.resize(row + 1);
    const bool is_first = !named_[row];
    named_[row] = true;
    return is_first;
  }

 private:
  std::vector<bool> named_;
};

inline uint64_t iid_of(uint32_t row) { return uint64_t{row} + 1; }

// What one writer said of callstacks already.
class Stacks {
 public:
  explicit Stacks(const Store& store) : store_(store) {}

  // Adds to `interned`, the fields of an InternedData, what the callsite is the first to use.
  // Its number there is iid_of() its row.
  void name(uint32_t callsite, std::string& interned);

 private:
  uint64_t name_text(Named& named, uint32_t field, StringId id, std::string_view bytes,
                     protozero::pbf_writer& data);
  void name_frame(uint32_t row, protozero::pbf_writer& data);
  void name_mapping(uint32_t row, protozero::pbf_writer& data);
  OptRow symbol_of(uint32_t frame) const;

  const Store& store_;
  Named callsites_, frames_, mappings_, functions_, sources_, build_ids_, paths_;
};

}  // namespace tracebraid::perfetto
