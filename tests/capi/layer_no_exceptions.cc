// tracebraid.hpp without exceptions: results with values and with errors. Prints "fine".
#define TRACEBRAID_NO_EXCEPTIONS
#include <cstdio>
#include <cstring>
#include <tracebraid/tracebraid.hpp>

#define CHECK(condition)                                                                        \
  do {                                                                                          \
    if (!(condition)) return std::fprintf(stderr, "%d: not so: %s\n", __LINE__, #condition), 1; \
  } while (0)

int main(int, char** argv) {
  using namespace tracebraid;
  Options options;
  CHECK(options.set("clock-model", "linear")->add(argv[1]));
  const Result<Options&> unknown = options.set("clock-modle", "linear");
  CHECK(!unknown && unknown.error().code() == TRACEBRAID_USAGE);
  CHECK(std::strstr(unknown.error().what(), "clock-model"));
  Result<Trace> trace = Trace::open(options);
  CHECK(trace);
  Query query("SELECT count(*) AS n FROM slice WHERE dur >= :least");
  CHECK(query.bind(0, "least").set("text", "utf8"));
  Result<Stream> rows = trace->query(query);
  CHECK(rows);
  Result<ArrowArray> batch = rows->next();
  CHECK(batch && batch->length == 1);
  batch->release(&*batch);
  const Result<Stream> bad = trace->query("SELECT nope");
  CHECK(!bad && bad.error().code() == TRACEBRAID_SQL && bad.error().column() == 8);
  Result<Connection> connection = trace->connect();
  CHECK(connection && connection->run("CREATE PERFETTO TABLE t AS SELECT 1 AS x"));
  const Result<void> again = connection->run("SELECT nope");
  CHECK(!again && again.error().json().find("nope") != std::string::npos);
  CHECK(connection->query("SELECT x FROM t"));
  const Result<Clock> timeline = trace->timeline();
  CHECK(timeline);
  const Result<Clock> none = trace->clock("no such clock");
  CHECK(!none && none.error().code() == TRACEBRAID_NOT_FOUND);
  Options missing;
  CHECK(missing.add("/no/such/file"));
  const Result<Trace> not_there = Trace::open(missing);
  CHECK(!not_there && not_there.error().code() == TRACEBRAID_NOT_FOUND);
  CHECK(not_there.error().file() == "/no/such/file");
  Control control;
  CHECK(control.deadline(60'000));
  std::printf("fine\n");
}
