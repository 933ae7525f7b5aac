// Callstacks as interned data: frames, mappings and texts are written on first use.
#pragma once

#include <protozero/pbf_writer.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tables/store.h"

namespace tracebraid::perfetto {

// The rows that a sequence has interned. The iid of a row is row + 1.
class Named {
 public:
  // Marks the row. Returns whether it is new.
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

// The interned callstacks of one sequence.
class Stacks {
 public:
  explicit Stacks(const Store& store) : store_(store) {}

  // Adds the new entries of the callsite to `interned`, the fields of an InternedData. Its iid is
  // iid_of(row).
  void name(uint32_t callsite, std::string& interned);

 private:
  uint64_t name_text(Named& named, uint32_t field, StringId id, std::string_view bytes,
                     protozero::pbf_writer& data);
  void name_frame(uint32_t row, protozero::pbf_writer& data);
  void name_mapping(uint32_t row, protozero::pbf_writer& data);

  const Store& store_;
  Named callsites_, frames_, mappings_, functions_, sources_, build_ids_, paths_;
};

}  // namespace tracebraid::perfetto
