#include "merge/reference/check.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include "base/read_text.h"

namespace tracebraid::reference {
namespace {

namespace fs = std::filesystem;

Result<Report> check_bytes(const std::string& bytes) {
  Progress progress;
  MergeOptions options;
  options.limits.max_member_bytes = options.limits.max_total_bytes = 1 << 22;
  return check(buffer_input("input", bytes, nullptr), options, progress);
}

// Losses are part of the events, and each has a reason.
void expect_consistent(const Report& report) {
  for (const Row& row : report.rows) {
    const EventCounts lost = lost_kinds(row);
    for (size_t kind = 0; kind < kEventKinds; ++kind) EXPECT_LE(lost[kind], row.all[kind]);
    for (const Loss& loss : row.losses) EXPECT_FALSE(loss.why.empty());
    EXPECT_EQ(row.first_ns.has_value(), lost_of(row) < total(row.all));
    if (row.first_ns) EXPECT_LE(*row.first_ns, *row.last_ns);
  }
}

TEST(ReferenceCheck, EndsForDamagedInputs) {
  const char* vectors = std::getenv("TRACEBRAID_VECTORS");
  if (vectors == nullptr || !fs::exists(vectors)) GTEST_SKIP() << "vectors are not written";
  std::mt19937 random(1);
  size_t files = 0, reports = 0;
  for (const auto& entry : fs::recursive_directory_iterator(vectors)) {
    if (!entry.is_regular_file() || !entry.path().filename().string().starts_with("trace."))
      continue;
    const Result<std::string> whole = read_text(entry.path().string());
    if (!whole || whole->empty() || whole->size() > 20'000) continue;
    ++files;
    for (int round = 0; round < 6; ++round) {
      std::string bytes = *whole;
      for (size_t changes = random() % 4; changes > 0; --changes)
        bytes[random() % bytes.size()] = static_cast<char>(random());
      if (round % 3 == 1) bytes.resize(random() % bytes.size());
      if (const Result<Report> report = check_bytes(bytes)) {
        ++reports;
        expect_consistent(*report);
      }
    }
  }
  EXPECT_GT(files, 500U);
  EXPECT_GT(reports, files);
}

}  // namespace
}  // namespace tracebraid::reference
