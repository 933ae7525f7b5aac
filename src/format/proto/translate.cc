#include "format/proto/translate.h"

#include "format/proto/fields.h"
#include "format/proto/wire.h"

namespace tracebraid::proto {
namespace {

// Maps on the wire: a repeated message of key and value.
constexpr uint32_t kEntries = 1, kKey = 1, kValue = 2;

struct MapEntry {
  uint64_t number = 0;    // the key, if a number
  std::string_view text;  // if a text
  std::string_view value;
};

template <class Each>
void for_each_entry(Message table, Each each) {
  while (table.next()) {
    if (table.number() != kEntries) continue;
    MapEntry entry;
    for (Message fields = table.message(); fields.next();) {
      if (fields.number() == kKey) {
        entry.number = fields.u64();
        entry.text = fields.bytes();
      }
      if (fields.number() == kValue) entry.value = fields.bytes();
    }
    each(entry);
  }
}

}  // namespace

void read_translations(std::string_view message, Translations& translations, EventSink& sink) {
  for (Message fields(message); fields.next();) {
    const auto by_text = [&](auto& names) {
      for_each_entry(fields.message(), [&](const MapEntry& entry) {
        names[sink.string(entry.text)] = sink.string(entry.value);
      });
    };
    const auto by_hash = [&](auto& names) {
      for_each_entry(fields.message(), [&](const MapEntry& entry) {
        names[entry.number] = sink.string(entry.value);
      });
    };
    switch (fields.number()) {
      case field::TranslationTable::kChromeHistogram:
        by_hash(translations.histograms);
        break;
      case field::TranslationTable::kChromeUserEvent:
        by_hash(translations.user_actions);
        break;
      case field::TranslationTable::kSliceName:
        by_text(translations.slice_names);
        break;
      case field::TranslationTable::kProcessTrackName:
        by_text(translations.process_track_names);
        break;
      default:
        break;
    }
  }
}

StringId translated(const absl::flat_hash_map<StringId, StringId>& names, StringId name) {
  if (names.empty()) return name;
  const auto at = names.find(name);
  return at == names.end() ? name : at->second;
}

}  // namespace tracebraid::proto
