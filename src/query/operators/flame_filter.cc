#include "query/operators/flame_filter.h"

#include <re2/re2.h>

#include <algorithm>

namespace tracebraid {
namespace {

constexpr uint32_t kNone = FlameSource::kNone;

struct Verdicts {
  std::vector<std::vector<uint8_t>> show, hide_stack, hide_frame;
};

Result<Verdicts> verdicts_of(const FlameSource& source, const FlameConfig& config,
                             const StopCheck& stop) {
  Verdicts verdicts;
  for (const FlameConfig::Filter& filter : config.filters) {
    TB_TRY_ASSIGN(std::vector<uint8_t> matches, matches_of(source, filter.pattern, stop));
    auto& list = filter.kind == FlameFilter::ShowStack   ? verdicts.show
                 : filter.kind == FlameFilter::HideStack ? verdicts.hide_stack
                                                         : verdicts.hide_frame;
    list.push_back(std::move(matches));
  }
  return verdicts;
}

}  // namespace

Result<std::vector<uint8_t>> matches_of(const FlameSource& source, const FlamePattern& pattern,
                                        const StopCheck& stop) {
  RE2::Options options(RE2::Quiet);
  options.set_case_sensitive(!pattern.ignores_case);
  const RE2 compiled(pattern.pattern, options);
  if (!compiled.ok()) return fail(ErrorCode::Sql, "RE2 compile error: " + compiled.error());
  const TextSet& texts = source.texts.texts();
  std::vector<uint8_t> matches(texts.size());
  constexpr size_t kWorkOfMatch = 16;  // besides that of its bytes
  PacedStopCheck check(stop);
  for (size_t i = 0; i < texts.size(); ++i) {
    if (check.stopped(kWorkOfMatch + texts[i].size())) return tl::unexpected(check.error());
    matches[i] = RE2::PartialMatch(re2::StringPiece(texts[i].data(), texts[i].size()), compiled);
  }
  return matches;
}

Result<FilteredFlames> filter_flames(const FlameSource& source, const FlameConfig& config,
                                     const std::vector<size_t>& values, const StopCheck& stop) {
  TB_TRY_ASSIGN(const Verdicts verdicts, verdicts_of(source, config, stop));
  const size_t rows = source.rows();
  FilteredFlames made;
  std::vector<Amounts> amounts;
  for (const size_t column : values) {
    TB_TRY_ASSIGN(Amounts of_column, source.amounts(column, stop));
    made.self.emplace_back(of_column.is_real(), rows);
    amounts.push_back(std::move(of_column));
  }
  PacedStopCheck check(stop);
  for (size_t row = 0; row < rows; ++row) {
    if (check.stopped()) return tl::unexpected(check.error());
    made.total += amounts[0].as_double(row);
  }

  enum : uint8_t { kStackHidden = 1, kFrameHidden = 2 };
  const auto any = [&](const std::vector<std::vector<uint8_t>>& list, uint32_t row) {
    return std::ranges::any_of(list,
                               [&](const auto& matches) { return is_match(source, matches, row); });
  };
  const bool has_filters = !config.filters.empty();
  const auto all_shown = static_cast<uint32_t>((uint64_t{1} << verdicts.show.size()) - 1);
  std::vector<uint8_t> flags(has_filters ? rows : 0);
  std::vector<uint32_t> shown(has_filters ? rows : 0);  // SHOW_STACK filters that match the stack
  made.parents = source.parents;
  made.is_shown.assign(rows, 0);
  for (const uint32_t row : source.order) {
    if (check.stopped()) return tl::unexpected(check.error());
    uint32_t to = row;
    if (has_filters) {
      const uint32_t parent = source.parents[row];
      if (parent != kNone) {
        flags[row] = flags[parent] & kStackHidden;
        shown[row] = shown[parent];
        if ((flags[parent] & kFrameHidden) != 0) made.parents[row] = made.parents[parent];
      }
      if (any(verdicts.hide_stack, row)) flags[row] |= kStackHidden;
      if (any(verdicts.hide_frame, row)) flags[row] |= kFrameHidden;
      for (size_t i = 0; i < verdicts.show.size(); ++i)
        if (is_match(source, verdicts.show[i], row)) shown[row] |= 1U << i;
      if ((flags[row] & kStackHidden) != 0 || shown[row] != all_shown) continue;
      if ((flags[row] & kFrameHidden) != 0) to = made.parents[row];
    }
    if (to == kNone) continue;
    for (size_t i = 0; i < amounts.size(); ++i) made.self[i].add(to, amounts[i], row);
    if (!amounts[0].is_zero(row)) made.is_shown[to] = 1;
  }
  // A node is shown if it or a node below it has a value.
  for (size_t i = source.order.size(); i-- > 0;) {
    if (check.stopped()) return tl::unexpected(check.error());
    const uint32_t row = source.order[i];
    if (made.is_shown[row] != 0 && made.parents[row] != kNone) made.is_shown[made.parents[row]] = 1;
  }
  return made;
}

}  // namespace tracebraid
