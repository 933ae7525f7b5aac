#include "query/scan/plan.h"

#include <algorithm>

#include "base/assert.h"

namespace tracebraid {
namespace {

constexpr struct {
  Op op;
  std::string_view text;
} kOps[] = {{Op::Eq, "="},
            {Op::Ne, "!="},
            {Op::Lt, "<"},
            {Op::Le, "<="},
            {Op::Gt, ">"},
            {Op::Ge, ">="},
            {Op::Is, "is"},
            {Op::IsNot, "isnot"},
            {Op::IsNull, "isnull"},
            {Op::In, "in"},
            {Op::IsNotNull, "notnull"},
            {Op::Glob, "glob"},
            {Op::Like, "like"}};

constexpr std::string_view kReversed = "reversed";
constexpr std::string_view kDescending = "descending by ";
constexpr std::string_view kSorted = "order by ";
constexpr std::string_view kLimit = "limit ?", kOffset = "offset ?";

// Removes and returns the text before `separator`, and removes the separator.
std::string_view cut(std::string_view& text, std::string_view separator) {
  const std::string_view part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), part.size() + separator.size()));
  return part;
}

const ColumnView& column_named(const Table& table, std::string_view name) {
  const ColumnView* column = table.column(name);
  TB_ASSERT(column != nullptr);
  return *column;
}

std::string text_of(const PlanTerm& term) {
  const auto op = std::find_if(std::begin(kOps), std::end(kOps),
                               [&](const auto& entry) { return entry.op == term.op; });
  std::string text(term.column->name);
  return text.append(" ").append(op->text).append(term.constant ? " const" : " ?");
}

PlanTerm term_of(std::string_view text, const Table& table) {
  const ColumnView& column = column_named(table, cut(text, " "));
  const std::string_view name = cut(text, " ");
  const auto op = std::find_if(std::begin(kOps), std::end(kOps),
                               [&](const auto& entry) { return entry.text == name; });
  TB_ASSERT(op != std::end(kOps));
  return {&column, op->op, text == "const"};
}

std::string text_of(std::span<const SortKey> keys) {
  std::string text;
  for (const SortKey& key : keys) {
    if (!text.empty()) text += ", ";
    text.append(key.column->name).append(key.descending ? " desc" : " asc");
  }
  return text;
}

std::vector<SortKey> keys_of(std::string_view text, const Table& table) {
  std::vector<SortKey> keys;
  while (!text.empty()) {
    std::string_view key = cut(text, ", ");
    const ColumnView& column = column_named(table, cut(key, " "));
    keys.push_back({&column, key == "desc"});
  }
  return keys;
}

std::string arrangement_text(const Plan& plan) {
  switch (plan.arrangement) {
    case Arrangement::RowOrder:
      return {};
    case Arrangement::Reversed:
      return std::string(kReversed);
    case Arrangement::Descending:
      return std::string(kDescending) + text_of(plan.keys);
    case Arrangement::Sorted:
      return std::string(kSorted) + text_of(plan.keys);
  }
  return {};
}

}  // namespace

std::string text_of(const Plan& plan) {
  std::string text;
  for (const PlanTerm& term : plan.terms) text.append(text_of(term)).append("; ");
  text += arrangement_text(plan);
  if (plan.has_limit) text.append("; ").append(kLimit);
  if (plan.has_offset) text.append("; ").append(kOffset);
  if (text.ends_with("; ")) text.resize(text.size() - 2);
  return text;
}

Plan plan_of(std::string_view text, const Table& table) {
  Plan plan;
  while (!text.empty()) {
    std::string_view part = cut(text, "; ");
    if (part == kReversed) {
      plan.arrangement = Arrangement::Reversed;
    } else if (part.starts_with(kDescending)) {
      plan.arrangement = Arrangement::Descending;
      plan.keys = keys_of(part.substr(kDescending.size()), table);
    } else if (part.starts_with(kSorted)) {
      plan.arrangement = Arrangement::Sorted;
      plan.keys = keys_of(part.substr(kSorted.size()), table);
    } else if (part == kLimit) {
      plan.has_limit = true;
    } else if (part == kOffset) {
      plan.has_offset = true;
    } else {
      plan.terms.push_back(term_of(part, table));
    }
  }
  return plan;
}

}  // namespace tracebraid
