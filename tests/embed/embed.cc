// A host of the engine: opens two traces with two engines, runs two queries at once, cancels one
// query, and reads rows from batches. Prints the results; exits with 1 at the first unexpected one.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "engine/connection.h"
#include "engine/engine.h"
#include "engine/export.h"
#include "engine/report.h"
#include "engine/trace.h"

using namespace tracebraid;

namespace {

[[noreturn]] void give_up(std::string_view what) {
  std::fprintf(stderr, "embed: %.*s\n", static_cast<int>(what.size()), what.data());
  std::exit(1);
}

template <class T>
T value(Result<T> result) {
  if (!result) give_up(result.error().message);
  return *std::move(result);
}

std::shared_ptr<const Trace> open(const std::string& path, unsigned threads) {
  const auto engine = value(Engine::create({.threads = threads, .today = 20'000}));
  Progress progress;
  return value(Trace::open(engine, std::span(&path, 1), {}, progress));
}

struct Read {
  int64_t rows = 0, batches = 0, dur = 0, letters = 0;
};

// Reads all rows of (dur, name) in batches.
Read read(const std::shared_ptr<const Trace>& trace) {
  const auto connection = value(TraceConnection::open(trace));
  const auto query =
      value(connection->query("SELECT dur, name FROM slice ORDER BY ts", {.batch_rows = 7}));
  const auto schema = value(query->schema());
  if (schema->fields.size() != 2 || schema->fields[0].type != DataType::Int64 ||
      schema->fields[1].type != DataType::Dictionary)
    give_up("the columns are not an Int64 and a Dictionary");
  Read sum;
  while (const std::optional<RecordBatch> batch = value(query->next())) {
    ++sum.batches;
    sum.rows += static_cast<int64_t>(batch->rows);
    const ArrayData& dur = batch->columns[0];
    const ArrayData& name = batch->columns[1];
    for (size_t row = 0; row < batch->rows; ++row) {
      if (!dur.is_null(row)) sum.dur += dur.values.as<int64_t>()[row];
      if (name.is_null(row)) continue;
      const auto code = static_cast<size_t>(name.values.as<int32_t>()[row]);
      const auto* offsets = name.dictionary->values.as<int32_t>();
      sum.letters += offsets[code + 1] - offsets[code];
    }
  }
  return sum;
}

// Computes the same by SQL.
Read sum_of(const std::shared_ptr<const Trace>& trace) {
  const auto connection = value(TraceConnection::open(trace));
  const auto query = value(connection->query(
      "SELECT count(*), sum(dur), sum(length(CAST(name AS BLOB))) FROM slice WHERE dur >= ?1",
      {.parameters = {{.kind = Cell::Kind::Int, .integer = -1}}}));
  const auto batch = value(query->next());
  const auto cell = [&](size_t column) { return batch->columns[column].values.as<int64_t>()[0]; };
  return {.rows = cell(0), .dur = cell(1), .letters = cell(2)};
}

// A query that would run for days ends when another thread cancels it; its connection stays usable.
void cancel(const std::shared_ptr<const Trace>& trace) {
  const auto connection = value(TraceConnection::open(trace));
  {
    const auto query = value(connection->query(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"));
    std::thread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      connection->interrupt();
    });
    const auto batch = query->next();
    stopper.join();
    if (batch || batch.error().code != ErrorCode::Cancelled) give_up("the query was not cancelled");
  }
  value(value(connection->query("SELECT 1"))->next());
}

// Returns the actions of all signals, as text.
std::string signal_actions() {
  std::string actions;
  for (int number = 1; number < 32; ++number) {
    struct sigaction action = {};
    sigaction(number, nullptr, &action);
    actions += std::to_string(reinterpret_cast<uintptr_t>(action.sa_handler)) + " ";
  }
  return actions;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) give_up("usage: embed TRACE TRACE");
  const std::string actions = signal_actions();
  const std::shared_ptr<const Trace> traces[] = {open(argv[1], 1), open(argv[2], 2)};
  Read reads[2];
  std::thread threads[2];
  for (int i = 0; i < 2; ++i) threads[i] = std::thread([&, i] { reads[i] = read(traces[i]); });
  for (std::thread& thread : threads) thread.join();
  cancel(traces[0]);
  for (int i = 0; i < 2; ++i) {
    const Read sum = sum_of(traces[i]);
    if (reads[i].rows != sum.rows || reads[i].dur != sum.dur || reads[i].letters != sum.letters)
      give_up("batches and sums differ");
    if (!value(check_report(*traces[i])).problems.empty()) give_up("the report has problems");
    std::printf("%s: %lld rows in %lld batches\n", argv[1 + i],
                static_cast<long long>(reads[i].rows), static_cast<long long>(reads[i].batches));
  }
  if (signal_actions() != actions) give_up("the action of a signal has changed");
  return 0;
}
