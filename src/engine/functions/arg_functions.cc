#include "engine/functions/arg_functions.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>

#include "query/functions/arg_json.h"
#include "query/functions/text_result.h"

namespace tracebraid {
namespace {

bool is_null(const Cell& cell) { return cell.kind == Cell::Kind::Null; }

// Returns the set that a cell names; nothing if there is no set with this number.
std::optional<uint32_t> arg_set(const Cell& cell) {
  if (cell.integer < 0 || cell.integer >= int64_t{OptRow::kNull}) return std::nullopt;
  return static_cast<uint32_t>(cell.integer);
}

// Finds keys in the pool. Most calls have the key of the call before, which is not searched again.
// Any number of threads may call it.
class KeyFinder {
 public:
  StringId find(std::string_view text, const StringPool& strings) {
    const StringId last{last_.load(std::memory_order_relaxed)};
    if (last && strings.get(last) == text) return last;
    const StringId found = strings.find(text);
    last_.store(found.row, std::memory_order_relaxed);
    return found;
  }

 private:
  std::atomic<uint32_t> last_ = StringId::kNone;
};

Result<Cell> extract_arg(const Store& store, KeyFinder& keys, std::span<const Cell> arguments) {
  if (is_null(arguments[0])) return Cell::null();
  if (arguments[0].kind != Cell::Kind::Int)
    return fail(ErrorCode::Sql, "EXTRACT_ARG: 1st argument should be arg set id");
  if (arguments[1].kind != Cell::Kind::Text)
    return fail(ErrorCode::Sql, "EXTRACT_ARG: 2nd argument should be key");
  const std::optional<uint32_t> set = arg_set(arguments[0]);
  const StringId key = keys.find(arguments[1].text, store.strings);
  if (!set || !key) return Cell::null();
  const std::optional<ArgRow> row = store.args.find(*set, key);
  return row ? value_of(*row, store.strings) : Cell::null();
}

// extract_arg() of many sets (SqlFunction::call_for_integers).
bool extract_integers(const Store& store, KeyFinder& keys, std::span<const Cell> constants,
                      std::span<int64_t> sets, std::span<bool> valid) {
  if (constants.size() != 1 || constants[0].kind != Cell::Kind::Text) return false;
  const StringId key = keys.find(constants[0].text, store.strings);
  if (key) return store.args.find_integers(key, sets, valid);
  std::ranges::fill(valid, false);
  return true;
}

MaybeText arg_set_to_json(const Store& store, std::span<const Cell> arguments) {
  if (is_null(arguments[0])) return std::nullopt;
  if (arguments[0].kind != Cell::Kind::Int)
    return fail(ErrorCode::Sql, "PRINT_ARGS: 1st argument should be arg set id");
  const std::optional<uint32_t> set = arg_set(arguments[0]);
  return set ? arg_set_json(store.args, *set, store.strings) : "{}";
}

}  // namespace

std::vector<SqlFunction> arg_functions(const Store& store) {
  const auto keys = std::make_shared<KeyFinder>();
  return {
      {"extract_arg(arg_set_id ARGSETID, key STRING) ANY",
       "Value of the first arg of a set with this key.",
       [&store, keys](std::span<const Cell> arguments) {
         return extract_arg(store, *keys, arguments);
       },
       {ArgsTable::kName},
       true,
       [&store, keys](std::span<const Cell> constants, std::span<int64_t> sets,
                      std::span<bool> valid) {
         return extract_integers(store, *keys, constants, sets, valid);
       }},
      {"__intrinsic_arg_set_to_json(arg_set_id ARGSETID) STRING",
       "All args of a set as a JSON object.",
       returns_text(
           [&store](std::span<const Cell> arguments) { return arg_set_to_json(store, arguments); }),
       {ArgsTable::kName}},
  };
}

}  // namespace tracebraid
