#include "event/stat.h"

namespace tracebraid {

std::string_view name_of(Severity severity) {
  constexpr std::string_view kNames[] = {"info", "notice", "data_loss", "error"};
  return kNames[static_cast<size_t>(severity)];
}

std::string_view name_of(StatSource source) {
  return source == StatSource::Trace ? "trace" : "analysis";
}

std::string_view name_of(StatLevel level) {
  switch (level) {
    case StatLevel::LostEvents:
    case StatLevel::LostData:
      return "lost";
    case StatLevel::Unpaired:
      return "unpaired";
    case StatLevel::Repaired:
      return "repaired";
    case StatLevel::Noted:
    case StatLevel::Figure:
      return "noted";
  }
  return {};
}

}  // namespace tracebraid
