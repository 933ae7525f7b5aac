// A host that uses the same SQLite as the library: neither notices the other.
#include "query/compile/memory_files.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>

#include "query/compile/connection_state.h"
#include "query/compile/rows_test.h"

namespace tracebraid {
namespace {

class HostDatabase {
 public:
  HostDatabase() { EXPECT_EQ(sqlite3_open(path_.c_str(), db_.out()), SQLITE_OK); }
  ~HostDatabase() { std::remove(path_.c_str()); }
  // The first cell of the last row, or the error.
  std::string cell(const std::string& sql) {
    std::string text;
    char* error = nullptr;
    sqlite3_exec(
        db_.get(), sql.c_str(),
        [](void* to, int, char** cells, char**) {
          *static_cast<std::string*>(to) = cells[0] == nullptr ? "NULL" : cells[0];
          return 0;
        },
        &text, &error);
    if (error != nullptr) text = error;
    sqlite3_free(error);
    return text;
  }

 private:
  struct Handle {
    ~Handle() { sqlite3_close(db); }
    sqlite3** out() { return &db; }
    sqlite3* get() const { return db; }
    sqlite3* db = nullptr;
  };
  const std::string path_ = testing::TempDir() + "tracebraid_host.sqlite";
  Handle db_;
};

std::vector<std::string> vfs_names() {
  std::vector<std::string> names;
  for (const sqlite3_vfs* vfs = sqlite3_vfs_find(nullptr); vfs != nullptr; vfs = vfs->pNext)
    names.emplace_back(vfs->zName);
  return names;
}

// Gives 1: of the remainders of 200003 all but two occur.
constexpr const char* kSort =
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) "
    "SELECT x FROM (SELECT DISTINCT i * 7919 % 200003 AS x FROM n ORDER BY x DESC) LIMIT 1 "
    "OFFSET 199999";

TEST(HostsSqlite, IsLeftAlone) {
  const sqlite3_vfs* const usual = sqlite3_vfs_find(nullptr);
  HostDatabase host;
  EXPECT_EQ(host.cell("CREATE TABLE t AS SELECT 5 AS x; SELECT x FROM t"), "5");
  StringPool strings;
  Connection connection = std::move(*connect_to({}, strings, {}, ""));
  EXPECT_EQ(rows_of(connection, "CREATE TEMP TABLE t AS SELECT 1 AS x; SELECT x FROM t"),
            "x\n1\n--\n");
  EXPECT_EQ(sqlite3_vfs_find(nullptr), usual) << "the default";
  const std::vector<std::string> names = vfs_names();
  EXPECT_EQ(std::ranges::count(names, std::string(memory_vfs())), 1);
  EXPECT_EQ(
      std::ranges::count_if(names, [](const auto& name) { return name.starts_with("tracebraid"); }),
      1);
  // Functions, modules and settings are those of a connection.
  EXPECT_EQ(host.cell("SELECT reverse('ab')"), "no such function: reverse");
  EXPECT_EQ(host.cell("CREATE VIRTUAL TABLE v USING __intrinsic_dataframe(x)"),
            "no such module: __intrinsic_dataframe");
  EXPECT_EQ(host.cell("PRAGMA temp_store"), "0");
  EXPECT_EQ(host.cell(kSort), "1");
  HostDatabase other;
  EXPECT_EQ(other.cell("SELECT x FROM t"), "5");
}

TEST(HostsSqlite, WorksBesideConnectionsOnOtherThreads) {
  StringPool strings;
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      if (i == 0) {
        HostDatabase host;
        if (host.cell(kSort) != "1") ++wrong;
        return;
      }
      Connection connection = std::move(*connect_to({}, strings, {}, ""));
      if (rows_of(connection, std::string("CREATE TABLE own(a);") + kSort) != "x\n1\n--\n") ++wrong;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tracebraid
