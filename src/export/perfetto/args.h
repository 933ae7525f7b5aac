// Args as debug annotations that any viewer shows, with their whole keys beside them for our own
// reader; and what is interned for events.
#pragma once

#include <protozero/pbf_writer.hpp>

#include <string>
#include <vector>

#include "export/perfetto/stacks.h"
#include "tables/store.h"

namespace tracebraid::perfetto {

// What one writer said already: names, categories and keys of args are written out when they
// are first used and are numbers from then on.
class Interned {
 public:
  explicit Interned(const Store& store)
      : store_(store),
        names_(store.strings.size()),
        categories_(store.strings.size()),
        keys_(store.args.keys.size()),
        stacks_(store) {}

  // Numbers for these; new ones are added to what take() gives.
  uint64_t name(StringId name);
  uint64_t category(StringId category);
  uint64_t key(uint32_t key);
  uint64_t callsite(uint32_t row) {
    stacks_.name(row, new_);
    return iid_of(row);
  }

  bool has_new() const { return !new_.empty(); }
  // An InternedData message with what is new since the last call.
  const std::string& fresh() const { return new_; }
  void clear_fresh() { new_.clear(); }

 private:
  uint64_t add(std::vector<bool>& known, StringId text, uint32_t field);

  const Store& store_;
  std::vector<bool> names_, categories_, keys_;
  Stacks stacks_;
  std::string new_;
};

// The args of a set as debug annotations of `event`, a TrackEvent.
void add_annotations(const Store& store, uint32_t arg_set_id, Interned& interned,
                     protozero::pbf_writer& event);

// The text, unless there is none.
void add_if_any(const Store& store, protozero::pbf_writer& to, uint32_t number, StringId id);

// The args of a set as they stand, in fields of this number; keys that `leave_out` names are left
// out.
void add_own_args(const Store& store, OptRow arg_set_id, uint32_t field, protozero::pbf_writer& to,
                  std::span<const std::string_view> leave_out = {});

}  // namespace tracebraid::perfetto
