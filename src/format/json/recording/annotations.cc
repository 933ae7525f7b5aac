#include "format/json/recording/annotations.h"

#include <optional>

#include "format/common/stats.h"
#include "format/json/wire/dom.h"

namespace tracebraid::json {
namespace {

// Returns the time of an annotation, ms from the start of the trace.
const Dom* time_of(std::string_view type, const Dom& args) {
  if (type == "xmarker") return args.find("timestamp");
  const Dom* const location = args.find(type == "rect" ? "start" : "location");
  return location == nullptr ? nullptr : location->find("xWorld");
}

int64_t ns_of_ms(const Dom* ms) {
  constexpr int32_t kMicrosecondDigits = 3;
  if (ms == nullptr || !ms->is(Kind::Number)) return kUnset;
  Number number = ms->value.number;
  number.exponent += kMicrosecondDigits;
  return to_ns(number).value_or(kUnset);
}

}  // namespace

void write_annotations(std::string_view json, EventSink& sink) {
  Dom list;
  Repairs ignored;
  if (parse_dom(json, {}, ignored, list) != Parse::Ok) return;
  for (const Dom& note : list.items) {
    const Dom* const type = note.find("typeName");
    if (type == nullptr || !type->is(Kind::String)) {
      sink.tally(stats::json_parser_failure);
      sink.tally(stats::json_record_invalid);
      continue;
    }
    JsonAnnotation row;
    row.type = sink.string(type->text);
    row.raw_json = sink.string(note.value.raw);
    row.offset_ns = kUnset;
    if (const Dom* const args = note.find("args")) {
      row.offset_ns = ns_of_ms(time_of(type->text, *args));
      if (const Dom* const text = args->find("text"); text != nullptr && text->is(Kind::String))
        row.text = sink.string(text->text);
    }
    sink.batch().json.annotations.push_back(row);
  }
}

}  // namespace tracebraid::json
