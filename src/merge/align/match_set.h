// MatchSet: the matches of one kind between two clocks, and what became of them (spec alignment
// 4.2, 7.3).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clock/clock_key.h"
#include "clock/clock_map.h"
#include "merge/align/constraint.h"
#include "merge/align/equal.h"
#include "merge/align/verdict.h"
#include "merge/locate/clocks.h"

namespace tracebraid::align {

// A clock of a batch.
struct Side {
  size_t batch = 0, clock = 0;  // index of Trackers::batches, index of its clocks
};

enum class Verdict : uint8_t { Used, Verified, Refused };
constexpr std::string_view name_of(Verdict verdict) {
  constexpr std::string_view kNames[] = {"used", "verified", "refused"};
  return kNames[static_cast<size_t>(verdict)];
}

// A row of clock_match.
struct Match {
  enum class Form : uint8_t { Equal, ABeforeB, BBeforeA };
  std::string key;                       // what both recordings have in common
  int64_t reading_a = 0, reading_b = 0;  // ns
  Form form = Form::Equal;
  std::optional<int64_t> residual_ns;  // reading_b minus that of the fit; none without a fit
  bool is_outlier = false;
};
constexpr std::string_view name_of(Match::Form form) {
  constexpr std::string_view kNames[] = {"equal", "a_before_b", "b_before_a"};
  return kNames[static_cast<size_t>(form)];
}

// The first and the last reading of the events of a file in one clock, ns.
struct ReadingRange {
  int64_t first = INT64_MAX, last = INT64_MIN;
};

struct MatchSet {
  std::string_view kind;         // collectives ...
  std::string_view match_class;  // id, counted, text, run, shape
  EvidenceKind evidence = EvidenceKind::Measured;
  EvidenceSource source = EvidenceSource::Usual;
  Side a, b;
  FileId file_a, file_b;
  int64_t candidates = 0, used = 0, outliers = 0;
  Verdict verdict = Verdict::Refused;
  Reason reason = Reason::None;
  std::string detail;
  std::string_view assumes;
  // The fitted map from readings of `a` to readings of `b`, ns; empty if refused before the fit.
  std::vector<Observation> knots;
  // In the middle of the matches, ns: b minus a, the bound, and the limits that hold without
  // assumption.
  std::optional<int64_t> offset_ns, bound_ns, band_low_ns, band_high_ns;
  std::optional<int64_t> rate_ppb;
  // How surprising the names of the matches are, if that is their proof. The distance between the
  // places that fit alike, ns, and their number.
  std::optional<int64_t> surprise_bits, alias_period_ns, alias_count;
  // Duration of the shortest flow in each direction, by the fit, ns.
  std::optional<int64_t> least_ab_ns, least_ba_ns;
  // Sum of the offsets around its best loop of sets, ns.
  std::optional<int64_t> loop_residual_ns;
  // What causes of one direction alone say: a few pairs that limit the distance of the clocks on
  // one side, from readings of `a` to those of `b`, and the readings of `a` in its file. They cut a
  // band that something else gives.
  std::vector<Observation> limits;
  bool are_limits_high = false;  // `b` shows that much at most, else at least
  ReadingRange range;
  std::vector<Match> matches;  // outliers, then every n-th of the others
};

// Sets the clocks and files of a set. `Of` has `side` and `file`.
template <class Of>
void set_sides(const Of& a, const Of& b, MatchSet& set) {
  set.a = a.side;
  set.b = b.side;
  set.file_a = a.file;
  set.file_b = b.file;
}

// Returns how many matches of each of `sets` sets are reported: at most 10000, and about a million
// in all.
size_t reported_matches(size_t sets);
// Returns the indexes of the matches to report, in order: at most `most`, outliers first.
// `is_outlier` may be empty.
std::vector<size_t> choose_matches(size_t count, const std::vector<bool>& is_outlier, size_t most);

// Adds the matches to report, of `count`: match_of(i) with key, readings and form. Adds whether
// they are outliers, and residuals if `fit`, an EqualFit or OrderedFit, has a place.
template <class Fit, class MatchOf>
void add_matches(size_t count, const Fit& fit, const Bases& bases, size_t most, MatchOf match_of,
                 MatchSet& set) {
  for (const size_t i : choose_matches(count, fit.is_outlier, most)) {
    Match match = match_of(i);
    match.is_outlier = i < fit.is_outlier.size() && fit.is_outlier[i];
    if (fit.reason == Reason::None) {
      const int64_t x = match.reading_a - bases.a;
      match.residual_ns = match.reading_b - bases.b - x - std::llround(fit.at(x).theta);
    }
    set.matches.push_back(std::move(match));
  }
}

// Returns the length of the longest chain of values, in order, of which none is less than the one
// before.
size_t longest_rising(std::span<const int64_t> values);

ReadingRange range_of(const Side& side, const Trackers& trackers);

// Sets the readings of `side` for which a fit must hold, in EqualOptions or OrderedOptions.
template <class Options>
void set_range(const Side& side, const Trackers& trackers, const Bases& bases, Options& options) {
  const ReadingRange range = range_of(side, trackers);
  options.first_x = difference(range.first, bases.a).value_or(0);
  options.last_x = difference(range.last, bases.a).value_or(0);
}

// Sets the knots, and offset and bound at `x`. Drops knots beyond 64 bits.
void set_fit(std::span<const Knot> knots, const Bases& bases, int64_t x, MatchSet& set);
// Returns the text for matches that fit at several places.
std::string alias_text(int64_t period_ns, int64_t places);
// Returns the difference of the bases plus `theta`; nothing beyond 64 bits.
std::optional<int64_t> offset_of(const Bases& bases, double theta);
int64_t ppb(double rate);

}  // namespace tracebraid::align
