// Causality: a flow cannot end before it starts. Where it does, after placing, on
// another machine or in another file, the clocks do not lie as they should: each such
// flow is a bound on how far they are off (docs/clock-model.md).
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

  // `watches`: there are several files or machines at all.
  explicit Causality(bool watches) : watches_(watches) {}

  // A flow whose ids reach beyond its scope started or ended there, at trace time `ts`,
  // in a row of slice. Texts are part of the id, if it has them.
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

  // Fills flow_violations and flow_bounds. `new_rows`: where rows of slice went; empty
  // if they stayed.
  void fill(std::span<const uint32_t> new_rows, Store& store) const;

 private:
  struct Moment {
    Scope scope;
    int64_t ts;
    uint32_t slice;
  };
  // The first start and the first end, wherever they are.
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
