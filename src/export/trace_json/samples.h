// Samples and callstacks in a Trace Event JSON: the members `samples` and `stackFrames` (spec json
// 5.1, 5.2), to which slices refer, too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "export/samples.h"
#include "export/trace_json/event_writer.h"
#include "export/trace_json/places.h"

namespace tracebraid {

class JsonStacks {
 public:
  explicit JsonStacks(const Store& store) : store_(store), used_(store.stack_callsites.rows()) {}

  // Appends a member, such as `sf`, that refers to a callstack.
  void add_reference(std::string_view name, uint32_t callsite, EventWriter& to);

  // Writes the frames of all callstacks that members refer to as the member `stackFrames` of the
  // document, after a comma; nothing if there are none.
  Result<> write_frames(EventWriter& to) const;

 private:
  void write_frame(uint32_t callsite, EventWriter& to) const;

  const Store& store_;
  std::vector<bool> used_;  // by row of stack_profile_callsite
};

// Writes the member `samples` of the document, after a comma; nothing if there are none. Adds a
// message to `notes` if some belong to no thread, because the format has no such samples.
Result<> write_samples(const Store& store, const Selection& selection, const Places& places,
                       JsonStacks& stacks, EventWriter& to, std::vector<std::string>& notes);

}  // namespace tracebraid
