// tracebraid.hpp: rows, errors and clocks through its classes. Prints "fine".
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
  options.set("clock-model", "linear").add(argv[1]);
  const Trace trace = Trace::open(options);
  Stream rows = trace.query("SELECT count(*) AS n FROM slice");
  ArrowArray batch = rows.next();
  CHECK(batch.length == 1);
  CHECK(static_cast<const int64_t*>(batch.children[0]->buffers[1])[0] > 0);
  batch.release(&batch);
  CHECK(rows.next().release == nullptr);
  Connection connection = trace.connect();
  connection.run("CREATE PERFETTO TABLE t AS SELECT 1 AS x");
  Stream of_table = connection.query("SELECT x FROM t");
  batch = of_table.next();
  batch.release(&batch);
  of_table = Stream();  // a connection has one stream at a time
  CHECK(trace.report_json().find("\"placements\"") != std::string::npos);
  CHECK(trace.memory_use().tables > 0 && trace.memory_use().mapped == 0);
  const Clock::Converted same = trace.timeline().convert(trace.timeline(), {5, 6});
  CHECK(same.values[1] == 6 && same.bounds[0] == 0 && same.valid[0] == 3);
  const auto first = [](Stream stream) {
    const ArrowArray one = stream.next();
    const auto value = static_cast<const int64_t*>(one.children[0]->buffers[1])[0];
    one.release(const_cast<ArrowArray*>(&one));
    return value;
  };
  Query query("SELECT ?1 + length(?2) + (?3 IS NULL) + CAST(?4 AS INTEGER) + :x AS n");
  query.bind(1).bind(int64_t{20}, "x").bind("abc").bind(nullptr).bind(100.5);
  query.set("types", "n=int64");
  CHECK(first(trace.query(query)) == 125);
  CHECK(first(connection.query(Query("SELECT sum(x) FROM t WHERE x >= ?").bind(1))) == 1);
  Options of_engine;
  of_engine.set("threads", "1");
  const Engine engine = Engine::create(of_engine);
  Options more;
  more.engine(engine).add(argv[1]);
  CHECK(first(Trace::open(more).query("SELECT count(*) FROM slice")) > 0);
  try {
    trace.query("SELECT nope");
    CHECK(!"an exception");
  } catch (const Error& error) {
    CHECK(error.code() == TRACEBRAID_SQL && error.line() == 1 && error.column() == 8);
    CHECK(std::strstr(error.what(), "no such column"));
  }
  std::printf("fine\n");
}
