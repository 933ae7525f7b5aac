// Interned callstacks: frames and callstacks of a writer, by number (spec proto 1.2).
#pragma once

#include <optional>
#include <vector>

#include "event/sink.h"
#include "format/common/proto_wire.h"
#include "format/proto/wire/intern_table.h"

namespace tracebraid::proto {

// Entries are resolved when a callstack is first used, because they may come in any order. Indexes
// of the sink are cached.
class InternedStacks {
 public:
  // Returns whether a field of InternedData belongs to callstacks.
  static bool is_field(uint32_t field);
  void add(uint32_t field, std::string_view message, EventSink& sink);
  // Add entries of ProfilePacket, which has one list of strings.
  void add_string(std::string_view message, EventSink& sink);
  void add_frame(Message message, EventSink& sink);
  void add_callstack(Message message);
  void add_mapping(Message message, EventSink& sink);

  // Returns the callsite of the innermost frame. Returns nothing for an unknown callstack; kNone
  // for one without frames, or with an unknown frame. Counts these cases.
  std::optional<uint32_t> callsite(uint64_t iid, uint32_t machine, EventSink& sink);
  // Returns the mapping, or nothing for an unknown one.
  std::optional<uint32_t> known_mapping(uint64_t iid, uint32_t machine, EventSink& sink);

 private:
  struct FrameEntry {
    uint64_t function = 0, mapping = 0, rel_pc = 0, source = 0;
    int64_t line = kNoLine;
    bool has_symbol = false;
    StringId type;
    uint32_t frame = kNone;  // once used
  };
  struct MappingEntry {
    uint64_t build_id = 0;
    StackMapping mapping;
    std::vector<uint64_t> path;
    StringId name;           // instead of the path, if given (own.h)
    uint32_t index = kNone;  // once used
  };
  struct CallstackEntry {
    std::vector<uint64_t> frames;  // outermost first
    uint32_t callsite = kNone;     // once used
    bool is_used = false;
  };

  uint32_t chain(const std::vector<uint64_t>& frame_iids, uint32_t machine, EventSink& sink);
  uint32_t frame(uint64_t iid, uint32_t machine, EventSink& sink);
  uint32_t mapping(uint64_t iid, uint32_t machine, EventSink& sink);

  InternTable<StringId> functions_, build_ids_, paths_, sources_;
  InternTable<FrameEntry> frames_;
  InternTable<MappingEntry> mappings_;
  InternTable<CallstackEntry> callstacks_;
};

// Returns the callsite of a callstack of an event: frames with names, files and lines.
uint32_t inline_callsite(Message callstack, EventSink& sink);

}  // namespace tracebraid::proto
