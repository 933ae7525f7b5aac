#include "format/unsupported/sniff.h"

#include <gtest/gtest.h>

#include "format/format.h"

namespace tracebraid::unsupported {
namespace {

using namespace std::string_view_literals;

TEST(Pprof, IsToldFromATraceOfPackets) {
  // sample_type, sample, string_table
  EXPECT_TRUE(is_pprof("\x0a\x04\x08\x01\x10\x02\x12\x02\x08\x01\x32\x00"sv));
  // Packets are all field 1.
  EXPECT_FALSE(is_pprof("\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x01\x10\x02"sv));
  EXPECT_FALSE(is_pprof("\x12\x02\x08\x01\x7a\x00\x12\x02\x08\x01"sv));  // field 15
  EXPECT_FALSE(is_pprof("\x10\x02\x10\x02\x10\x02\x10\x02\x10\x02"sv));  // field 2 as a number
  EXPECT_FALSE(is_pprof(""));
  EXPECT_FALSE(is_pprof("22:13:21.25 execve(\"/bin/ls\") = 0\n"));
}

TEST(Unsupported, FormatsAreRecognisedByTheirNames) {
  const auto name_of = [](std::string_view head) {
    const Format* const format = detect({.head = head, .name = "x"});
    return format == nullptr ? std::string_view() : format->name;
  };
  EXPECT_EQ(name_of("*version\n3\ndata-file-overflow=false\n"), "art_method");
  EXPECT_EQ(name_of("SLOW\x03\x00"sv), "art_method");
  EXPECT_EQ(name_of("SLOW\x04\x00"sv), "art_method_v2");
  EXPECT_EQ(name_of("SLOW\xf5\x00"sv), "art_method_v2");
  EXPECT_EQ(name_of("JAVA PROFILE 1.0.3\0"sv), "art_hprof");
  EXPECT_EQ(name_of("SIMPLEPERF\x01\x00"sv), "simpleperf_proto");
  EXPECT_EQ(name_of("\x0a\x04\x08\x01\x10\x02\x12\x02\x08\x01\x32\x00"sv), "pprof");
  EXPECT_EQ(name_of("ARROW1\0\0"sv), "arrow");
  EXPECT_EQ(name_of("\xc1\x1f\xfc\xc1"sv), "ctf");
  EXPECT_EQ(name_of("{\"name\":\"ETW\",\"content\":[]}"), "etw");
  EXPECT_EQ(name_of("v8-version,8,4,371,19,-node.18,0\nshared-library,x"), "v8_log");
  EXPECT_EQ(name_of("{\"data\": [ {\"traceID\":\"1\"} ] }"), "jaeger");
}

TEST(Unsupported, InstrumentsRecordingsAreFolders) {
  EXPECT_TRUE(is_part_of_instruments_trace("a/My run.trace/form.template"));
  EXPECT_TRUE(is_part_of_instruments_trace("x.trace/Trace12.run/RunIssues.storedata"));
  EXPECT_TRUE(is_part_of_instruments_trace("x.trace/corespace/MANIFEST.plist"));
  EXPECT_FALSE(is_part_of_instruments_trace("x.trace"));
  EXPECT_FALSE(is_part_of_instruments_trace("x.trace/ftrace.txt"));
  EXPECT_FALSE(is_part_of_instruments_trace("form.template"));
}

}  // namespace
}  // namespace tracebraid::unsupported
