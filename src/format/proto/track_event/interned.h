// Interned data: values that a writer gives once and then refers to by number (spec proto 1.2).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "event/sink.h"
#include "format/proto/wire/intern_table.h"

namespace tracebraid::proto {

struct SourceLocationText {
  StringId file, function;
  int64_t line = 0;
  bool has_line = false;
};

struct AnnotationName {
  StringId text;         // with `_` for `.`, `[` and `]`
  StringId original;     // the name itself; equal to `text` without such characters
  uint32_t key = kNone;  // arg key of "debug.NAME", once used
};

class InternedStacks;  // format/proto/profile/stacks.h

// Data that one writer interned since it last cleared its state.
struct InternedData {
  InternTable<StringId> categories;
  InternTable<StringId> event_names;
  InternTable<AnnotationName> annotation_names;
  InternTable<StringId> annotation_strings;
  InternTable<StringId> annotation_types;
  InternTable<SourceLocationText> source_locations;
  InternTable<StringId> log_bodies;
  InternTable<StringId> histogram_names;
  InternTable<StringId> correlation_ids;
  InternTable<StringId> kernel_symbols;
  InternTable<StringId> function_names;
  InternTable<StringId> vulkan_keys;
  InternTable<StringId> job_names;
  InternTable<uint32_t> own_keys;  // arg keys
  // Messages that few packets need, decoded by their readers: by field of InternedData.
  absl::flat_hash_map<uint32_t, InternTable<std::string>> messages;
  std::shared_ptr<InternedStacks> stacks;  // null until callstacks are interned

  void clear();
};

// Adds the content of an InternedData message. Returns the number of malformed entries.
uint32_t read_interned(std::string_view message, InternedData& data, EventSink& sink);

// Returns the text as a part of an arg key: `.`, `[` and `]` become `_`.
StringId key_part(std::string_view text, EventSink& sink);
AnnotationName annotation_name(std::string_view name, EventSink& sink);

SourceLocationText read_source_location(std::string_view message, EventSink& sink);

}  // namespace tracebraid::proto
