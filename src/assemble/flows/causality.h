// Causality: a flow cannot end before it starts. If a flow to another machine or file does so after
// placing, the clocks are placed wrongly; each such flow gives a bound of the error
// (docs/clock-model.md).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "base/id.h"
#include "tables/store.h"

namespace tracebraid {

class Causality {
 public:
  using Scope = std::pair<FileId, uint32_t>;  // file, machine
  enum class Kind : uint8_t { TrackEvent, BindId, Legacy };

  // `watches`: whether there are several files or machines.
  explicit Causality(bool watches) : watches_(watches) {}

  // Adds the start or end of a flow with a global id, at trace time `ts`, in a row of slice. Texts
  // are part of the id.
  struct At {
    Kind kind;
    uint64_t id;
    StringId text_id, name, category;
    Scope scope;
    int64_t ts;
    uint32_t slice;
  };
  void starts(const At& at) { note(at, true); }
  void ends(const At& at) { note(at, false); }

  // Fills flow_violations and flow_bounds. `new_rows` maps old rows of slice to new ones; empty if
  // they did not move.
  void fill(std::span<const uint32_t> new_rows, Store& store) const;

 private:
  struct Moment {
    Scope scope;
    int64_t ts;
    uint32_t slice;
  };
  // The first start and the first end in any scope.
  struct Flow {
    bool has_start = false, has_end = false;
    Moment start, end;
  };
  using Key = std::tuple<Kind, uint64_t, StringId, StringId, StringId>;

  void note(const At& at, bool is_start);

  bool watches_;
  absl::flat_hash_map<Key, Flow> flows_;
};

}  // namespace tracebraid
