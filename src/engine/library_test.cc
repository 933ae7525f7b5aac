// The standard library on empty tables.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "engine/connection.h"
#include "engine/trace.h"
#include "query/library/documentation.h"
#include "query/library/library.h"

namespace tracebraid {
namespace {

struct Names final : RowSink {
  void columns(std::span<const std::string> of) override { names.assign(of.begin(), of.end()); }
  bool row(std::span<const Cell>) override { return true; }
  std::vector<std::string> names;
};

struct Library : testing::Test {
  std::unique_ptr<TraceConnection> connect() {
    Progress progress;
    const auto trace =
        Trace::open(*Engine::create({.threads = 1}), std::span<const std::string>(), {}, progress);
    EXPECT_TRUE(trace) << trace.error().message;
    auto connection = TraceConnection::open(*trace);
    EXPECT_TRUE(connection) << connection.error().message;
    return *std::move(connection);
  }
};

TEST_F(Library, DescribesAllPublicObjects) {
  for (const LibraryModule& module : library_modules()) {
    const auto read = read_documentation(module.key, module.text);
    EXPECT_TRUE(read) << read.error().message;
  }
}

TEST_F(Library, EachModuleCreatesWhatItDescribes) {
  for (const DocumentedModule& module : library_documentation()) {
    const std::unique_ptr<TraceConnection> connection = connect();
    Names rows;
    const Result<> included =
        connection->run(fmt::format("INCLUDE PERFETTO MODULE {}", module.key), rows);
    EXPECT_TRUE(included) << module.key << ": " << included.error().message;
    for (const DocumentedObject& object : module.objects) {
      if (object.kind != ObjectKind::Table && object.kind != ObjectKind::View) continue;
      const Result<> read = connection->run(fmt::format("SELECT * FROM {}", object.name), rows);
      EXPECT_TRUE(read) << object.name << ": " << read.error().message;
      if (object.columns.empty()) continue;
      EXPECT_EQ(rows.names.size(), object.columns.size()) << object.name;
      for (const DocumentedName& column : object.columns)
        EXPECT_EQ(std::ranges::count(rows.names, column.name), 1)
            << object.name << '.' << column.name;
    }
  }
}

TEST_F(Library, ModulesMayAllBeIncluded) {
  const std::unique_ptr<TraceConnection> connection = connect();
  Names rows;
  EXPECT_TRUE(connection->run("INCLUDE PERFETTO MODULE *", rows));
  EXPECT_TRUE(connection->run("INCLUDE PERFETTO MODULE slices.*; INCLUDE PERFETTO MODULE *", rows));
}

TEST_F(Library, CommentsAreRead) {
  const auto module =
      read_documentation("a.b",
                         "-- The module.\n\n-- A view\n-- of x.\n"
                         "CREATE PERFETTO VIEW v(\n  -- Column.\n  x JOINID(t.id)\n) "
                         "AS SELECT 1 AS x;\nCREATE PERFETTO MACRO _m() RETURNS Expr "
                         "AS 1;");
  ASSERT_TRUE(module) << module.error().message;
  EXPECT_EQ(module->about, "The module.");
  ASSERT_EQ(module->objects.size(), 2u);
  EXPECT_EQ(module->objects[0].about, "A view of x.");
  EXPECT_EQ(module->objects[0].columns[0].type, "JOINID(t.id)");
  EXPECT_EQ(module->objects[0].columns[0].about, "Column.");
  const auto wrong =
      read_documentation("a.c", "-- M.\n\n-- V.\nCREATE PERFETTO VIEW v(x LONG) AS SELECT 1 AS x;");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "a.c: line 4: x has no description");
}

}  // namespace
}  // namespace tracebraid
