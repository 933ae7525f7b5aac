// Interned data: what a writer says once and then calls by number (spec proto 1.2).
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
  StringId text;         // `.`, `[` and `]` are `_`
  uint32_t key = kNone;  // arg key of "debug.NAME", once it was used
};

class InternedStacks;  // format/proto/profile/stacks.h

// What one writer interned since it last cleared its state.
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
  InternTable<uint32_t> own_keys;  // arg keys
  // What few packets need, as messages that their readers understand: by field of InternedData.
  absl::flat_hash_map<uint32_t, InternTable<std::string>> messages;
  std::shared_ptr<InternedStacks> stacks;  // null until something of callstacks is interned

  void clear();
};

// Adds what an InternedData message holds. Returns how many of its entries make no sense.
uint32_t read_interned(std::string_view message, InternedData& data, EventSink& sink);

// The text as part of an arg key: `.`, `[` and `]` become `_`.
StringId key_part(std::string_view text, EventSink& sink);

SourceLocationText read_source_location(std::string_view message, EventSink& sink);

}  // namespace tracebraid::proto
