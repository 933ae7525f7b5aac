#include "manifest/manifest.h"

#include <gtest/gtest.h>

#include <simdjson.h>

#include "base/clock_domain.h"

namespace tracebraid {
namespace {

Result<Manifest> parse(std::string_view body, std::vector<std::string>* warnings = nullptr) {
  std::vector<std::string> ignored;
  return parse_manifest(R"({"perfetto_manifest": )" + std::string(body) + "}",
                        warnings != nullptr ? *warnings : ignored);
}

std::string error_of(std::string_view body) {
  const Result<Manifest> parsed = parse(body);
  if (parsed) return "accepted";
  EXPECT_EQ(parsed.error().code, ErrorCode::BadManifest);
  constexpr std::string_view kPrefix = "perfetto_manifest: ";
  EXPECT_TRUE(parsed.error().message.starts_with(kPrefix)) << parsed.error().message;
  return parsed.error().message.substr(kPrefix.size());
}
std::string error_in_file(std::string_view members) {
  return error_of(R"({"version": 1, "files": [{"path": "a", )" + std::string(members) + "}]}");
}
std::string error_in_clocks(std::string_view members) {
  return error_in_file(R"("clocks": {)" + std::string(members) + "}");
}

TEST(Manifest, IsRecognisedByItsFirstKey) {
  EXPECT_TRUE(is_manifest(R"({"perfetto_manifest":{)"));
  EXPECT_TRUE(is_manifest("\n\t {\r\n \"perfetto_manifest\" : "));
  EXPECT_FALSE(is_manifest(R"({"version":1,"perfetto_manifest":{)"));
  EXPECT_FALSE(is_manifest(R"([{"perfetto_manifest")"));
  EXPECT_FALSE(is_manifest(std::string(120, ' ') + R"({"perfetto_manifest")"));
  EXPECT_FALSE(is_manifest(""));
}

TEST(Manifest, ReadsAllFields) {
  const Result<Manifest> m = parse(R"({"version": 1,
    "trace_time": {"clock": "REALTIME_COARSE", "file": "a", "machine": "phone"},
    "files": [
      {"path": "a", "machines": [{"id": 0, "name": "phone"}, {"id": 7.9, "name": "vm"},
                                 {"id": 4294967295, "name": "last"}]},
      {"path": "b", "machine": {"name": "desk"},
       "clocks": {"clock": "BOOTTIME", "machine": "desk", "offset_ns": -5,
                  "sync_to": {"file": "a", "machine": "vm", "clock": "MONOTONIC_RAW"}}},
      {"path": "c", "clocks": {"sync_to": {"file": "b"}}}],
    "attributes": {"z": "text", "a": 42}})");
  ASSERT_TRUE(m) << m.error().message;
  EXPECT_EQ(m->trace_time->clock, 2U);
  EXPECT_EQ(m->trace_time->machine, "phone");
  ASSERT_EQ(m->files.size(), 3U);
  EXPECT_EQ(m->files[0].machines[1].id, 7U);
  EXPECT_EQ(m->files[0].machines[2].id, 4294967295U);
  EXPECT_EQ(m->files[1].machine, "desk");
  EXPECT_EQ(m->files[1].clocks->clock, 6U);
  EXPECT_EQ(m->files[1].clocks->sync_to.clock, 5U);
  EXPECT_EQ(m->files[1].clocks->offset_ns, -5);
  EXPECT_FALSE(m->files[1].clocks->pins_file());
  EXPECT_TRUE(m->files[2].clocks->pins_file());
  ASSERT_EQ(m->attributes.size(), 2U);
  EXPECT_EQ(m->attributes[0].key, "z");
  EXPECT_EQ(std::get<int64_t>(m->attributes[1].value), 42);
}

TEST(Manifest, MalformedDocuments) {
  std::vector<std::string> warnings;
  for (const std::string_view json : {"", "{", R"({"perfetto_manifest":{"version":1,}})"}) {
    const Result<Manifest> m = parse_manifest(json, warnings);
    ASSERT_FALSE(m);
    EXPECT_TRUE(m.error().message.starts_with("Trace parse failure: ")) << m.error().message;
  }
  constexpr std::string_view kShape =
      "perfetto_manifest: expected a JSON object with a top-level perfetto_manifest key";
  for (const std::string_view json : {"[]", "{}", R"({"perfetto_manifest":1})", "1", "null"})
    EXPECT_EQ(parse_manifest(json, warnings).error().message, kShape);
}

TEST(Manifest, Version) {
  EXPECT_EQ(error_of("{}"), "missing required field: version");
  for (const std::string_view version : {"1.5", "1.0", "\"1\"", "null", "18446744073709551615"})
    EXPECT_EQ(error_of(R"({"version": )" + std::string(version) + "}"),
              "version must be an integer");
  EXPECT_EQ(error_of(R"({"version": 99})"),
            "unsupported version: 99. Only version 1 is supported; set \"version\": 1.");
  EXPECT_EQ(error_of(R"({"version": 1})"), "accepted");
}

TEST(Manifest, TraceTime) {
  const auto error = [](std::string_view value) {
    return error_of(R"({"version": 1, "trace_time": )" + std::string(value) + "}");
  };
  EXPECT_EQ(error("1"), "trace_time must be an object");
  EXPECT_EQ(error("{}"), "trace_time needs a clock");
  EXPECT_EQ(error(R"({"clock": 6})"), "clock name must be a string");
  EXPECT_EQ(error(R"({"clock": "BOOTIME"})"),
            "unknown clock name: BOOTIME. Use one of REALTIME, REALTIME_COARSE, MONOTONIC, "
            "MONOTONIC_COARSE, MONOTONIC_RAW, BOOTTIME.");
  EXPECT_EQ(error(R"({"clock": "BOOTTIME", "file": 1})"), "trace_time: file must be a string");
  EXPECT_EQ(error(R"({"clock": "BOOTTIME", "machine": 1})"),
            "trace_time: machine must be a string");
}

TEST(Manifest, Files) {
  EXPECT_EQ(error_of(R"({"version": 1, "files": {}})"), "files must be an array");
  for (const std::string_view entry : {"1", "{}", R"({"path": 1})"})
    EXPECT_EQ(error_of(R"({"version": 1, "files": [)" + std::string(entry) + "]}"),
              "files entries must be objects with a string path");
  EXPECT_EQ(error_in_file(R"("__exported_table_schema": {}, "machine": {"name": "m"})"),
            "'a': an exported table is not a trace, so __exported_table_schema cannot be combined "
            "with clocks/machine/machines");
}

TEST(Manifest, ClocksOfAFile) {
  EXPECT_EQ(error_in_file(R"("clocks": [])"), "clocks must be an object");
  EXPECT_EQ(error_in_clocks(R"("clock": 1)"), "clock name must be a string");
  EXPECT_EQ(error_in_clocks(R"("machine": 1)"), "clocks: machine must be a string");
  EXPECT_EQ(error_in_clocks(""),
            "clocks: a sync_to block is required. Manual clock handling relates this file to a "
            "clock in another trace, e.g. \"sync_to\": {\"file\": \"other.pb\"}.");
  EXPECT_EQ(error_in_clocks(R"("sync_to": 1)"), "clocks: sync_to must be an object");
  for (const std::string_view sync : {"{}", R"({"file": 1})"})
    EXPECT_EQ(error_in_clocks(R"("sync_to": )" + std::string(sync)),
              "clocks: sync_to.file is required and must be a string");
  EXPECT_EQ(error_in_clocks(R"("sync_to": {"file": "b", "machine": 1})"),
            "clocks: sync_to.machine must be a string");
  const std::string sync = R"("sync_to": {"file": "b"}, "offset_ns": )";
  for (const std::string_view offset : {"1.5", "1.0", "\"1\"", "1e3", "9223372036854775808"})
    EXPECT_EQ(error_in_clocks(sync + std::string(offset)), "clocks: offset_ns must be an integer");
  EXPECT_EQ(error_in_clocks(sync + "-9223372036854775808"), "clocks: offset_ns is out of range");
  EXPECT_EQ(error_in_clocks(sync + "-9223372036854775807"), "accepted");
}

TEST(Manifest, MachinesOfAFile) {
  EXPECT_EQ(error_in_file(R"("machine": {"name": "a"}, "machines": [])"),
            "machine and machines are mutually exclusive. Use `machine` for a single-machine file, "
            "or `machines` to remap a multi-machine proto's embedded ids; not both.");
  for (const std::string_view machine : {"1", "{}", R"({"name": 1})"})
    EXPECT_EQ(error_in_file(R"("machine": )" + std::string(machine)),
              "machine must be an object with a string name, e.g. \"machine\": {\"name\": "
              "\"phone\"}.");
  EXPECT_EQ(error_in_file(R"("machine": {"name": ""})"), "machine: name must be non-empty");
  EXPECT_EQ(error_in_file(R"("machines": {})"), "machines must be an array");
  for (const std::string_view item :
       {"1", "{}", R"({"id": "0", "name": "m"})", R"({"id": 0})", R"({"id": 0, "name": 1})"})
    EXPECT_EQ(error_in_file(R"("machines": [)" + std::string(item) + "]"),
              "machines entries need an integer id and a string name, e.g. \"machines\": [{\"id\": "
              "0, \"name\": \"phone\"}].");
  for (const std::string_view id : {"4294967296", "-1", "1e30", "18446744073709551615"})
    EXPECT_EQ(error_in_file(R"("machines": [{"id": )" + std::string(id) + R"(, "name": "m"}])"),
              "machines: id must be in [0, 4294967295]");
  EXPECT_EQ(error_in_file(R"("machines": [{"id": 0, "name": ""}])"),
            "machines: name must be non-empty");
}

TEST(Manifest, Attributes) {
  const auto error = [](std::string_view value) {
    return error_of(R"({"version": 1, "attributes": )" + std::string(value) + "}");
  };
  EXPECT_EQ(error("[]"),
            "attributes must be an object of string or integer values, e.g. \"attributes\": "
            "{\"benchmark\": \"startup\"}.");
  EXPECT_EQ(error(R"({"": 1})"), "attributes: keys must be non-empty");
  for (const std::string_view value : {"true", "[]", "1.5", "null"})
    EXPECT_EQ(error(R"({"x": )" + std::string(value) + "}"),
              "attributes: 'x' must be a string or an integer");
}

TEST(Manifest, ChecksInTheOrderOfTheSpec) {
  EXPECT_EQ(error_of(R"({"files": 1, "trace_time": 1})"), "missing required field: version");
  EXPECT_EQ(error_of(R"({"version": 1, "files": 1, "trace_time": 1})"),
            "trace_time must be an object");
  EXPECT_EQ(error_of(R"({"version": 1, "files": 1, "attributes": 1})"), "files must be an array");
  EXPECT_EQ(error_in_file(R"("machine": 1, "clocks": 1)"), "clocks must be an object");
}

TEST(Manifest, WarnsOfWhatItIgnores) {
  std::vector<std::string> warnings;
  const Result<Manifest> m = parse(R"({"version": 1, "colour": 1, "trace_time": {"clock":
    "BOOTTIME", "zone": 1}, "files": [{"path": "a", "machine": {"name": "m", "os": 1}},
    {"path": "a", "clock": 1}]})",
                                   &warnings);
  ASSERT_TRUE(m);
  EXPECT_EQ(m->files.size(), 1U);
  ASSERT_EQ(warnings.size(), 5U);
  EXPECT_EQ(warnings[0], "perfetto_manifest: unknown key 'colour' in perfetto_manifest is ignored");
}

TEST(Manifest, WritingAndReadingGiveTheSame) {
  const std::string_view body = R"({"version": 1,
    "trace_time": {"clock": "BOOTTIME", "file": "a", "machine": "phone"},
    "files": [{"path": "a", "machines": [{"id": 0, "name": "phone"}, {"id": 7, "name": "v\"m\n"}]},
      {"path": "b", "machine": {"name": "desk"}, "clocks": {"machine": "desk", "offset_ns": 9,
       "sync_to": {"file": "a", "machine": "phone", "clock": "REALTIME"}}}],
    "attributes": {"k": "v", "n": -1}})";
  const std::string once = write_manifest(*parse(body));
  std::vector<std::string> warnings;
  const Result<Manifest> again = parse_manifest(once, warnings);
  ASSERT_TRUE(again) << again.error().message << once;
  EXPECT_EQ(write_manifest(*again), once);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(again->files[0].machines[1].name, "v\"m\n");
  EXPECT_EQ(again->files[1].clocks->sync_to.clock, 1U);
}

TEST(Manifest, OurOwnFields) {
  const std::string_view body = R"({"version": 1, "clock_model": "linear",
    "machines": [{"name": "watch", "wall_clock_skew_ns": -5}],
    "files": [{"path": "a*", "glob": true, "start": "2023-11-14T22:13:20.5Z"},
      {"path": "d", "align": false, "clock_group": "g\"1"},
      {"path": "e", "align": ["flows", "logs"]},
      {"path": "b", "clocks": {"offset_ns": 3, "drift_ppm": -12.5, "offset_at_ns": 7,
       "sync_to": {"file": "c"}}},
      {"path": "c", "clocks": {"sync_to": {"file": "b"}, "offset_ns": 0,
       "points": [{"this_ns": 1, "other_ns": 2}, {"this_ns": 5, "other_ns": 9}]}}]})";
  const Result<Manifest> m = parse(body);
  ASSERT_TRUE(m) << m.error().message;
  EXPECT_EQ(m->clock_model, ClockModel::Linear);
  EXPECT_EQ(m->machines.at(0).wall_clock_skew_ns, -5);
  EXPECT_TRUE(m->files[0].is_glob);
  EXPECT_EQ(m->files[0].start_utc_ns, 1'700'000'000'500'000'000);
  EXPECT_FALSE(m->files[0].align_kinds);
  EXPECT_EQ(m->files[1].align_kinds, 0U);
  EXPECT_EQ(m->files[1].clock_group, "g\"1");
  EXPECT_EQ(m->files[2].align_kinds, parse_align("flows,logs")->kinds);
  EXPECT_EQ(m->files[3].clocks->drift_ppm, -12.5);
  EXPECT_EQ(m->files[3].clocks->offset_at_ns, 7);
  EXPECT_EQ(m->files[4].clocks->points.at(1).other_ns, 9);
  std::vector<std::string> warnings;
  const Result<Manifest> again = parse_manifest(write_manifest(*m), warnings);
  ASSERT_TRUE(again);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(again->files[1].align_kinds, 0U);
  EXPECT_EQ(again->files[2].align_kinds, m->files[2].align_kinds);
  EXPECT_EQ(again->files[1].clock_group, m->files[1].clock_group);
  EXPECT_EQ(write_manifest(*again), write_manifest(*m));
}

TEST(Manifest, RulesOfOurOwnFields) {
  const std::string sync = R"("sync_to": {"file": "b"}, )";
  for (const std::string_view drift : {"100001", "-1e9", "\"1\"", "null"})
    EXPECT_EQ(error_in_clocks(sync + R"("drift_ppm": )" + std::string(drift)),
              "clocks: drift_ppm must be a number from -100000 to 100000");
  EXPECT_EQ(error_in_clocks(sync + R"("offset_at_ns": 1.5)"),
            "clocks: offset_at_ns must be an integer");
  EXPECT_EQ(error_in_clocks(sync + R"("points": [])"),
            "clocks: points must be an array that is not empty");
  EXPECT_TRUE(error_in_clocks(sync + R"("points": [{"this_ns": 1}])")
                  .starts_with("clocks: points need an integer this_ns and other_ns"));
  EXPECT_EQ(error_in_clocks(sync + R"("points": [{"this_ns": 1, "other_ns": 5},
                                               {"this_ns": 2, "other_ns": 5}])"),
            "clocks: points must rise, in this_ns and in other_ns");
  EXPECT_EQ(error_in_file(R"("glob": 1)"), "'a': glob must be true or false");
  EXPECT_TRUE(error_in_file(R"("start": "2023-11-14")").starts_with("'a': start must be a time"));
  EXPECT_TRUE(
      error_in_file(R"("start": "2023-11-14T22:13:20Z", "clocks": {)" + sync + R"("offset_ns": 1})")
          .starts_with("'a': start and clocks both move the whole file"));
  for (const std::string_view align :
       {"true", "\"off\"", "\"flows\"", "1", "null", "[\"weather\"]", "[1]"})
    EXPECT_TRUE(error_in_file(R"("align": )" + std::string(align))
                    .starts_with("'a': align must be false or a list of task_switches, "))
        << align;
  for (const std::string_view group : {"\"\"", "1", "null"})
    EXPECT_EQ(error_in_file(R"("clock_group": )" + std::string(group)),
              "'a': clock_group must be a text that is not empty");
  EXPECT_EQ(error_of(R"({"version": 1, "clock_model": "cubic"})"),
            "clock_model must be \"step\" or \"linear\"");
  EXPECT_EQ(error_of(R"({"version": 1, "machines": {}})"), "machines must be an array");
  EXPECT_EQ(error_of(R"({"version": 1, "machines": [{"name": "a"}, {"name": "a"}]})"),
            "machines: two entries have the name 'a'");
  EXPECT_EQ(error_of(R"({"version": 1, "machines": [{"name": "a", "wall_clock_skew_ns":
                        9223372036854775807}]})"),
            "machines: wall_clock_skew_ns is out of range");
}

TEST(Manifest, WarningsNameTheEntry) {
  std::vector<std::string> warnings;
  ASSERT_TRUE(parse(R"({"version": 1, "files": [{"path": "x", "machine": {"name": "m", "os": 1},
    "clocks": {"sync_to": {"file": "x", "hue": 1}, "offset": 2}}]})",
                    &warnings));
  ASSERT_EQ(warnings.size(), 3U);
  for (const std::string& warning : warnings)
    EXPECT_NE(warning.find("'x'"), std::string::npos) << warning;
}

TEST(Manifest, TemplatesAreValid) {
  const TemplateFile files[] = {{.path = "notes/app.json", .machines = {0}, .has_clock = false},
                                {.path = "phone.pftrace",
                                 .machines = {0, 7},
                                 .clock = domain::kMonotonic,
                                 .clock_machine = 7},
                                {.path = "more/app.json", .machines = {0}, .has_clock = false}};
  const Manifest made = manifest_template(files);
  std::vector<std::string> warnings;
  const Result<Manifest> read = parse_manifest(write_manifest(made), warnings);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(read->files[0].machine, "app");
  EXPECT_EQ(read->files[0].clocks->sync_to.file, "phone.pftrace");
  EXPECT_EQ(read->files[0].clocks->sync_to.machine, "phone-machine-7");
  EXPECT_EQ(read->files[0].clocks->sync_to.clock, uint32_t{domain::kMonotonic});
  EXPECT_EQ(read->files[2].machine, "app-2") << "a machine of its own";
  EXPECT_EQ(read->files[1].machines.size(), 2U);
}

TEST(Manifest, TheSchemaIsJson) {
  simdjson::dom::parser parser;
  EXPECT_EQ(parser.parse(manifest_schema().data(), manifest_schema().size()).error(),
            simdjson::SUCCESS);
}

}  // namespace
}  // namespace tracebraid
