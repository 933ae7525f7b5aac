#include "engine/trace.h"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include "base/boundary.h"
#include "braid/braid.h"
#include "engine/cache.h"
#include "engine/functions/order_functions.h"
#include "engine/functions/sql_functions.h"
#include "engine/functions/table_functions.h"
#include "engine/merge_options.h"
#include "engine/timeline_extra.h"
#include "query/compile/table_set.h"
#include "tables/registry.h"
#include "tables/store_memory.h"

namespace tracebraid {

struct Trace::State {
  std::shared_ptr<const Engine> engine;
  // Members are in order of construction: `merged` views the bytes of others.
  HostFiles files;
  Bytes braid;
  std::shared_ptr<BraidTables> tables;
  std::optional<timeline::IndexParts> timeline_index;
  Merged merged;
  bool negative_dropped = false;
  std::shared_ptr<const TableSet> table_set;
  std::unique_ptr<BrokenInvariant> broken = std::make_unique<BrokenInvariant>();
};

namespace {

struct Opened {
  HostFiles files;
  Bytes braid;
  std::shared_ptr<BraidTables> tables;
  std::optional<timeline::IndexParts> timeline_index;
  Merged merged;
};

// The state that all ways of opening share.
struct Opening {
  std::span<const TraceInput> inputs;
  const Engine& engine;
  const TraceOptions& options;
  const MergeOptions& merge;
  Progress& progress;

  void warn(const std::string& message) const {
    if (options.warn) options.warn(message);
  }
};

Result<Opened> open_braid_alone(const TraceInput& input, const HostFiles& files,
                                const Opening& opening) {
  const unsigned threads = opening.engine.threads();
  Progress& progress = opening.progress;
  Result<Braid> opened = input.bytes ? open_braid(*input.bytes, input.name, threads, progress)
                                     : open_braid(input.name, files, threads, progress);
  if (opened && !opening.options.for_queries) {
    if (Result<> fine = opened->tables->verify_all(&progress); !fine)
      opened = tl::unexpected(std::move(fine).error());
  }
  if (std::optional<Error> damage = files.damage->find()) return tl::unexpected(*std::move(damage));
  TB_TRY_ASSIGN(Braid braid, std::move(opened));
  std::optional<timeline::IndexParts> index = timeline_parts(braid);
  return Opened{files, std::move(braid.bytes), std::move(braid.tables), std::move(index),
                std::move(braid.merged)};
}

Result<Opened> open_inputs(const Opening& opening) {
  for (const TraceInput& input : opening.inputs) {
    if (!is_braid_input(input)) continue;
    if (opening.inputs.size() != 1)
      return fail(
          ErrorCode::Usage,
          fmt::format("{}: a braid cannot be merged with other inputs; open it alone", input.name));
    return open_braid_alone(input, opening.merge.files, opening);
  }
  Workers workers(opening.engine.threads());
  TB_TRY_ASSIGN(Merged merged, merge(opening.inputs, opening.merge, workers, opening.progress));
  return Opened{opening.merge.files, {}, nullptr, std::nullopt, std::move(merged)};
}

Result<> keep(const Merged& merged, ContentKey key, const std::string& path, const HostFiles& files,
              unsigned threads, Progress& progress) {
  TB_TRY_ASSIGN(NewFile file, NewFile::create(path, files));
  progress.begin("caching the merged trace", 0);
  const BraidExtra extra = timeline_extra(*merged.store, threads);
  TB_TRY(write_braid(merged, key, file, progress, {&extra, 1}));
  return file.finish();
}

// Returns whether the cache may be written to `path`: no file is there, or a cache. A file of the
// user, such as an exported braid, stays.
bool is_free_for_cache(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return true;
  return is_braid_file(path) && braid_key(path) != ContentKey{0};
}

// Returns the paths of the inputs if all are paths; else nothing.
std::optional<std::vector<std::string>> paths_of(std::span<const TraceInput> inputs) {
  std::vector<std::string> paths;
  for (const TraceInput& input : inputs) {
    if (!input.is_path()) return std::nullopt;
    paths.push_back(input.name);
  }
  return paths;
}

// Opens the cache if it belongs to these inputs; else merges them and writes the cache.
Result<Opened> open_cached(const Opening& opening) {
  const std::optional<std::vector<std::string>> paths = paths_of(opening.inputs);
  std::optional<ContentKey> key;
  if (paths) {
    TB_TRY_ASSIGN(key, content_key(*paths, opening.merge, version(), opening.progress));
  }
  if (!key || is_braid_file(paths->front())) {
    if (!key) opening.warn("--cache: only files can be cached, not folders or standard input");
    return open_inputs(opening);
  }
  const std::string path = cache_path(*paths, opening.options.cache_dir, *key);
  if (braid_key(path) == key) {
    HostFiles files = opening.engine.new_files();
    files.inputs = opening.merge.files.inputs;
    Result<Opened> kept = open_braid_alone({.name = path}, files, opening);
    // Otherwise a damaged cache is written again.
    if (kept || kept.error().code == ErrorCode::Cancelled) return kept;
  }
  TB_TRY_ASSIGN(Opened opened, open_inputs(opening));
  if (!is_free_for_cache(path)) {
    opening.warn(
        fmt::format("--cache: {} is not a cache of tracebraid, so it is not replaced; "
                    "nothing was cached",
                    path));
    return opened;
  }
  if (const Result<> kept = keep(opened.merged, *key, path, opening.merge.files,
                                 opening.engine.threads(), opening.progress);
      !kept) {
    if (kept.error().code == ErrorCode::Cancelled) return tl::unexpected(kept.error());
    opening.warn("--cache: " + kept.error().message);
  }
  return opened;
}

// Makes functions verify their tables before they read rows, as statements do.
void verify_before_calls(std::vector<SqlFunction>& functions,
                         const std::shared_ptr<BraidTables>& tables) {
  for (SqlFunction& function : functions) {
    if (function.reads.empty()) continue;
    // Threads may call pure functions at once.
    const auto were_fine = std::make_shared<std::atomic<bool>>(false);
    const auto verify = [tables, reads = function.reads, were_fine]() -> Result<> {
      if (were_fine->load(std::memory_order_relaxed)) return {};
      for (const std::string_view table : reads) TB_TRY(tables->verify(table));
      were_fine->store(true, std::memory_order_relaxed);
      return {};
    };
    function.call =
        [verify, call = std::move(function.call)](std::span<const Cell> arguments) -> Result<Cell> {
      TB_TRY(verify());
      return call(arguments);
    };
    if (function.call_for_integers == nullptr) continue;
    // Where this returns false, `call` gives the error.
    function.call_for_integers = [verify, call = std::move(function.call_for_integers)](
                                     std::span<const Cell> constants, std::span<int64_t> values,
                                     std::span<bool> valid) {
      return verify().has_value() && call(constants, values, valid);
    };
  }
}

// Returns the packages of --sql-path.
Result<std::vector<SqlPackage>> packages_of(std::span<const std::string> folders) {
  std::vector<SqlPackage> packages;
  Packages checked;
  for (const std::string& folder : folders) {
    TB_TRY_ASSIGN(SqlPackage package, package_of_folder(folder));
    TB_TRY(checked.add(package));
    packages.push_back(std::move(package));
  }
  return packages;
}

std::shared_ptr<const TableSet> table_set_of(const Merged& merged, const HostFiles& files,
                                             const std::shared_ptr<BraidTables>& tables,
                                             std::vector<SqlPackage> packages,
                                             std::shared_ptr<MemoryLimit> memory_limit,
                                             unsigned threads) {
  const Store& store = *merged.store;
  TableSetParts parts{
      .tables = store.views(), .strings = &store.strings, .prelude = public_schema_sql()};
  std::function<Result<>(std::string_view)> verify;
  if (tables != nullptr)
    verify = [tables](std::string_view table) { return tables->verify(table); };
  const auto orders = std::make_shared<OrderSource>(store, merged.clocks, threads, verify);
  parts.functions = [&store, clocks = merged.clocks, tables, orders](const StopCheck& stop) {
    std::vector<SqlFunction> functions = session_functions(store, stop, clocks, orders);
    if (tables != nullptr) verify_before_calls(functions, tables);
    return functions;
  };
  parts.table_functions = table_functions(store);
  parts.packages = std::move(packages);
  parts.memory_limit = std::move(memory_limit);
  parts.threads = threads;
  parts.column_meaning = column_meaning;
  parts.has_temporary_files = files.allocator != nullptr;
  if (tables != nullptr)
    parts.before_use = [tables](std::string_view table) {
      return tables->verify(table).has_value();
    };
  return std::make_shared<const TableSet>(std::move(parts));
}

}  // namespace

Result<std::shared_ptr<const Trace>> Trace::open(std::shared_ptr<const Engine> engine,
                                                 std::span<const std::string> inputs,
                                                 const TraceOptions& options, Progress& progress) {
  return open(std::move(engine), path_inputs(inputs), options, progress);
}

Result<std::shared_ptr<const Trace>> Trace::open(std::shared_ptr<const Engine> engine,
                                                 std::span<const TraceInput> inputs,
                                                 const TraceOptions& options, Progress& progress) {
  return at_boundary([&]() -> Result<std::shared_ptr<const Trace>> {
    if (progress.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
    TB_TRY_ASSIGN(const MergeOptions merge, merge_options(*engine, options));
    TB_TRY_ASSIGN(std::vector<SqlPackage> packages, packages_of(options.sql_path));
    note_inputs(inputs, options, merge.files);
    TB_TRY_ASSIGN(const std::vector<TraceInput> gathered, gather_streams(inputs, merge, progress));
    const Opening opening{gathered, *engine, options, merge, progress};
    TB_TRY_ASSIGN(Opened opened, options.cache ? open_cached(opening) : open_inputs(opening));
    // The request may have come after the last check.
    if (progress.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
    std::shared_ptr<const TableSet> table_set =
        table_set_of(opened.merged, opened.files, opened.tables, std::move(packages),
                     engine->memory_limit(), engine->threads());
    return std::shared_ptr<const Trace>(new Trace(std::make_unique<const State>(
        State{std::move(engine), std::move(opened.files), std::move(opened.braid),
              std::move(opened.tables), std::move(opened.timeline_index), std::move(opened.merged),
              options.drop_negative, std::move(table_set)})));
  });
}

Trace::Trace(std::unique_ptr<const State> state) : state_(std::move(state)) {}
Trace::~Trace() = default;

std::span<const Problem> Trace::problems() const { return state_->merged.problems; }
std::span<const NotImportedOfFile> Trace::not_imported() const {
  return state_->merged.not_imported;
}
const StageTimes& Trace::times() const { return state_->merged.times; }
const Engine& Trace::engine() const { return *state_->engine; }
const Merged& Trace::merged() const { return state_->merged; }
const std::shared_ptr<BraidTables>& Trace::braid_tables() const { return state_->tables; }
const timeline::IndexParts* Trace::timeline_index() const {
  return state_->timeline_index ? &*state_->timeline_index : nullptr;
}
bool Trace::negative_dropped() const { return state_->negative_dropped; }

const std::shared_ptr<const TableSet>& Trace::table_set() const { return state_->table_set; }

std::optional<Error> Trace::damage() const { return state_->files.damage->find(); }
const HostFiles& Trace::files() const { return state_->files; }
BrokenInvariant& Trace::broken() const { return *state_->broken; }

MemoryUse Trace::memory_use() const {
  MemoryUse use;
  use.statements = table_set()->statement_bytes();
  const Bytes& braid = state_->braid;
  if (braid.mapped != nullptr) use.mapped = braid.view.size();
  const Store& store = *merged().store;
  if (state_->tables == nullptr)
    use.tables = store_memory(store);
  else  // its columns view the bytes of the braid
    use.tables = store.strings.memory() + (braid.mapped == nullptr ? braid.view.size() : 0);
  return use;
}

Result<> Trace::verify_all() const {
  return at_boundary(broken(), [&]() -> Result<> {
    if (state_->tables == nullptr) return {};
    return state_->tables->verify_all();
  });
}

}  // namespace tracebraid
