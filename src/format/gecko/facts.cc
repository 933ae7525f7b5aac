#include "format/gecko/facts.h"

#include "format/common/profile.h"
#include "format/gecko/stats.h"

namespace tracebraid::gecko {

void count_bad_row(const Row& row, const ProfileFacts& facts, EventSink& sink) {
  count_json(sink, stats::gecko_bad_row, *facts.file, row.at);
}

void count_bad_reference(const Row& row, const ProfileFacts& facts, EventSink& sink) {
  count_json(sink, stats::gecko_bad_reference, *facts.file, row.at);
}

std::optional<int64_t> time_at(double ms, const ProfileFacts& facts) {
  constexpr double kNsPerMs = 1e6;
  const std::optional<int64_t> ns = ns_of(ms, kNsPerMs);
  int64_t sum = 0;
  if (!ns || __builtin_add_overflow(*ns, facts.offset_ns, &sum)) return std::nullopt;
  return sum;
}

std::optional<int64_t> time_of(const json::Value& ms, const ProfileFacts& facts) {
  const std::optional<double> number = scanned_number(ms);
  return number ? time_at(*number, facts) : std::nullopt;
}

Strings::Strings(const JsonFields& thread, const ProfileFacts& facts, EventSink& sink)
    : sink_(sink) {
  for (const JsonFields* const of : {&thread, &facts.shared})
    for (const std::string_view name : {"stringArray", "stringTable"}) {
      if (!texts_.empty()) break;
      JsonScan scan((*of)[name].raw);
      if (!scan.enter('[')) continue;
      while (scan.next_item()) {
        const json::Value& value = scan.take();
        const bool is_text = value.has(json::Kind::String);
        texts_.push_back(is_text ? json::StringToken{value.raw, value.escaped}
                                 : json::StringToken{});
      }
    }
  ids_.resize(texts_.size());
}

std::string Strings::text(int64_t index) const {
  if (!has(index)) return {};
  std::string scratch;
  return std::string(json::text_of(texts_[static_cast<size_t>(index)], scratch));
}

StringId Strings::id(int64_t index) {
  if (!has(index)) return sink_.string("");
  StringId& id = ids_[static_cast<size_t>(index)];
  if (!id) id = sink_.string(text(index));
  return id;
}

}  // namespace tracebraid::gecko
