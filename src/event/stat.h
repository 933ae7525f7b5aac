// A stat counts one kind of loss, repair or fact about the input. Stats are data, not errors: each
// is a row of the `stats` table, even at zero.
//
// Each reader and stage declares the stats that it counts in a header of its own folder, stats.h;
// merge/stat_kinds.cc has the list of all. Names, severities, sources and scopes with a key below
// 358 are those of the reference (spec clocks-and-merging 12.5, perfetto-proto 8), so that queries
// over `stats` keep working.
#pragma once

#include <cstdint>
#include <string_view>

namespace tracebraid {

enum class Severity : uint8_t { Info, Notice, DataLoss, Error };
enum class StatSource : uint8_t { Trace, Analysis };  // counted by the recorder, or while reading
enum class StatScope : uint8_t { Global, MachineAndFile };
enum class StatShape : uint8_t { Single, Indexed };  // indexed: one value for each CPU, buffer, ...

// What a count means for the data (docs/stats.md), the worst first. With --strict, both kinds of
// loss fail, with --strict=all also unpaired events and repairs.
enum class StatLevel : uint8_t {
  LostEvents,  // each count is one event of the file that is on no row
  LostData,    // other data is missing: arguments, bytes, or events that the recorder lost
  Unpaired,    // each count is one event on no row whose other half is not in the file
  Repaired,    // the file contradicts its format; the event was changed or something was assumed
  Noted,       // nothing is missing
  Figure,      // a quantity that the recorder reports, no occurrence
};

inline constexpr uint16_t kFirstOwnStat = 358;  // keys below are those of the reference

// A stat. Its value is the `key` column of `stats`; the constants are in the namespace stats.
enum class StatId : uint16_t {};

struct StatKind {
  uint16_t key = 0;
  std::string_view name;
  StatShape shape{};
  Severity severity{};
  StatSource source{};
  StatScope scope{};
  StatLevel level{};
  std::string_view description;  // what happened, what it means for the data, what to do
};

inline bool is_loss(StatLevel level) {
  return level == StatLevel::LostEvents || level == StatLevel::LostData;
}
// Whether each count of the level is one event that was in the file and is on no row.
inline bool counts_lost_events(StatLevel level) {
  return level == StatLevel::LostEvents || level == StatLevel::Unpaired;
}
// Whether --strict fails; with `all`, whether --strict=all does.
inline bool fails_strict(StatLevel level, bool all) {
  return is_loss(level) || (all && level < StatLevel::Noted);
}

std::string_view name_of(Severity severity);  // info, notice, data_loss, error
std::string_view name_of(StatSource source);  // trace, analysis
std::string_view name_of(StatLevel level);    // lost, unpaired, repaired, noted

// Declares the stats of a list, which is a macro that applies its argument to
//   (key, name, Single | Indexed, severity, source, scope, level, description)
// for each of them. A new stat takes the lowest unused key: keys are stable and have no gaps
// (merge/stat_kinds.cc does not compile otherwise).
#define TB_DECLARE_STATS(list)  \
  namespace tracebraid::stats { \
  list(TB_STAT_ID)              \
  }
#define TB_STAT_ID(key, name, shape, severity, source, scope, level, description) \
  inline constexpr StatId name{key};

}  // namespace tracebraid
