// Writes args as debug annotations, with their full keys in an additional field for our own reader;
// and the interned data of events.
#pragma once

#include <protozero/pbf_writer.hpp>

#include <string>
#include <vector>

#include "export/perfetto/stacks.h"
#include "tables/store.h"

namespace tracebraid::perfetto {

// The interned data of one sequence: names, categories and keys of args are written on first use
// and have iids from then on.
class Interned {
 public:
  explicit Interned(const Store& store)
      : store_(store),
        names_(store.strings.size()),
        categories_(store.strings.size()),
        keys_(store.args.keys.size()),
        stacks_(store) {}

  // Return iids. take() returns the new ones.
  uint64_t name(StringId name);
  uint64_t category(StringId category);
  uint64_t key(uint32_t key);
  uint64_t callsite(uint32_t row) {
    stacks_.name(row, new_);
    return iid_of(row);
  }

  bool has_new() const { return !new_.empty(); }
  // Returns an InternedData message with the entries since the last call.
  const std::string& fresh() const { return new_; }
  void clear_fresh() { new_.clear(); }

 private:
  uint64_t add(std::vector<bool>& known, StringId text, uint32_t field);

  const Store& store_;
  std::vector<bool> names_, categories_, keys_;
  Stacks stacks_;
  std::string new_;
};

// Adds the args of a set as debug annotations of `event`, a TrackEvent.
void add_annotations(const Store& store, uint32_t arg_set_id, Interned& interned,
                     protozero::pbf_writer& event);

// Adds the text, if any.
void add_if_any(const Store& store, protozero::pbf_writer& to, uint32_t number, StringId id);

// Adds the args of a set unchanged, in fields with this number, except keys that `leave_out`
// accepts.
void add_own_args(const Store& store, OptRow arg_set_id, uint32_t field, protozero::pbf_writer& to,
                  std::span<const std::string_view> leave_out = {});

}  // namespace tracebraid::perfetto
