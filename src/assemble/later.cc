#include "assemble/later.h"

#include <bit>
#include <cstring>

namespace tracebraid {
namespace {

constexpr size_t kRowWords = sizeof(FtraceRow) / sizeof(uint64_t);
static_assert(sizeof(FtraceRow) == kRowWords * sizeof(uint64_t));
constexpr size_t kMaxParts = 4;
constexpr size_t kArgWords = sizeof(ArgRow) / sizeof(uint64_t);
static_assert(sizeof(ArgRow) == kArgWords * sizeof(uint64_t));

}  // namespace

Later::Later(ArgsBuilder& args, FtraceEventTable& rows) : args_(args), rows_(rows) {
  args_.set_later(this);
}

Later::~Later() { args_.set_later(nullptr); }

OptRow Later::set(ArgSource set) {
  if (!set) return {};
  if (!args_.can_wait(set) || promised_ == OptRow::kNull - kPromises) return {args_.set(set)};
  *begin_task(Task::Set, 1, set.source) = set.first;
  lane_.mark();
  return {kPromises + promised_++};
}

void Later::add_row(const FtraceRow& row, ArgSource set, bool without_arrays) {
  if (set && !args_.can_wait(set)) {
    const uint32_t stored = without_arrays ? args_.set_without_arrays(set) : args_.set(set);
    append_row(row, stored);  // args_ has seen to it that all before is done
    return;
  }
  const Task task = without_arrays ? Task::RowWithoutArrays : Task::Row;
  uint64_t* at = begin_task(task, kRowWords + 1, set.source);
  at = put_row(at, row);
  *at = set.first;
  lane_.mark();
}

void Later::add_row(const FtraceRow& row, std::span<const ArgRow> args) {
  uint64_t* at = begin_task(Task::RowOfArgs, kRowWords + args.size() * kArgWords, 0);
  at = put_row(at, row);
  std::memcpy(at, args.data(), args.size_bytes());
}

void Later::add_row(const FtraceRow& row, uint32_t parted_layout,
                    std::span<const int64_t> numbers) {
  uint64_t* at = begin_task(Task::RowOfParts, kRowWords + numbers.size(), parted_layout);
  at = put_row(at, row);
  std::memcpy(at, numbers.data(), numbers.size_bytes());
}

uint32_t Later::add_parted_layout(std::span<const ArgPart> parts) {
  finish();
  return args_.add_parted_layout(parts);
}

void Later::finish_rows() {
  finish();
  rows_.common_flags.fill_up_to(rows_.ts.size(), 0);
}

void Later::forget(uint32_t source) { begin_task(Task::Forget, 0, source); }

void Later::keep_promises(PackedColumn<OptRow>& column) const {
  PackedColumn<OptRow> all;
  for (const OptRow row : column.values()) all.append(kept(row));
  column = std::move(all);
}

Later::Head Later::head_of(uint64_t word) { return std::bit_cast<Head>(word); }

size_t Later::size_of(Head head) { return 1 + size_t{head.count}; }

uint64_t* Later::begin_task(Task task, size_t count, uint32_t of) {
  static_assert(sizeof(Head) == sizeof(uint64_t));
  const Head head{static_cast<uint8_t>(task), static_cast<uint32_t>(count) & 0xFFFFFF, of};
  uint64_t* const at = lane_.begin_task(1 + count);
  *at = std::bit_cast<uint64_t>(head);
  return at + 1;
}

uint64_t* Later::put_row(uint64_t* at, const FtraceRow& row) {
  std::memcpy(at, &row, sizeof row);
  return at + kRowWords;
}

void Later::run(const Lane::Block& block) {
  if (block.is_marked) return run_all_ahead(block);
  for (const uint64_t* at = block.begin(); at < block.end(); at += size_of(head_of(*at)))
    run_task(head_of(*at), at + 1);
}

// Sets lie all over memory: those of coming tasks are fetched ahead, first the set, then where
// an equal one would be.
void Later::run_all_ahead(const Lane::Block& block) {
  constexpr size_t kSoon = 16, kVerySoon = 6;  // tasks
  const uint64_t* const end = block.end();
  const uint64_t *soon = block.begin(), *very_soon = soon;
  const auto go_ahead = [&](const uint64_t*& at, bool very) {
    if (at >= end) return;
    expect(at, very);
    at += size_of(head_of(*at));
  };
  for (size_t i = 0; i < kSoon; ++i) go_ahead(soon, false);
  for (size_t i = 0; i < kVerySoon; ++i) go_ahead(very_soon, true);
  for (const uint64_t* at = block.begin(); at < end; at += size_of(head_of(*at))) {
    go_ahead(soon, false);
    go_ahead(very_soon, true);
    run_task(head_of(*at), at + 1);
  }
}

void Later::expect(const uint64_t* task, bool very) const {
  const Head head = head_of(*task);
  const auto what = static_cast<Task>(head.task);
  if (what == Task::Set)
    args_.expect({head.of, static_cast<uint32_t>(task[1])}, very);
  else if (what == Task::Row)
    args_.expect({head.of, static_cast<uint32_t>(task[1 + kRowWords])}, very);
}

void Later::run_task(Head head, const uint64_t* values) {
  const uint64_t* const behind_row = values + kRowWords;
  const auto set_behind = [&] { return ArgSource{head.of, static_cast<uint32_t>(*behind_row)}; };
  const auto row = [&] {
    FtraceRow made{};
    std::memcpy(static_cast<void*>(&made), values, sizeof made);
    return made;
  };
  switch (static_cast<Task>(head.task)) {
    case Task::Set:
      return sets_.append(args_.set_now({head.of, static_cast<uint32_t>(*values)}));
    case Task::Row:
      return append_row(row(), args_.set_now(set_behind()));
    case Task::RowWithoutArrays:
      return append_row(row(), args_.set_without_arrays_now(set_behind()));
    case Task::RowOfArgs: {
      args_.open_now();
      for (const uint64_t* at = behind_row; at < values + head.count; at += kArgWords) {
        ArgRow arg{};
        std::memcpy(&arg, at, sizeof arg);
        args_.add(arg.key, arg.type, arg.value);
      }
      return append_row(row(), args_.close());
    }
    case Task::RowOfParts: {
      int64_t numbers[kMaxParts];
      const size_t count = head.count - kRowWords;
      std::memcpy(numbers, behind_row, count * sizeof(int64_t));
      return append_row(row(), args_.add_parts_now(head.of, {numbers, count}));
    }
    case Task::Forget:
      return args_.forget_now(head.of);
  }
}

void Later::append_row(const FtraceRow& row, uint32_t arg_set_id) {
  rows_.ts.append(row.ts);
  rows_.name.append(row.name);
  rows_.utid.append({row.utid});
  rows_.arg_set_id.append({arg_set_id});
  if (row.common_flags != 0) {
    rows_.common_flags.fill_up_to(rows_.ts.size() - 1, 0);
    rows_.common_flags.append(row.common_flags);
  }
  rows_.ucpu.append(row.ucpu);
}

}  // namespace tracebraid
