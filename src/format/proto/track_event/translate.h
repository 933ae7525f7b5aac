// Translations: names to show instead of those in the trace (TranslationTable, spec proto 2.8).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string_view>

#include "event/sink.h"

namespace tracebraid::proto {

struct Translations {
  absl::flat_hash_map<StringId, StringId> slice_names;
  absl::flat_hash_map<StringId, StringId> process_track_names;
  absl::flat_hash_map<uint64_t, StringId> histograms;    // by hash of the name
  absl::flat_hash_map<uint64_t, StringId> user_actions;  // by hash of the name
  absl::flat_hash_map<uint64_t, StringId> studies;       // by hash of the name
  // Names of performance marks of web pages.
  absl::flat_hash_map<uint64_t, StringId> mark_sites, marks;
};

// Returns whether any of them is new.
bool read_translations(std::string_view message, Translations& translations, EventSink& sink);

// Returns the name to show.
StringId translated(const absl::flat_hash_map<StringId, StringId>& names, StringId name);

}  // namespace tracebraid::proto
