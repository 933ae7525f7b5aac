// The whole reader: from text to batches.
#include <gtest/gtest.h>

#include <random>

#include "format/json/batch_text.h"

namespace tracebraid::json {
namespace {

TEST(Reader, ArrayForm) {
  EXPECT_EQ(events_of(R"([{"ph":"X","name":"a","cat":"c","pid":3,"tid":4,"ts":10,"dur":4.5},
                          {"ph":"B","ts":20.25,"pid":3},{"ph":"E","ts":"21","pid":3,"tid":0}])"),
            "X 3.4 @10000+4500 a/c\n"
            "B 3.3 @20250 [No name]\n"
            "E 3.3 @21000\n");
}

TEST(Reader, ObjectFormInAnyOrder) {
  const std::string_view json = R"({"otherData":{"n":1,"r":0.5,"no":null},"traceEvents":[
      {"ph":"i","name":"x","ts":1,"tid":7},],"note":"hi","displayTimeUnit":"ns",})";
  EXPECT_EQ(events_of(json), "i 0.7 @1000 x\n");
  EXPECT_EQ(metadata_of(json),
            "json_otherData.n=1\njson_otherData.r='0.5'\njson_note='hi'\n"
            "json_displayTimeUnit='ns'\n");
  EXPECT_EQ(stats_of(json), "json_display_time_unit=1");
}

TEST(Reader, OtherForms) {
  EXPECT_EQ(events_of(R"({"traceEvents":{"1":{"ph":"I","name":"x","ts":1,"pid":2}}})"),
            "i 2.2 @1000 x\n");
  EXPECT_EQ(events_of(R"({"traceEvents":"[{\"ph\":\"I\",\"name\":\"x\",\"ts\":1,\"pid\":2}]"})"),
            "i 2.2 @1000 x\n");
  EXPECT_EQ(events_of("{\"ph\":\"I\",\"ts\":1,\"pid\":2}\n{\"ph\":\"I\",\"ts\":2,\"pid\":2},\n"),
            "i 2.2 @1000 [No name]\ni 2.2 @2000 [No name]\n");
  EXPECT_EQ(stats_of(R"({"traceEvents":7})"), "json_trace_events_type=1 trace_file_empty=1");
}

TEST(Reader, Emptiness) {
  for (const char* const json :
       {"", " \n", "\xEF\xBB\xBF", "[]", "{}", "[\n", "{\"traceEvents\":[]}"})
    EXPECT_EQ(stats_of(json), "trace_file_empty=1") << json;
}

TEST(Reader, ObjectsWithoutAnySignOfATraceAreDoubted) {
  EXPECT_EQ(stats_of(R"({"foo":1})"), "json_trace_events_type=1 trace_file_empty=1");
  EXPECT_EQ(stats_of(R"({"foo":1,"bar":[{"a":2}]})"),
            "json_trace_events_type=1 trace_file_empty=1");
  for (const char* const json :
       {R"({"foo":1,"traceEvents":[]})", R"({"metadata":{"a":"b"}})", R"({"otherData":{}})",
        R"({"foo":1,"displayTimeUnit":"ms"})", R"({"samples":[]})"})
    EXPECT_EQ(stats_of(json).find("json_trace_events_type"), std::string::npos) << json;
}

TEST(Reader, Cut) {
  const std::string whole =
      R"({"metadata":{"a":"b"},"traceEvents":[{"ph":"X","ts":1,"dur":2,"name":"\"n\\"}]})";
  const std::string all = events_of(whole);
  EXPECT_EQ(all, "X 0.0 @1000+2000 \"n\\\n");
  for (size_t size = 1; size < whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);
    // Closed or not, the event counts as soon as its brace is present.
    EXPECT_EQ(events_of(cut), size + 2 >= whole.size() ? all : "") << cut;
    EXPECT_NE(stats_of(cut).find("json_truncated=1"), std::string::npos) << cut;
  }
}

TEST(Reader, CutArray) {
  EXPECT_EQ(stats_of(R"([{"ph":"I","ts":1,"tid":1},)"), "");
  EXPECT_EQ(stats_of(R"([{"ph":"I","ts":1,"tid":1},{"ph)"), "json_truncated=1");
  EXPECT_EQ(stats_of(R"([{"ph":"I","ts":1,"tid":1},5)"), "json_truncated=1");
}

TEST(Reader, Damage) {
  const std::string json =
      "[\n{\"ph\":\"I\",\"name\":\"a\",\"ts\":1,\"tid\":1},\n"
      "{\"ph\":\"I\",\"name\":\"b\" @@ \"ts\":1,\"tid\":1},\n"
      "{'ph':'I'},\n"
      "{\"ph\":\"I\",\"name\":\"c\",\"ts\":1,\"tid\":1}\n]\n";
  EXPECT_EQ(events_of(json), "i 0.1 @1000 a\ni 0.1 @1000 c\n");
  EXPECT_EQ(stats_of(json), "json_skipped_bytes=53 json_tokenizer_failure=2");
}

// A missing quote or brace makes an event seem to continue in the next.
TEST(Reader, DamageDoesNotSpread) {
  const std::string next = R"({"ph":"I","name":"c","ts":1,"tid":1}])";
  EXPECT_EQ(events_of(R"([{"ph":"I","ts":1,"name":"b)"
                      "\n" +
                      next),
            "i 0.1 @1000 c\n");
  EXPECT_EQ(events_of(R"([{"ph":"I","ts":1,"args":{"k":1},)" + next), "i 0.1 @1000 c\n");
  // Objects in the args of a broken event are no events.
  const std::string args = R"([{"ph":"I","args":[{"ph":"i","ts":1},{"ph":"i","ts":1}] 5},)";
  EXPECT_EQ(events_of(args + next), "i 0.1 @1000 c\n");
}

TEST(Reader, DamageAtTheEndKeepsWhatFollows) {
  EXPECT_EQ(metadata_of(R"({"traceEvents":[{"ph" "X"}],"metadata":{"k":1}})"),
            "json_metadata.k=1\n");
}

TEST(Reader, Commas) {
  const std::string_view event = R"({"ph":"I","ts":1,"tid":1})";
  const auto list = [&](std::string_view between) {
    return stats_of("[" + std::string(event) + std::string(between) + std::string(event) + "]");
  };
  EXPECT_EQ(list(","), "");
  EXPECT_EQ(list(",,, ,"), "json_extra_comma=3");
  EXPECT_EQ(list(" "), "json_missing_comma=1");
  EXPECT_EQ(list(",{},"), "");
  EXPECT_EQ(list(",5,null,[],\"x\","), "json_event_not_object=4");
}

TEST(Reader, SeveralDocuments) {
  const std::string_view one = R"([{"ph":"I","ts":1,"tid":1}])";
  const std::string json = std::string(one) + "\n" + std::string(one) + " end";
  EXPECT_EQ(stats_of(json), "json_concatenated_documents=1 json_trailing_garbage=1");
  EXPECT_EQ(stats_of(std::string(one) + std::string(5, '\0')), "");
}

TEST(Reader, Args) {
  EXPECT_EQ(events_of(R"([{"ph":"X","name":"a","ts":1,"dur":0,"args":
      {"i":-3,"r":0.25,"s":"t\u00e9","t":true,"o":{"x":{"y":1}},
       "l":[10,null,[20,30,],{"z":"q"}],"n":null,"e":{},"d.e":0123,"f":.5,"g":5.,"p":+5}}])"),
            "X 0.0 @1000 a {args.i=-3 args.r=0.25 args.s='t\xC3\xA9' args.t=true args.o.x.y=1 "
            "args.l[0]=10 unlisted args.l[1]=null args.l[1][0]=20 args.l[1][1]=30 args.l[2].z='q' "
            "unlisted args.n=null unlisted args.e={} args.d.e=123 args.f=0.5 args.g=5.0 "
            "args.p=5}\n");
}

TEST(Reader, UnlistedArgsInText) {
  const std::string leaves =
      "i 0.1 @1000 a {unlisted args.l[0]=null unlisted args.l[1]=[] args.l[1]=2 "
      "unlisted args[\"x.y\"]={}";
  EXPECT_EQ(events_of(R"([{"ph":"I","tid":1,"name":"a","ts":1,"args":
                           {"l":[null,[],2],"x.y":{}}}])"),
            leaves + "}\n");
  // A repeated key is read as a tree.
  EXPECT_EQ(events_of(R"([{"ph":"I","tid":1,"name":"a","ts":1,"args":
                           {"l":[null,[],2],"x.y":{},"k":1,"k":null}}])"),
            leaves + " unlisted args.k=null}\n");
}

TEST(Reader, ArgsOfOtherTypes) {
  EXPECT_EQ(events_of(R"([{"ph":"I","tid":1,"name":"a","ts":1,"args":["u","v"]},
                          {"ph":"I","tid":1,"name":"b","ts":1,"args":"text"}])"),
            "i 0.1 @1000 a {args.0='u' args.1='v'}\ni 0.1 @1000 b\n");
  EXPECT_EQ(stats_of(R"([{"ph":"I","tid":1,"ts":1,"args":5},
                         {"ph":"I","tid":1,"ts":1,"args":null},
                         {"ph":"I","tid":1,"ts":1,"args":"__stripped__"}])"),
            "json_args_not_object=1");
}

TEST(Reader, DuplicateKeys) {
  const std::string_view json =
      R"([{"ph":"I","tid":1,"name":"a","ts":1,"name":"b","args":{"k":[1,2],"m":2,"k":3}}])";
  EXPECT_EQ(events_of(json), "i 0.1 @1000 b {args.k=3 args.m=2}\n");
  EXPECT_EQ(stats_of(json), "json_duplicate_key=2");
}

TEST(Reader, DeepNesting) {
  const std::string deep = std::string(600, '[') + "1" + std::string(600, ']');
  const std::string json = R"([{"ph":"I","tid":1,"name":"a","ts":1,"args":{"k":5,"d":)" + deep +
                           R"(}},{"ph":"I","tid":1,"name":"b","ts":1,"x":)" + deep + "}]";
  EXPECT_EQ(events_of(json), "i 0.1 @1000 a {args.k=5}\ni 0.1 @1000 b\n");
  EXPECT_EQ(stats_of(json), "json_max_depth_exceeded=2");
  EXPECT_EQ(stats_of("[" + std::string(200'000, '[')), "json_truncated=1 trace_file_empty=1");
}

// Each of the numbers would have a name of 1500 bytes.
TEST(Reader, NamesOfArgsStayInProportion) {
  std::string json = R"([{"ph":"I","tid":1,"name":"a","ts":1,"args":{"d":)";
  json.append(500, '[');
  for (int i = 0; i < 100'000; ++i) json += "1,";
  json.append(500, ']');
  json += R"(}},{"ph":"I","tid":1,"name":"b","ts":1}])";
  Input input{std::string_view(json)};
  const std::vector<EventBatch> batches = read_batches(input);
  size_t memory = 0;
  for (const EventBatch& batch : batches) memory += batch.strings.memory();
  EXPECT_LT(memory, 20 * json.size());
  EXPECT_NE(stats_of(batches).find("json_max_depth_exceeded"), std::string::npos);
  EXPECT_NE(events_of(batches).find("i 0.1 @1000 b"), std::string::npos);
}

TEST(Reader, Ids) {
  EXPECT_EQ(events_of(R"([{"ph":"X","ts":1,"dur":1,"pid":"p","tid":"q"},
                          {"ph":"X","ts":2,"dur":1,"pid":"p","tid":"r"},
                          {"ph":"X","ts":3,"dur":1,"pid":"12","tid":13.0},
                          {"ph":"X","ts":4,"dur":1,"pid":-7,"tid":1099511627776},
                          {"ph":"X","ts":5,"dur":1,"tid":9}])"),
            "X -1000000001.-1000000002 @1000+1000 [No name]\n"
            "X -1000000001.-1000000003 @2000+1000 [No name]\n"
            "X 12.13 @3000+1000 [No name]\n"
            "X -7.1099511627776 @4000+1000 [No name]\n"
            "X 0.9 @5000+1000 [No name]\n"
            "pname -1000000001 @0 p\n"
            "tname -1000000001.-1000000002 @0 q\n"
            "tname -1000000001.-1000000003 @0 r\n");
}

TEST(Reader, Lost) {
  EXPECT_EQ(stats_of(R"([{"ts":1},{"ph":"","ts":1},{"ph":7,"ts":1},{"ph":"I","tid":1},
                         {"ph":"I","tid":1,"ts":null},{"ph":"I","tid":1,"ts":"100a"},
                         {"ph":"I","tid":1,"ts":1e30},{"ph":"I","tid":1,"ts":NaN},
                         {"ph":"X","ts":1,"dur":"x"}])"),
            "json_nonfinite_number=1 json_tokenizer_failure=9");
  EXPECT_EQ(stats_of(R"([{"ph":"X","ts":1},{"ph":"C","ts":1},{"ph":"C","ts":1,"args":{}},
                         {"ph":"b","pid":1,"ts":1},{"ph":"b","ts":1,"id":1},{"ph":"i","ts":1}])"),
            "json_complete_without_dur=1 json_event_incomplete=5 json_parser_failure=6");
  EXPECT_EQ(stats_of(R"([{"ph":"X","ts":1,"dur":-5}])"), "slice_negative_duration=1");
  EXPECT_EQ(stats_of(R"([{"ph":"?","ts":1}])"), "json_unknown_phase=1");
}

TEST(Reader, Counters) {
  EXPECT_EQ(events_of(R"([{"ph":"C","name":"m","pid":5,"ts":1,"args":{"rss":100,"swap":"2.5"}},
                          {"ph":"C","name":"m","pid":5,"ts":2,"id":"0x1","args":{"rss":".75"}},
                          {"args":{"rss":true},"ph":"C","name":"m","pid":5,"ts":3,"id":7}])"),
            "C json_counter 5 'm rss' @1000 =100\n"
            "C json_counter 5 'm swap' @1000 =2.5\n"
            "C json_counter 5 'm id: 0x1 rss' @2000 =0.75\n");
}

TEST(Reader, Async) {
  EXPECT_EQ(events_of(R"([{"ph":"b","name":"w","cat":"c","pid":1,"ts":1,"id":72},
                          {"ph":"n","name":"i","cat":"c","pid":1,"ts":2,"id":"0x48"},
                          {"ph":"e","name":"w","cat":"c","pid":1,"ts":3,"id":"72"},
                          {"ph":"b","name":"l","pid":1,"ts":4,"id2":{"local":"x"}},
                          {"ph":"S","name":"s","cat":"k","pid":1,"ts":5,"id":1},
                          {"ph":"T","name":"s","pid":1,"ts":6,"id":1,"args":{"step":"one"}},
                          {"ph":"F","name":"s","pid":1,"ts":7,"id":1}])"),
            "B legacy_async_global_slice @1000 w/c\n"
            "i legacy_async_global_slice @2000 i/c\n"
            "E legacy_async_global_slice @3000 w/c\n"
            "B legacy_async_process_slice 1 @4000 l\n"
            "S legacy_async_global_slice 's' @5000 s/k\n"
            "step legacy_async_global_slice 's' @6000+1 one {args.step='one'}\n"
            "E legacy_async_global_slice 's' @7000\n");
}

TEST(Reader, OneTrackForOneId) {
  Input input(R"([{"ph":"b","cat":"c","pid":1,"ts":1,"id":18446744073709551615},
                  {"ph":"e","cat":"c","pid":1,"ts":2,"id":"0xffffffffffffffff"},
                  {"ph":"b","cat":"c","pid":1,"ts":3,"id":-1},
                  {"ph":"b","cat":"d","pid":1,"ts":4,"id":-1},
                  {"ph":"b","cat":"c","pid":1,"ts":4,"id":-1,"scope":"s"},
                  {"ph":"e","cat":"c","pid":1,"ts":5,"id":-1,"scope":"ptr"}])");
  const std::vector<EventBatch> batches = read_batches(input);
  std::vector<uint32_t> tracks;
  for (const Event& event : batches[0].streams[0].events) tracks.push_back(event.track);
  EXPECT_EQ(tracks, (std::vector<uint32_t>{0, 0, 1, 2, 3, 1}));
}

// The keys of tracks do not depend on the chunks.
TEST(Reader, OneTrackForUserTimingsOfOneGroup) {
  std::string json = "[";
  for (int i = 1; i < 20; ++i)
    json += R"({"ph":"b","cat":"blink.user_timing","pid":1,"ts":1,"name":"G:)" + std::to_string(i) +
            R"(","id":)" + std::to_string(i) + "},";
  Input input{std::string_view(json)};
  const std::vector<EventBatch> batches = read_batches(input, 1, 300);
  EXPECT_GT(batches.size(), 5U);
  std::vector<std::pair<uint64_t, int64_t>> groups;  // cookie and trace_id
  for (const EventBatch& batch : batches)
    for (const TrackName& track : batch.tracks)
      groups.emplace_back(track.cookie, batch.args.rows[track.source_args + 1].value);
  ASSERT_FALSE(groups.empty());
  for (const auto& group : groups) EXPECT_EQ(group, groups.front());
}

TEST(Reader, Metadata) {
  EXPECT_EQ(events_of(R"([{"ph":"M","name":"process_name","pid":4,"args":{"name":"P"}},
                          {"ph":"M","name":"thread_name","pid":4,"tid":5,"args":{"name":"T"}},
                          {"ph":"M","name":"process_sort_index","pid":4,"args":{"sort_index":"3"}},
                          {"ph":"M","name":"process_sort_index","pid":4,"args":{"sort_index":-1}},
                          {"ph":"M","name":"process_labels","pid":4,"args":{"labels":"a, b,a"}}])"),
            "M 4.4 @0 process_name {args.name='P'}\n"
            "pname 4 @0+2 P\n"
            "M 4.5 @0 thread_name {args.name='T'}\n"
            "tname 4.5 @0+3 T\n"
            "M 4.4 @0 process_sort_index {args.sort_index='3'}\n"
            "M 4.4 @0 process_sort_index {args.sort_index=-1}\n"
            "M 4.4 @0 process_labels {args.labels='a, b,a'}\n"
            "pargs 4 @0 {process_sort_index_hint=-1}\n"
            "pargs 4 @0 {chrome.process_label[0]='a' chrome.process_label[1]='b'}\n");
}

// Many chunks: events of all sizes, some larger than a chunk, some damaged.
class ManyChunks : public ::testing::TestWithParam<int> {};

std::string many_events(int seed) {
  std::mt19937 random(static_cast<uint32_t>(seed));
  std::string json = seed % 2 == 0 ? "[" : R"({"a":[1,{"b":"]}"}],"traceEvents":[)";
  for (int i = 0; json.size() < 60'000; ++i) {
    if (i > 0) json += random() % 3 == 0 ? ",\n" : ",";
    json += R"({"args":{"data":[{"ph":1},{"n":"},{\"ph\":\"X\"},"}],"text":")";
    json.append(random() % 50, 'x');
    if (random() % 50 == 0) json.append(random() % 9000, '{');
    json += R"("},"name":"n)" + std::to_string(random() % 50) + R"(","ph":"X","pid":"p)" +
            std::to_string(random() % 20) + R"(","tid":2,"ts":)" + std::to_string(i) +
            R"(,"dur":1})";
    if (seed % 5 == 4 && random() % 50 == 0) json += " @ \" {";
  }
  return json + (seed % 2 == 0 ? "]" : R"(],"metadata":{"k":"last"}})");
}

// Leaves out names of pids that are texts, because each chunk has its own.
std::string timed_events_of(const std::vector<EventBatch>& batches) {
  const std::string text = events_of(batches);
  return text.substr(0, text.find("\npname"));
}

TEST_P(ManyChunks, SameAsInOneChunk) {
  const std::string json = many_events(GetParam());
  Input whole{std::string_view(json)};
  const std::vector<EventBatch> expected = read_batches(whole);
  for (const size_t block_bytes : {500u, 4096u, 10000u}) {
    // Bytes arrive in varying portions, and are read on several threads.
    size_t at = 0;
    Input portions([&](char* into, size_t size) -> Result<size_t> {
      const size_t n = std::min({size, json.size() - at, size_t{777}});
      json.copy(into, n, at);
      at += n;
      return n;
    });
    const std::vector<EventBatch> chunks = read_batches(portions, 3, block_bytes);
    EXPECT_GT(chunks.size(), 5U);
    EXPECT_EQ(stats_of(chunks), stats_of(expected));
    EXPECT_EQ(timed_events_of(chunks), timed_events_of(expected));
    Input mapped{std::string_view(json)};
    EXPECT_EQ(timed_events_of(read_batches(mapped, 1, block_bytes)), timed_events_of(expected));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ManyChunks, ::testing::Range(0, 10));

}  // namespace
}  // namespace tracebraid::json
