// Fills the tables of match sets.
#include "merge/align/content.h"

namespace tracebraid::align {
namespace {

OptInt optional_int(std::optional<int64_t> value) { return {value.value_or(OptInt::kNull)}; }

void fill_set(const MatchSet& set, ClockId a, ClockId b, Store& store) {
  ClockMatchSetTable& table = store.clock_match_sets;
  const auto text = [&](std::string_view s) {
    return s.empty() ? StringId{} : store.strings.intern(s);
  };
  table.kind.append(text(set.kind));
  table.match_class.append(text(set.match_class));
  table.clock_a.append({a ? a.row : OptRow::kNull});
  table.clock_b.append({b ? b.row : OptRow::kNull});
  table.trace_a.append(set.file_a.row);
  table.trace_b.append(set.file_b.row);
  table.candidates.append(set.candidates);
  table.used.append(set.verdict == Verdict::Refused ? 0 : set.used);
  table.outliers.append(set.outliers);
  table.verdict.append(text(name_of(set.verdict)));
  table.reason.append(text(name_of(set.reason)));
  table.detail.append(text(set.detail));
  table.surprise_bits.append(optional_int(set.surprise_bits));
  table.alias_period_ns.append(optional_int(set.alias_period_ns));
  table.alias_count.append(optional_int(set.alias_count));
  table.assumes.append(text(set.assumes));
  table.offset_ns.append(optional_int(set.offset_ns));
  table.rate_ppb.append(optional_int(set.rate_ppb));
  table.bound_ns.append(optional_int(set.bound_ns));
  table.band_low_ns.append(optional_int(set.band_low_ns));
  table.band_high_ns.append(optional_int(set.band_high_ns));
  table.least_ab_ns.append(optional_int(set.least_ab_ns));
  table.least_ba_ns.append(optional_int(set.least_ba_ns));
  table.loop_residual_ns.append(optional_int(set.loop_residual_ns));
}

// A used match or a knot, at a reading of the first clock.
struct Residual {
  int64_t reading = 0, residual = 0;
};

// Returns the bound of the fit at a reading of the first clock, ns: the larger one of the knots
// around it.
int64_t bound_at(std::span<const Observation> knots, int64_t reading) {
  const auto after = std::ranges::lower_bound(knots, reading, {}, &Observation::from);
  const auto right = after == knots.end() ? knots.end() - 1 : after;
  const auto left = after == knots.begin() ? after : after - 1;
  return std::max(left->uncertainty_ns, right->uncertainty_ns);
}

void fill_residuals(const MatchSet& set, uint32_t row, PlaceCursor cursor, Store& store) {
  if (set.verdict == Verdict::Refused || set.knots.empty()) return;
  std::vector<Residual> all;
  for (const Observation& knot : set.knots) all.push_back({knot.from, 0});
  for (const Match& match : set.matches)
    if (match.residual_ns && !match.is_outlier)
      all.push_back({match.reading_a, *match.residual_ns});
  std::ranges::stable_sort(all, {}, &Residual::reading);
  ClockResidualTable& table = store.clock_residuals;
  for (const Residual& at : all) {
    int64_t ts = 0;
    if (!cursor.place_ns(at.reading, ts)) continue;
    const int64_t bound = bound_at(set.knots, at.reading);
    table.set_id.append(row);
    table.ts.append(ts);
    table.residual_ns.append(at.residual);
    table.band_low_ns.append(-bound);
    table.band_high_ns.append(bound);
  }
}

void fill_matches(const MatchSet& set, uint32_t row, Store& store) {
  ClockMatchTable& table = store.clock_matches;
  for (const Match& match : set.matches) {
    table.set_id.append(row);
    table.key.append(store.strings.intern(match.key));
    table.reading_a.append(match.reading_a);
    table.reading_b.append(match.reading_b);
    table.form.append(store.strings.intern(name_of(match.form)));
    table.residual_ns.append(optional_int(match.residual_ns));
    table.used.append(set.verdict != Verdict::Refused && !match.is_outlier ? 1 : 0);
    table.reason.append(match.is_outlier ? store.strings.intern("outlier") : StringId{});
  }
}

}  // namespace

void fill_match_sets(std::span<const MatchSet> sets, std::span<const std::vector<ClockId>> nodes,
                     const Placement& placement, Store& store) {
  for (const MatchSet& set : sets) {
    const ClockId a = nodes[set.a.batch][set.a.clock], b = nodes[set.b.batch][set.b.clock];
    const auto row = static_cast<uint32_t>(store.clock_match_sets.rows());
    fill_set(set, a, b, store);
    fill_matches(set, row, store);
    fill_residuals(set, row, placement.cursor(a), store);
  }
}

}  // namespace tracebraid::align
