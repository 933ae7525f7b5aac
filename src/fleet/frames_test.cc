#include "fleet/frames.h"

#include <gtest/gtest.h>

#include "query/batch/cell_at.h"
#include "query/batch/column_builder.h"

namespace tracebraid::fleet {
namespace {

constexpr DataType kTypes[] = {DataType::Int64, DataType::Float64, DataType::Utf8,
                               DataType::Binary};

std::shared_ptr<const Schema> schema_of_all_types() {
  auto schema = std::make_shared<Schema>();
  for (const DataType type : kTypes) schema->fields.push_back({"c", type});
  return schema;
}

// Returns columns of three rows, the second of which is NULL.
std::vector<ArrayData> columns_of_all_types() {
  const Cell first[] = {Cell::of(int64_t{-7}),
                        Cell::of(2.5),
                        Cell::of(std::string_view("abc")),
                        {Cell::Kind::Blob, 0, 0, std::string_view("\0\1", 2)}};
  std::vector<ArrayData> columns;
  for (size_t i = 0; i < std::size(kTypes); ++i) {
    ColumnBuilder builder(kTypes[i]);
    for (const Cell& cell : {first[i], Cell::null(), first[i]}) EXPECT_TRUE(builder.add(cell));
    columns.push_back(builder.finish());
  }
  return columns;
}

std::string bytes_of(const Frame& frame) {
  std::string bytes = frame.head;
  for (const std::string_view part : frame.body) bytes += part;
  return bytes;
}

// Splits the bytes of a batch frame.
struct Parts {
  std::string head, body;
};
Parts parts_of(const std::string& bytes) {
  const std::optional<FramePrefix> prefix = parse_prefix(bytes);
  if (!prefix) return {};
  EXPECT_EQ(bytes.size(), kPrefixBytes + prefix->head + prefix->body);
  return {bytes.substr(kPrefixBytes, prefix->head), bytes.substr(kPrefixBytes + prefix->head)};
}

TEST(Frames, BatchesOfAllTypesReturnAsTheyWere) {
  const std::vector<ArrayData> columns = columns_of_all_types();
  const Parts parts = parts_of(bytes_of(batch_frame(3, columns)));
  const Result<RecordBatch> batch = batch_of(schema_of_all_types(), parts.head, parts.body);
  ASSERT_TRUE(batch) << batch.error().message;
  EXPECT_EQ(batch->rows, 3U);
  for (size_t i = 0; i < columns.size(); ++i) {
    EXPECT_EQ(batch->columns[i].null_count, 1U);
    EXPECT_TRUE(batch->columns[i].is_null(1));
    for (const size_t row : {0U, 2U}) {
      const Cell is = cell_at(batch->columns[i], row), was = cell_at(columns[i], row);
      EXPECT_EQ(is.kind, was.kind);
      EXPECT_EQ(is.integer, was.integer);
      EXPECT_EQ(is.real, was.real);
      EXPECT_EQ(is.text, was.text);
    }
  }
}

TEST(Frames, TheHeadNamesTheTable) {
  const std::vector<ArrayData> none;
  EXPECT_EQ(parts_of(bytes_of(batch_frame(2, none))).head, R"({"n":2,"c":[]})");
  EXPECT_EQ(parts_of(bytes_of(batch_frame(2, none, 5))).head, R"({"n":2,"t":5,"c":[]})");
}

TEST(Frames, AStreamIsSplitWhereverItsBlocksEnd) {
  const std::vector<ArrayData> columns = columns_of_all_types();
  const std::string batch = bytes_of(batch_frame(3, columns));
  const std::string stream = batch + batch + message_frame(FrameKind::Failed, R"({"code":"IO"})");
  for (size_t block = 1; block <= stream.size(); ++block) {
    std::string rows;
    FrameSplitter splitter([&](std::string_view bytes) {
      rows += bytes;
      return true;
    });
    FrameSplitter::State state = FrameSplitter::State::Open;
    for (size_t at = 0; at < stream.size(); at += block) {
      ASSERT_EQ(state, FrameSplitter::State::Open) << block;
      state = splitter.add(std::string_view(stream).substr(at, block));
    }
    ASSERT_EQ(state, FrameSplitter::State::Complete) << block;
    const FrameSplitter::Message message = splitter.take_message();
    EXPECT_EQ(message.kind, FrameKind::Failed);
    EXPECT_EQ(message.head, R"({"code":"IO"})");
    EXPECT_EQ(rows, batch + batch);
  }
}

TEST(Frames, RowsThatCannotBeKeptAndBytesBehindTheLastFrameStopAStream) {
  FrameSplitter full([](std::string_view) { return false; });
  EXPECT_EQ(full.add(bytes_of(batch_frame(0, {}))), FrameSplitter::State::Stopped);
  FrameSplitter splitter([](std::string_view) { return true; });
  EXPECT_EQ(splitter.add(message_frame(FrameKind::End, "{}") + "b"), FrameSplitter::State::Damaged);
  FrameSplitter other([](std::string_view) { return true; });
  EXPECT_EQ(other.add("what a program prints"), FrameSplitter::State::Damaged);
}

TEST(Frames, DamagedFramesAreErrors) {
  const std::vector<ArrayData> columns = columns_of_all_types();
  const Parts parts = parts_of(bytes_of(batch_frame(3, columns)));
  const std::shared_ptr<const Schema> schema = schema_of_all_types();
  for (size_t size = 0; size < parts.body.size(); ++size)
    EXPECT_FALSE(batch_of(schema, parts.head, parts.body.substr(0, size))) << size;
  for (size_t size = 0; size < parts.head.size(); ++size)
    EXPECT_FALSE(batch_of(schema, parts.head.substr(0, size), parts.body)) << size;
  // Every byte of the head is another one: an error or a batch whose cells can be read.
  for (size_t at = 0; at < parts.head.size(); ++at)
    for (const char byte : {'0', '9', '-', ',', ']'}) {
      std::string head = parts.head;
      head[at] = byte;
      const Result<RecordBatch> batch = batch_of(schema, head, parts.body);
      if (!batch) continue;
      for (const ArrayData& column : batch->columns)
        for (size_t row = 0; row < batch->rows; ++row) cell_at(column, row);
    }
  EXPECT_FALSE(batch_of(std::make_shared<Schema>(), parts.head, parts.body));
}

TEST(Frames, OffsetsThatLeaveTheBytesAreErrors) {
  ColumnBuilder builder(DataType::Utf8);
  builder.add(Cell::of(std::string_view("abc")));
  const std::vector<ArrayData> columns = {builder.finish()};
  Parts parts = parts_of(bytes_of(batch_frame(1, columns)));
  const auto schema = std::make_shared<Schema>(Schema{{{"t", DataType::Utf8}}});
  ASSERT_TRUE(batch_of(schema, parts.head, parts.body));
  const size_t end = parts.body.find('\3');
  ASSERT_NE(end, std::string::npos);
  for (const char wrong : {'\4', '\x7f'}) {
    parts.body[end] = wrong;
    EXPECT_FALSE(batch_of(schema, parts.head, parts.body));
  }
}

TEST(Frames, PrefixesOfNoFrameAreRejected) {
  const auto is_prefix = [](const FramePrefix& prefix) {
    const auto bytes = prefix_bytes(prefix);
    return parse_prefix({bytes.data(), bytes.size()}).has_value();
  };
  EXPECT_TRUE(is_prefix({FrameKind::Batch, 2, 1 << 20}));
  EXPECT_TRUE(is_prefix({FrameKind::End, 2, 0}));
  EXPECT_FALSE(is_prefix({FrameKind::End, 2, 1}));
  EXPECT_FALSE(is_prefix({FrameKind::Batch, kMostHeadBytes + 1, 0}));
  EXPECT_FALSE(is_prefix({FrameKind::Batch, 2, ~uint64_t{0}}));
  EXPECT_FALSE(is_prefix({static_cast<FrameKind>('x'), 2, 0}));
}

}  // namespace
}  // namespace tracebraid::fleet
