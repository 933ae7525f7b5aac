// A stat counts one kind of loss, repair or fact about the input. Stats are
// data, not errors: each becomes a row of the `stats` table, at zero too.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tracebraid {

enum class Severity : uint8_t { Info, Notice, DataLoss, Error };
enum class StatSource : uint8_t { Trace, Analysis };  // who noticed: the recorder, or we
enum class StatScope : uint8_t { Global, MachineAndFile };
enum class StatShape : uint8_t { Single, Indexed };  // indexed: one value for each CPU, buffer, ...

// The values are the `key` column of `stats`.
enum class Stat : uint16_t {
#define TB_STAT(name, shape, severity, source, scope) name,
#include "event/stats.inc"
#undef TB_STAT
};

struct StatKind {
  std::string_view name;
  StatShape shape;
  Severity severity;
  StatSource source;
  StatScope scope;
};

std::span<const StatKind> stat_kinds();  // indexed by Stat
const StatKind& kind_of(Stat stat);
std::string_view name_of(Severity severity);  // info, notice, data_loss, error
std::string_view name_of(StatSource source);  // trace, analysis

}  // namespace tracebraid
