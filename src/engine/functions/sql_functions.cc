#include "engine/functions/sql_functions.h"

#include "base/time.h"
#include "engine/functions/arg_functions.h"
#include "engine/functions/clock_functions.h"
#include "engine/functions/convert_functions.h"
#include "engine/functions/ftrace_functions.h"
#include "engine/functions/json_functions.h"
#include "engine/functions/order_functions.h"
#include "query/functions/function.h"

namespace tracebraid {
namespace {

using Arguments = std::span<const Cell>;

// The rows of metadata to search; an unset member matches any.
struct MetadataScope {
  std::optional<int64_t> machine_id, trace_id;
};

bool is_in(std::optional<int64_t> wanted, OptRow row) {
  return !wanted || (row.row != OptRow::kNull && *wanted == int64_t{row.row});
}

// Returns the value of the first row with this name: its text, else its number.
Cell metadata(const Store& store, std::string_view name, const MetadataScope& scope) {
  const MetadataTable& table = store.metadata;
  const StringId id = store.strings.find(name);
  for (size_t row = 0; id && row < table.rows(); ++row) {
    if (table.name[row] != id || !is_in(scope.machine_id, table.machine_id[row]) ||
        !is_in(scope.trace_id, table.trace_id[row]))
      continue;
    if (const StringId text = table.str_value[row]) return Cell::of(store.strings.get(text));
    const int64_t value = table.int_value[row].value;
    return value == OptInt::kNull ? Cell::null() : Cell::of(value);
  }
  return Cell::null();
}

// The last argument is the name; those before it are numbers of the scope. NULL, and values of
// other types, find nothing.
template <class MakeScope>
auto metadata_function(const Store& store, MakeScope make_scope) {
  return [&store, make_scope](Arguments arguments) -> Result<Cell> {
    for (const Cell& number : arguments.first(arguments.size() - 1))
      if (number.kind != Cell::Kind::Int) return Cell::null();
    if (arguments.back().kind != Cell::Kind::Text) return Cell::null();
    return metadata(store, arguments.back().text, make_scope(arguments));
  };
}

// Returns 1 if `a` contains `d` on the same track; NULL if one of the slices does not exist.
Result<Cell> slice_is_ancestor(const SliceTable& slices, Arguments arguments) {
  for (const Cell& id : arguments)
    if (id.kind != Cell::Kind::Int || id.integer < 0 ||
        id.integer >= static_cast<int64_t>(slices.rows()))
      return Cell::null();
  const auto a = static_cast<size_t>(arguments[0].integer);
  const auto d = static_cast<size_t>(arguments[1].integer);
  const auto end = [&](size_t row) {  // open slices never end
    const bool open = slices.dur[row] < 0;
    return open ? INT64_MAX
                : add(TraceTime{slices.ts[row]}, Duration{slices.dur[row]})
                      .value_or(TraceTime{INT64_MAX})
                      .ns;
  };
  return Cell::of(int64_t{slices.track_id[a] == slices.track_id[d] &&
                          slices.depth[a] < slices.depth[d] && slices.ts[a] <= slices.ts[d] &&
                          end(a) >= end(d)});
}

}  // namespace

std::vector<SqlFunction> session_functions(const Store& store, const StopCheck& stop,
                                           std::shared_ptr<const MergedClocks> clocks,
                                           std::shared_ptr<OrderSource> orders) {
  const std::vector<std::string_view> kMetadata = {MetadataTable::kName};
  std::vector<SqlFunction> functions = arg_functions(store);
  const auto append = [&](SqlFunction function) { functions.push_back(std::move(function)); };
  append({"trace_start() TIMESTAMP", "Start of the trace, ns.",
          [&store](Arguments) -> Result<Cell> { return Cell::of(store.trace_start); }});
  append({"trace_end() TIMESTAMP", "End of the trace, ns.",
          [&store](Arguments) -> Result<Cell> { return Cell::of(store.trace_end); }});
  append(
      {"trace_dur() DURATION", "Duration of the trace, ns.", [&store](Arguments) -> Result<Cell> {
         const auto length = between(TraceTime{store.trace_start}, TraceTime{store.trace_end});
         return length ? Cell::of(length->ns) : Cell::null();
       }});
  append({"extract_metadata(name STRING) ANY", "First value of a key of metadata.",
          metadata_function(store, [](Arguments) { return MetadataScope{}; }), kMetadata});
  append(
      {"extract_metadata_for_machine(machine_id LONG, name STRING) ANY", "The same for a machine.",
       metadata_function(
           store,
           [](Arguments arguments) { return MetadataScope{arguments[0].integer, std::nullopt}; }),
       kMetadata});
  append(
      {"extract_metadata_for_trace(trace_id LONG, name STRING) ANY", "The same for a trace file.",
       metadata_function(
           store,
           [](Arguments arguments) { return MetadataScope{std::nullopt, arguments[0].integer}; }),
       kMetadata});
  append({"extract_exact_metadata(machine_id LONG, trace_id LONG, name STRING) ANY",
          "The same for a machine and a trace file.",
          metadata_function(store,
                            [](Arguments arguments) {
                              return MetadataScope{arguments[0].integer, arguments[1].integer};
                            }),
          kMetadata});
  append({"slice_is_ancestor(ancestor_id LONG, slice_id LONG) BOOL",
          "1 if the first slice contains the second.",
          [&store](Arguments arguments) { return slice_is_ancestor(store.slices, arguments); },
          {SliceTable::kName}});
  for (SqlFunction& function : clock_functions(store)) {
    function.reads = {ClockSnapshotTable::kName};
    add_with_twin(function, functions);
  }
  for (SqlFunction& function : convert_functions(store, std::move(clocks))) {
    function.reads = {MachineTable::kName};
    append(std::move(function));
  }
  for (SqlFunction& function : order_functions(std::move(orders))) append(std::move(function));
  for (SqlFunction& function : json_functions(store, stop)) append(std::move(function));
  for (SqlFunction& function : ftrace_functions(store)) append(std::move(function));
  return functions;
}

}  // namespace tracebraid
