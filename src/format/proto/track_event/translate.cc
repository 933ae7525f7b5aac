#include "format/proto/track_event/translate.h"

#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"

namespace tracebraid::proto {
namespace {

// Encoding of maps: a repeated message of key and value.
constexpr uint32_t kEntries = 1, kKey = 1, kValue = 2;

struct MapEntry {
  uint64_t number = 0;    // the key, if it is a number
  std::string_view text;  // the key, if it is a text
  std::string_view value;
};

// `entries` is the field with the map.
template <class Each>
void for_each_entry(Message table, uint32_t entries, Each each) {
  while (table.next()) {
    if (table.number() != entries) continue;
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

bool read_translations(std::string_view message, Translations& translations, EventSink& sink) {
  using Marks = field::ChromePerformanceMarkTranslationTable;
  bool is_new = false;
  const auto set = [&](StringId& name, std::string_view text) {
    const StringId id = sink.string(text);
    is_new |= name != id;
    name = id;
  };
  for (Message fields(message); fields.next();) {
    const auto by_text = [&](auto& names) {
      for_each_entry(fields.message(), kEntries, [&](const MapEntry& entry) {
        set(names[sink.string(entry.text)], entry.value);
      });
    };
    const auto by_hash = [&](auto& names, uint32_t entries = kEntries) {
      for_each_entry(fields.message(), entries,
                     [&](const MapEntry& entry) { set(names[entry.number], entry.value); });
    };
    switch (fields.number()) {
      case field::TranslationTable::kChromeHistogram:
        by_hash(translations.histograms);
        break;
      case field::TranslationTable::kChromeUserEvent:
        by_hash(translations.user_actions);
        break;
      case field::TranslationTable::kChromePerformanceMark:
        by_hash(translations.mark_sites, Marks::kSiteHashToName);
        by_hash(translations.marks, Marks::kMarkHashToName);
        break;
      case field::TranslationTable::kChromeStudy:
        by_hash(translations.studies);
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
  return is_new;
}

StringId translated(const absl::flat_hash_map<StringId, StringId>& names, StringId name) {
  if (names.empty()) return name;
  const auto at = names.find(name);
  return at == names.end() ? name : at->second;
}

}  // namespace tracebraid::proto
