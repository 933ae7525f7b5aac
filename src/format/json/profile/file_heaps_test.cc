#include "format/json/profile/file_heaps.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "format/json/batch_text.h"

namespace tracebraid::json {
namespace {

std::string text(const EventBatch& batch, StringId id) {
  return id ? std::string(batch.strings.get(id)) : "-";
}

std::string stack_text(const EventBatch& batch, uint32_t callsite) {
  std::string out;
  for (; callsite != kNone; callsite = batch.stacks.callsites[callsite].parent) {
    const StackFrame& frame = batch.stacks.frames[batch.stacks.callsites[callsite].frame];
    out = text(batch, frame.name) + (out.empty() ? "" : ">") + out;
  }
  return out.empty() ? "(root)" : out;
}

// A line an entry: allocator, type, callstack, bytes, objects.
std::string heaps_of(std::string_view json, size_t block_bytes = size_t{4} << 20) {
  Input input(json);
  std::string out;
  for (const EventBatch& batch : read_batches(input, 1, block_bytes))
    for (const MemoryHeapEntry& entry : batch.memory.heap_entries)
      out +=
          fmt::format("{}{} {} {} {} {}\n", text(batch, entry.allocator), entry.is_v2 ? " v2" : "",
                      text(batch, entry.type), stack_text(batch, entry.callsite), entry.size,
                      entry.count == kUnset ? "-" : std::to_string(entry.count));
  return out;
}

std::string dump(std::string_view pid, std::string_view ts, std::string_view heaps) {
  return fmt::format(R"({{"ph":"v","pid":{},"ts":{},"id":"1","args":{{"dumps":{{{}}}}}}})", pid, ts,
                     heaps);
}

std::string file_of(std::initializer_list<std::string> events) {
  std::string all = "[";
  for (const std::string& event : events) all += event + ",\n";
  return all + "{}]";
}

TEST(HeapDumps, PlainTypeNames) {
  EXPECT_EQ(plain_type_name("const char *WTF::getStringWithTypeName() [T = blink::Node *]"),
            "blink::Node *");
  EXPECT_EQ(plain_type_name("const char* WTF::getStringWithTypeName() [with T = int]"), "int");
  EXPECT_EQ(plain_type_name("const char *__cdecl WTF::GetStringWithTypeName<struct A<int>>(void)"),
            "struct A<int>");
  for (const char* const other : {"", "int", "getStringWithTypeName",
                                  "getStringWithTypeName() [T = ", "getStringWithTypeName<",
                                  "getStringWithTypeName<>(void)x"})
    EXPECT_EQ(plain_type_name(other), other);
}

TEST(HeapDumps, Version1) {
  const std::string json =
      file_of({R"({"ph":"M","name":"stackFrames","pid":3,"args":{"stackFrames":{
             "1":{"name":"main"},"2":{"name":"f","parent":"1"}}}})",
               R"({"ph":"M","name":"typeNames","pid":3,"args":{"typeNames":{"7":"T"}}})",
               dump("3", "1",
                    R"("heaps":{"malloc":{"entries":[{"bt":"2","type":"7","size":"10","count":"a"},
               {"bt":"","size":"ff"},{"bt":1,"size":"1"},{"type":"8","size":"2"},
               {"size":"zz"},{"count":"1"},5]},"none":{}})")});
  const std::string expected =
      "malloc T main>f 16 10\n"
      "malloc - (root) 255 -\n"
      "malloc - main 1 -\n"
      "malloc 8 (root) 2 -\n";
  // Two sizes that are none, an entry without one, a value that is no entry, a heap without
  // entries, a type that is not listed.
  EXPECT_EQ(stats_of(json), "memory_dump_parse_error=5");
  // However the file is cut into chunks.
  for (const size_t bytes : {size_t{64}, size_t{300}, size_t{4} << 20})
    EXPECT_EQ(heaps_of(json, bytes), expected) << bytes;
}

TEST(HeapDumps, FramesAndTypesAreOfTheProcess) {
  const std::string json =
      file_of({R"({"ph":"M","name":"typeNames","pid":3,"args":{"typeNames":{"7":"T"}}})",
               R"({"ph":"M","name":"stackFrames","pid":3,"args":{"stackFrames":{
                     "1":{"name":"main"}}}})",
               dump("4", "1", R"("heaps":{"a":{"entries":[{"bt":"1","type":"7","size":"1"}]}})")});
  EXPECT_EQ(heaps_of(json), "a 7 (root) 1 -\n");
  EXPECT_EQ(stats_of(json), "json_stack_frame_missing=1");
}

TEST(HeapDumps, OldestForm) {
  const std::string json = file_of(
      {R"({"ph":"M","name":"stackFrames","pid":3,"args":{"stackFrames":{"1":{"name":"main"}}}})",
       dump("3", "1", R"("heaps":{"a":{"entries":[{"bt":"1","type":"T","size":"1"},
                         {"type":"T","size":"2"},{"bt":"1","size":"3"}]}})")});
  EXPECT_EQ(heaps_of(json), "a T main><self> 1 -\na T (root) 2 -\na - main 3 -\n");
}

TEST(HeapDumps, Version2AddsUpInTime) {
  // The second dump comes first in the file; it names strings and nodes of the first.
  const std::string json =
      file_of({dump("3", "20", R"("heaps_v2":{"maps":{"strings":[{"id":3,"string":"g"}],
               "nodes":[{"id":2,"name_sid":3,"parent":1}]},
             "allocators":{"a":{"nodes":[2],"types":[5],"counts":[1],"sizes":[9]}}})"),
               dump("3", "10", R"("heaps_v2":{"version":1,"maps":{
               "strings":[{"id":1,"string":"main"},{"id":2,"string":"T"}],
               "nodes":[{"id":1,"name_sid":1}],"types":[{"id":5,"name_sid":2}]},
             "allocators":{"a":{"nodes":[1,"1"],"types":[5,5],"counts":[2,3],"sizes":[7,"8"]}}})")});
  EXPECT_EQ(heaps_of(json), "a v2 T main>g 9 1\na v2 T main 7 2\na v2 T main 8 3\n");
  EXPECT_EQ(stats_of(json), "");
}

TEST(HeapDumps, Version2Damage) {
  // A loop of nodes, a node and a type that are not there, lists of unequal length, a size that
  // is none, an allocator without lists.
  const std::string json = file_of({dump("3", "1", R"("heaps_v2":{"maps":{
               "strings":[{"id":1,"string":"f"}],
               "nodes":[{"id":1,"name_sid":1,"parent":2},{"id":2,"name_sid":1,"parent":1},5]},
             "allocators":{"a":{"nodes":[1,9,1],"types":[4,4,4],"sizes":[1,2,-3,4]},"b":{}}})")});
  EXPECT_EQ(heaps_of(json), "a v2 4 f>f 1 -\na v2 4 (root) 2 -\n");
  EXPECT_EQ(stats_of(json),
            "json_stack_frame_cycle=1 json_stack_frame_missing=1 memory_dump_parse_error=5");
}

}  // namespace
}  // namespace tracebraid::json
