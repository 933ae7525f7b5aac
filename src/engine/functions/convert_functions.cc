#include "engine/functions/convert_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "clock/relate.h"
#include "merge/merge.h"

namespace tracebraid {
namespace {

using Arguments = std::span<const Cell>;

constexpr uint32_t kLastNamedDomain = domain::kBoottime;

Error bad_argument(std::string_view what) {
  return {ErrorCode::Sql, fmt::format("clock_convert: {}", what)};
}

bool is_same_word(std::string_view a, std::string_view b) {
  const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; };
  return std::ranges::equal(a, b, {}, upper, upper);
}

// Returns the domain of a clock id or clock name (spec clocks 1.3); PRIVATE is a file's own
// timeline.
Result<uint32_t> domain_of(const Cell& cell) {
  if (cell.kind == Cell::Kind::Int) {
    if (cell.integer < 0 || cell.integer > UINT32_MAX)
      return tl::unexpected(bad_argument(fmt::format("no clock has the id {}", cell.integer)));
    return static_cast<uint32_t>(cell.integer);
  }
  if (cell.kind != Cell::Kind::Text)
    return tl::unexpected(bad_argument("a clock is a name or a clock id, or NULL for trace time"));
  for (uint32_t domain = 1; domain <= kLastNamedDomain; ++domain)
    if (is_same_word(cell.text, clock_name(domain))) return domain;
  if (is_same_word(cell.text, "PRIVATE")) return domain::kPrivate;
  return tl::unexpected(bad_argument(fmt::format("there is no clock named '{}'", cell.text)));
}

class Converter {
 public:
  Converter(const Store& store, std::shared_ptr<const MergedClocks> clocks)
      : store_(store), clocks_(std::move(clocks)) {
    if (clocks_ != nullptr) relations_.emplace(clocks_->graph, clocks_->placement.model());
  }

  // Calls `use` with the relations, the clock of arguments 1 and 2, that of arguments 3 and 4, and
  // the reading. Returns NULL if the trace lacks one of the clocks.
  template <class Use>
  Result<Cell> with_clocks(Arguments arguments, Use use) {
    if (arguments[0].kind == Cell::Kind::Null) return Cell::null();
    if (arguments[0].kind != Cell::Kind::Int)
      return tl::unexpected(bad_argument("the first argument is a time in ns"));
    TB_TRY_ASSIGN(const Clocks clocks, clocks_of(arguments.subspan(1)));
    if (!clocks.source || !clocks.target) return Cell::null();
    const std::optional<int64_t> found =
        use(*relations_, clocks.source, clocks.target, arguments[0].integer);
    return found ? Cell::of(*found) : Cell::null();
  }

  // The same for many readings: SqlFunction::call_for_integers.
  template <class Use>
  bool with_clocks(Arguments constants, std::span<int64_t> readings, std::span<bool> valid,
                   Use use) {
    if (constants.size() != 4) return false;
    const Result<Clocks> clocks = clocks_of(constants);
    if (!clocks) return false;
    for (size_t i = 0; i < readings.size(); ++i) {
      if (!clocks->source || !clocks->target) valid[i] = false;
      if (!valid[i]) continue;
      const std::optional<int64_t> found =
          use(*relations_, clocks->source, clocks->target, readings[i]);
      valid[i] = found.has_value();
      readings[i] = found.value_or(0);
    }
    return true;
  }

 private:
  struct Clocks {
    ClockId source, target;  // none if the trace has no such clock
  };
  // The clocks of: from_clock, from_machine, to_clock, to_machine.
  Result<Clocks> clocks_of(Arguments arguments) const {
    TB_TRY_ASSIGN(const ClockId source, clock_of(arguments[0], arguments[1]));
    TB_TRY_ASSIGN(const ClockId target, clock_of(arguments[2], arguments[3]));
    return Clocks{source, target};
  }

  // Returns none if the trace has no such clock.
  Result<ClockId> clock_of(const Cell& clock, const Cell& machine) const {
    if (clocks_ == nullptr) return ClockId{};
    if (clock.kind == Cell::Kind::Null) return clocks_->graph.trace_time();
    TB_TRY_ASSIGN(const uint32_t domain, domain_of(clock));
    const std::optional<MachineId> row = machine_of(machine);
    if (!row) return ClockId{};
    const ClockGraph& graph = clocks_->graph;
    if (const auto shared = graph.find({.domain = domain, .machine = *row})) return *shared;
    // Uses the first clock that belongs to one file, if there is no shared clock.
    ClockId first;
    for (uint32_t i = 0; i < graph.size(); ++i) {
      const ClockKey& key = graph.key(ClockId{i});
      const bool is_it = key.domain == domain && key.machine == *row;
      if (is_it && (!first || key < graph.key(first))) first = ClockId{i};
    }
    return first;
  }

  // NULL is the machine of the timeline; other values are a row of machine or a name.
  std::optional<MachineId> machine_of(const Cell& cell) const {
    if (cell.kind == Cell::Kind::Null) return MachineId{store_.timeline_machine};
    const auto rows = static_cast<int64_t>(store_.machines.rows());
    if (cell.kind == Cell::Kind::Int && cell.integer >= 0 && cell.integer < rows)
      return MachineId{static_cast<uint32_t>(cell.integer)};
    if (cell.kind != Cell::Kind::Text) return std::nullopt;
    const StringId name = store_.strings.find(cell.text);
    for (uint32_t row = 0; name && row < rows; ++row)
      if (store_.machines.name[row] == name) return MachineId{row};
    return std::nullopt;
  }

  const Store& store_;
  std::shared_ptr<const MergedClocks> clocks_;
  std::optional<ClockRelations> relations_;  // if there are clocks
};

std::optional<int64_t> convert(ClockRelations& relations, ClockId from, ClockId to, int64_t ts) {
  return relations.convert(from, to, ts);
}

std::optional<int64_t> bound(ClockRelations& relations, ClockId from, ClockId to, int64_t ts) {
  const int64_t ns = relations.bound(from, to, ts);
  return ns == kUnbounded ? std::nullopt : std::optional(ns);
}

// A function of a reading and of two clocks, which `use` computes.
template <class Use>
SqlFunction function_of_clocks(FunctionSignature signature, std::string_view about,
                               const std::shared_ptr<Converter>& converter, Use use) {
  SqlFunction made{std::move(signature), about, [converter, use](Arguments arguments) {
                     return converter->with_clocks(arguments, use);
                   }};
  made.call_for_integers = [converter, use](Arguments constants, std::span<int64_t> readings,
                                            std::span<bool> valid) {
    return converter->with_clocks(constants, readings, valid, use);
  };
  made.gives_integers = true;
  return made;
}

}  // namespace

std::vector<SqlFunction> convert_functions(const Store& store,
                                           std::shared_ptr<const MergedClocks> clocks) {
  const auto converter = std::make_shared<Converter>(store, std::move(clocks));
  return {
      function_of_clocks(
          "clock_convert(ts LONG, from_clock ANY, from_machine ANY, to_clock ANY, to_machine ANY) "
          "LONG",
          "Time ts of a clock of a machine, on another clock: ts, from_clock, from_machine, "
          "to_clock, to_machine. A NULL clock is trace time, a NULL machine the timeline's. NULL "
          "if nothing relates the two.",
          converter, convert),
      function_of_clocks(
          "clock_error(ts LONG, from_clock ANY, from_machine ANY, to_clock ANY, to_machine ANY) "
          "LONG",
          "Bound of clock_convert() with the same arguments, ns. NULL is unbounded.", converter,
          bound),
  };
}

}  // namespace tracebraid
