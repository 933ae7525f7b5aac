#include "timeline/search/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "timeline/events/event.h"

namespace tracebraid::timeline {
namespace {

constexpr size_t kBatch = 8192;
constexpr std::string_view kFields[] = {"name",  "category", "arg",     "message",
                                        "state", "thread",   "process", "counter"};

// A bit for each string, or arg_set_id.
using Bits = std::vector<bool>;
bool has(const Bits& bits, uint32_t id) { return id < bits.size() && bits[id]; }

// The arg sets with a text that fulfils a condition. Empty: none.
Bits matching_sets(const Store& store, const Bits& strings, std::string_view key) {
  Bits sets;
  if (std::ranges::find(strings, true) == strings.end()) return sets;
  const auto fits = [&](StringId id) {
    if (key.empty()) return true;
    if (!id) return false;
    const std::string_view path = store.strings.get(id);
    return path == key || (path.ends_with(key) && path.size() > key.size() &&
                           path[path.size() - key.size() - 1] == '.');
  };
  std::vector<bool> keys;
  for (const ArgKey& each : store.args.keys) keys.push_back(fits(each.flat_key));
  sets.resize(store.args.rows());
  store.args.for_each_set([&](uint32_t id, const ArgSet& set) {
    for (const ArgRow arg : set)
      if (is_text_arg(arg.type) && keys[arg.key] && has(strings, static_cast<uint32_t>(arg.value)))
        sets[id] = true;
  });
  return sets;
}

class Searcher {
 public:
  Searcher(const Timeline& timeline, const SearchQuery& query, const Stop& stop,
           const std::function<bool(std::span<const SearchHit>)>& take)
      : timeline_(timeline), store_(timeline.store()), query_(query), stop_(stop), take_(take) {}

  Result<> run() {
    text_ = matching_strings(query_.text);
    name_ = matching_strings(query_.name);
    category_ = matching_strings(query_.category);
    find_tracks();
    find_contexts();
    for (const SearchQuery::ArgCondition& condition : query_.args)
      args_.push_back(matching_sets(store_, matching_strings(condition.value), condition.key));
    if (query_.text) text_args_ = matching_sets(store_, text_, "");
    if (query_.allows_tracks()) search_tracks();
    for (const TableKind kind : {TableKind::Slice, TableKind::State, TableKind::Log,
                                 TableKind::Ftrace, TableKind::Snapshot})
      if (!is_over_) search_table(kind);
    if (stop_.requested()) return fail(ErrorCode::Cancelled, "interrupted");
    return {};
  }

 private:
  Bits matching_strings(const std::optional<TextMatcher>& matcher) const {
    Bits bits;
    if (!matcher) return bits;
    bits.resize(store_.strings.size());
    for (uint32_t id = 0; id < bits.size() && !stop_.requested(); ++id)
      bits[id] = matcher->matches(store_.strings.get({id}));
    return bits;
  }

  // Finds the tracks that conditions on machine, process, thread and track allow.
  void find_tracks() {
    if (!query_.machine && !query_.process && !query_.thread && !query_.track) return;
    const auto allows = [](const std::optional<TextMatcher>& matcher, OptRow row, auto title) {
      return !matcher || (row.row != OptRow::kNull && matcher->matches(title(row.row)));
    };
    for (const TreeTrack& track : timeline_.tracks())
      tracks_.push_back(allows(query_.machine, track.machine,
                               [&](uint32_t row) { return machine_title(store_, row); }) &&
                        allows(query_.process, track.upid,
                               [&](uint32_t row) { return process_title(store_, row); }) &&
                        allows(query_.thread, track.utid,
                               [&](uint32_t row) { return thread_title(store_, row); }) &&
                        (!query_.track || query_.track->matches(track.title)));
  }
  // Finds the slices that began in a context with a matching type and id.
  void find_contexts() {
    if (!query_.context) return;
    const JsonContextTable& contexts = store_.json.contexts;
    Bits matching(contexts.rows());
    for (size_t row = 0; row < contexts.rows(); ++row)
      matching[row] = query_.context->matches(
          fmt::format("{} {}", text_of(contexts.type_name[row]), text_of(contexts.object_id[row])));
    in_context_.resize(store_.slices.rows());
    const JsonSliceContextTable& of_slices = store_.json.slice_contexts;
    for (size_t row = 0; row < of_slices.rows(); ++row)
      if (has(matching, of_slices.context_id[row]) && of_slices.slice_id[row] < in_context_.size())
        in_context_[of_slices.slice_id[row]] = true;
  }
  std::string_view text_of(StringId id) const {
    return id ? store_.strings.get(id) : std::string_view();
  }
  bool allows_track(uint32_t track) const { return tracks_.empty() || tracks_[track]; }

  // Finds counters by their names, and the tracks of threads and processes.
  void search_tracks() {
    std::vector<SearchHit> hits;
    for (uint32_t number = 0; number < timeline_.tracks().size(); ++number) {
      const TreeTrack& track = timeline_.tracks()[number];
      if (track.events == 0 || !allows_track(number)) continue;
      const auto add = [&](HitField field) {
        hits.push_back({track.first, number, number, std::nullopt, field});
      };
      const auto has_series = [&](StringId series) { return has_name(text_, series); };
      if (track.table == TableKind::Counter &&
          (query_.text->matches(track.title) || std::ranges::any_of(track.series, has_series)))
        add(HitField::Counter);
      else if (track.utid.row != OptRow::kNull &&
               has_name(text_, store_.threads.name[track.utid.row]))
        add(HitField::Thread);
      else if (track.utid.row == OptRow::kNull && track.upid.row != OptRow::kNull &&
               has_name(text_, store_.processes.name[track.upid.row]))
        add(HitField::Process);
    }
    std::ranges::stable_sort(hits, {}, &SearchHit::ts);
    pass(hits);
  }
  static bool has_name(const Bits& bits, StringId id) { return id && has(bits, id.row); }

  void search_table(TableKind kind) {
    const auto rows = static_cast<uint32_t>(timeline_.table(kind).keys.rows);
    std::vector<uint32_t> some, names;
    std::vector<SearchHit> hits;
    for (uint64_t first = 0; first < rows && !is_over_; first += kBatch) {
      some.resize(std::min<uint64_t>(kBatch, rows - first));
      std::iota(some.begin(), some.end(), static_cast<uint32_t>(first));
      names.resize(some.size());
      timeline_.facts().read_names(kind, some, names);
      hits.clear();
      for (size_t i = 0; i < some.size(); ++i)
        if (const std::optional<HitField> field = match(kind, some[i], names[i]))
          add_hit(kind, some[i], *field, hits);
      pass(hits);
    }
  }

  // Returns what of the event fulfils the query; nothing if it does not.
  std::optional<HitField> match(TableKind kind, uint32_t row, uint32_t name) const {
    std::optional<HitField> field = HitField::Name;
    if (query_.text) {
      field = match_text(kind, row, name);
      if (!field) return std::nullopt;
    }
    if (query_.name && !has(name_, name)) return std::nullopt;
    if (query_.context && (kind != TableKind::Slice || !has(in_context_, row))) return std::nullopt;
    if (query_.category && !has_name(category_, category_of(store_, kind, row)))
      return std::nullopt;
    if (query_.has_dur) {
      if (!timeline_.table(kind).has_lengths) return std::nullopt;
      int64_t start = 0, duration = 0;
      timeline_.table(kind).read_times({&row, 1}, {&start, 1}, {&duration, 1});
      if (duration < 0 || duration < query_.least_dur || duration > query_.most_dur)
        return std::nullopt;
    }
    for (const Bits& sets : args_)
      if (!has(sets, args_of(store_, kind, row).row)) return std::nullopt;
    return field;
  }
  std::optional<HitField> match_text(TableKind kind, uint32_t row, uint32_t name) const {
    if (has(text_, name)) return kind == TableKind::State ? HitField::State : HitField::Name;
    if (kind == TableKind::Log && has_name(text_, store_.logs.msg[row])) return HitField::Message;
    if (has_name(text_, category_of(store_, kind, row))) return HitField::Category;
    if (!text_args_.empty() && has(text_args_, args_of(store_, kind, row).row))
      return HitField::Arg;
    return std::nullopt;
  }
  void add_hit(TableKind kind, uint32_t row, HitField field, std::vector<SearchHit>& hits) const {
    const uint32_t track = timeline_.line_of(kind, row).track;
    if (track == kNoNode || !allows_track(track)) return;
    int64_t start = 0, duration = 0;
    timeline_.table(kind).read_times({&row, 1}, {&start, 1}, {&duration, 1});
    hits.push_back({start, row, track, kind, field});
  }
  void pass(std::span<const SearchHit> hits) {
    if (stop_.requested() || (!hits.empty() && !take_(hits))) is_over_ = true;
  }

  const Timeline& timeline_;
  const Store& store_;
  const SearchQuery& query_;
  const Stop& stop_;
  const std::function<bool(std::span<const SearchHit>)>& take_;
  Bits text_, name_, category_;  // of strings
  Bits text_args_;               // of arg sets
  Bits in_context_;              // of slices
  std::vector<Bits> args_;
  std::vector<bool> tracks_;  // empty: all are allowed
  bool is_over_ = false;
};

}  // namespace

std::string_view name_of(HitField field) { return kFields[static_cast<size_t>(field)]; }

Result<> search(const Timeline& timeline, const SearchQuery& query, const Stop& stop,
                const std::function<bool(std::span<const SearchHit> hits)>& take) {
  return Searcher(timeline, query, stop, take).run();
}

}  // namespace tracebraid::timeline
