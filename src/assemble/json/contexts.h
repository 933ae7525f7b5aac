// JsonContexts: contexts of threads, and the slices that begin in them (spec json 4.17). Events are
// collected and processed in file order, because an event of a thread may be earlier in time than a
// slice before it in the file.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <vector>

#include "assemble/args/deferred_args.h"
#include "assemble/json/ids.h"
#include "assemble/json/objects.h"
#include "assemble/problems.h"

namespace tracebraid {

class JsonContexts {
 public:
  JsonContexts(Identity& identity, DeferredArgs& args, Problems& problems, Store& store)
      : identity_(identity), args_(args), problems_(problems), store_(store) {}

  void enter(const JsonEvent& at) { note(at, Step::Kind::Enter); }
  void leave(const JsonEvent& at) { note(at, Step::Kind::Leave); }
  // Ends contexts with the id of a deleted object.
  void remove(const JsonEvent& at, const JsonKey& key);
  void slice(uint32_t slice, uint32_t utid, uint64_t sequence);

  // Fills the tables. `new_rows` maps old rows of slice to new ones; empty if they did not move.
  void finish(const std::vector<uint32_t>& new_rows, const JsonObjects& objects);

  // Returns the args of contexts, for references in them.
  struct Args {
    uint32_t context, arg_set_id;
    FileId file;
  };
  const std::vector<Args>& args() const { return sets_; }
  // Returns the ids of all contexts that threads entered.
  const std::vector<JsonKey>& keys() const { return keys_; }

 private:
  struct Step {
    enum class Kind : uint8_t { Enter, Leave, Remove, Slice };
    uint64_t sequence;
    Kind kind;
    uint32_t utid;
    int64_t ts = 0;
    uint32_t slice = 0;
    uint32_t machine = 0;
    StringId type, spelling;
    JsonKey key;
    uint32_t arg_set_id = OptRow::kNull;
  };
  struct Active {
    StringId type;
    JsonKey key;
    uint32_t row;  // of json_context
  };
  using Stack = std::vector<Active>;  // contexts of one thread, of all types

  void note(const JsonEvent& at, Step::Kind kind);
  void enter(const Step& step, const JsonObjects& objects);
  void leave(const Step& step);
  void remove(const Step& step);
  void end(const Active& active, int64_t ts) {
    store_.json.contexts.leave_ts.at(active.row).value = ts;
  }
  void add_slice(const Step& step, uint32_t row);

  Identity& identity_;
  DeferredArgs& args_;
  Problems& problems_;
  Store& store_;
  std::vector<Step> steps_;
  absl::flat_hash_map<uint32_t, Stack> stacks_;                  // by utid
  absl::flat_hash_map<JsonKey, std::vector<uint32_t>> entered_;  // utids that entered, by id
  std::vector<Args> sets_;
  std::vector<JsonKey> keys_;
};

}  // namespace tracebraid
