#include "assemble/args/deferred_args.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "tables/packed_args.h"

namespace tracebraid {
namespace {

constexpr size_t kRowWords = sizeof(FtraceRow) / sizeof(uint64_t);
static_assert(sizeof(FtraceRow) == kRowWords * sizeof(uint64_t));
constexpr size_t kMaxParts = 4;
constexpr size_t kArgWords = sizeof(ArgRow) / sizeof(uint64_t);
static_assert(sizeof(ArgRow) == kArgWords * sizeof(uint64_t));

}  // namespace

DeferredArgs::DeferredArgs(TaskQueues& queues, ArgSourceList sources, Identity& identity,
                           StringPool& strings, ArgsTable& table, FtraceEventTable& rows)
    : sources_(std::move(sources)),
      identity_(identity),
      table_(table),
      uses_(sources_.all.size()),
      shapes_with_names_(sources_.packed.size()),
      tasks_(queues, run, ArgsBuilder(sources_, identity, strings, table), rows, PackedInts{}) {}

OptRow DeferredArgs::defer(ArgSource set) {
  if (!set) return {};
  if (!can_wait(set) || placeholders_ == OptRow::kNull - kPlaceholders) return {now().set(set)};
  *begin_task(Task::Set, 1, set.source) = set.first;
  tasks_.mark();
  return {kPlaceholders + placeholders_++};
}

void DeferredArgs::add_row(const FtraceRow& row, ArgSource set, bool without_arrays) {
  if (set && !can_wait(set)) {
    Stored& stored = tasks_.now();
    ArgsBuilder& builder = stored.builder;
    append_row(stored.rows, row,
               without_arrays ? builder.set_without_arrays(set) : builder.set(set));
    return;
  }
  const Task task = without_arrays ? Task::RowWithoutArrays : Task::Row;
  uint64_t* at = begin_task(task, kRowWords + 1, set.source);
  at = put_row(at, row);
  *at = set.first;
  tasks_.mark();
}

void DeferredArgs::add_row(const FtraceRow& row, std::span<const ArgRow> args) {
  uint64_t* at = begin_task(Task::RowOfArgs, kRowWords + args.size() * kArgWords, 0);
  at = put_row(at, row);
  std::memcpy(at, args.data(), args.size_bytes());
}

void DeferredArgs::add_row(const FtraceRow& row, uint32_t parted_layout,
                           std::span<const int64_t> numbers) {
  uint64_t* at = begin_task(Task::RowOfParts, kRowWords + numbers.size(), parted_layout);
  at = put_row(at, row);
  std::memcpy(at, numbers.data(), numbers.size_bytes());
}

void DeferredArgs::finish_rows() {
  FtraceEventTable& rows = tasks_.now().rows;
  rows.common_flags.fill_up_to(rows.ts.size(), 0);
}

void DeferredArgs::resolve_placeholders(PackedColumn<OptRow>& column) const {
  PackedColumn<OptRow> all;
  for (const OptRow row : column.values()) all.append(resolved(row));
  column = std::move(all);
}

std::span<const ArgRow> DeferredArgs::rows(ArgSource set) {
  if (!set || uses_[set.source].is_released) return {};
  return sources_.rows(set, unpacked_);
}

bool DeferredArgs::can_wait(ArgSource set) {
  if (set.source >= sources_.packed.size() || uses_[set.source].is_released) return false;
  const ArgSets& source = *sources_.packed[set.source];
  if (!source.names_rows) return true;
  return source.is_packed && set.first < source.rows.size() &&
         !shape_names_rows(set.source, packed_set(source, set.first).shape);
}

bool DeferredArgs::shape_names_rows(uint32_t source, uint32_t shape) {
  std::vector<bool>& known = shapes_with_names_[source];
  if (known.empty()) {
    const ArgSets& sets = *sources_.packed[source];
    for (const ArgShape& each : sets.shapes)
      known.push_back(std::ranges::any_of(std::span(sets.fields).subspan(each.first, each.count),
                                          names_row, &ArgField::type));
  }
  return known[shape];
}

void DeferredArgs::release_source(uint32_t source) {
  if (!sources_.is_packed(source)) return;
  uses_[source].is_released = true;
  begin_task(Task::Release, 0, source);
}

DeferredArgs::Head DeferredArgs::head_of(uint64_t word) { return std::bit_cast<Head>(word); }

size_t DeferredArgs::size_of(Head head) { return 1 + size_t{head.count}; }

uint64_t* DeferredArgs::begin_task(Task task, size_t count, uint32_t of) {
  static_assert(sizeof(Head) == sizeof(uint64_t));
  const Head head{static_cast<uint8_t>(task), static_cast<uint32_t>(count) & 0xFFFFFF, of};
  uint64_t* const at = tasks_.begin_task(1 + count);
  *at = std::bit_cast<uint64_t>(head);
  return at + 1;
}

uint64_t* DeferredArgs::put_row(uint64_t* at, const FtraceRow& row) {
  std::memcpy(at, &row, sizeof row);
  return at + kRowWords;
}

void DeferredArgs::run(Stored& stored, const TaskBlock& block) {
  if (block.is_marked) return run_prefetched(stored, block);
  for (const uint64_t* at = block.begin(); at < block.end(); at += size_of(head_of(*at)))
    run_task(stored, head_of(*at), at + 1);
}

// Sets are scattered in memory, so those of coming tasks are prefetched: first the set, then the
// slot of an equal one.
void DeferredArgs::run_prefetched(Stored& stored, const TaskBlock& block) {
  constexpr size_t kSoon = 16, kVerySoon = 6;  // tasks
  const uint64_t* const end = block.end();
  const uint64_t *soon = block.begin(), *very_soon = soon;
  const auto go_ahead = [&](const uint64_t*& at, bool is_very_soon) {
    if (at >= end) return;
    prefetch(stored.builder, at, is_very_soon);
    at += size_of(head_of(*at));
  };
  for (size_t i = 0; i < kSoon; ++i) go_ahead(soon, false);
  for (size_t i = 0; i < kVerySoon; ++i) go_ahead(very_soon, true);
  for (const uint64_t* at = block.begin(); at < end; at += size_of(head_of(*at))) {
    go_ahead(soon, false);
    go_ahead(very_soon, true);
    run_task(stored, head_of(*at), at + 1);
  }
}

void DeferredArgs::prefetch(const ArgsBuilder& builder, const uint64_t* task, bool very_soon) {
  const Head head = head_of(*task);
  const auto what = static_cast<Task>(head.task);
  if (what == Task::Set)
    builder.prefetch({head.of, static_cast<uint32_t>(task[1])}, very_soon);
  else if (what == Task::Row)
    builder.prefetch({head.of, static_cast<uint32_t>(task[1 + kRowWords])}, very_soon);
}

void DeferredArgs::run_task(Stored& stored, Head head, const uint64_t* values) {
  ArgsBuilder& builder = stored.builder;
  const uint64_t* const behind_row = values + kRowWords;
  const auto set_behind = [&] { return ArgSource{head.of, static_cast<uint32_t>(*behind_row)}; };
  const auto append = [&](uint32_t arg_set_id) {
    FtraceRow row{};
    std::memcpy(static_cast<void*>(&row), values, sizeof row);
    append_row(stored.rows, row, arg_set_id);
  };
  switch (static_cast<Task>(head.task)) {
    case Task::Set:
      return stored.sets.append(builder.set({head.of, static_cast<uint32_t>(*values)}));
    case Task::Row:
      return append(builder.set(set_behind()));
    case Task::RowWithoutArrays:
      return append(builder.set_without_arrays(set_behind()));
    case Task::RowOfArgs: {
      builder.open();
      for (const uint64_t* at = behind_row; at < values + head.count; at += kArgWords) {
        ArgRow arg{};
        std::memcpy(&arg, at, sizeof arg);
        builder.add(arg.key, arg.type, arg.value);
      }
      return append(builder.close());
    }
    case Task::RowOfParts: {
      int64_t numbers[kMaxParts];
      const size_t count = head.count - kRowWords;
      std::memcpy(numbers, behind_row, count * sizeof(int64_t));
      return append(builder.add_parts(head.of, {numbers, count}));
    }
    case Task::Release:
      return builder.release_source(head.of);
  }
}

void DeferredArgs::append_row(FtraceEventTable& rows, const FtraceRow& row, uint32_t arg_set_id) {
  rows.ts.append(row.ts);
  rows.name.append(row.name);
  rows.utid.append({row.utid});
  rows.arg_set_id.append({arg_set_id});
  if (row.common_flags != 0) {
    rows.common_flags.fill_up_to(rows.ts.size() - 1, 0);
    rows.common_flags.append(row.common_flags);
  }
  rows.ucpu.append(row.ucpu);
}

}  // namespace tracebraid
