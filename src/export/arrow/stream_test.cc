// Arrow streams: the structure that readers rely on. The program test arrow_stream reads rows with
// pyarrow.
#include "export/arrow/stream.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "query/batch/column_builder.h"

namespace tracebraid {
namespace {

struct Message {
  uint32_t metadata = 0;  // bytes, 0: the end of the stream
  size_t body = 0;
};

uint32_t read_u32(std::string_view bytes, size_t at) {
  uint32_t value = 0;
  std::memcpy(&value, bytes.substr(at).data(), sizeof value);
  return value;
}

// Returns the field of the root table at a slot of its vtable, or 0 if the table has none.
size_t field_place(std::string_view table, size_t slot) {
  const uint32_t root = read_u32(table, 0);
  const size_t vtable = root - static_cast<size_t>(static_cast<int32_t>(read_u32(table, root)));
  uint16_t size = 0, offset = 0;
  std::memcpy(&size, table.data() + vtable, sizeof size);
  if (slot >= size) return 0;
  std::memcpy(&offset, table.data() + vtable + slot, sizeof offset);
  return offset == 0 ? 0 : root + offset;
}

// Divides a stream into messages by their lengths, as a reader does.
std::vector<Message> messages_of(std::string_view stream) {
  std::vector<Message> messages;
  while (!stream.empty()) {
    EXPECT_EQ(read_u32(stream, 0), 0xffffffffu);
    const uint32_t length = read_u32(stream, 4);
    EXPECT_EQ(length % 8, 0u);
    if (length == 0) {
      EXPECT_EQ(stream.size(), 8u) << "bytes behind the end of the stream";
      messages.push_back({});
      return messages;
    }
    const std::string_view table = stream.substr(8, length);
    int64_t body = 0;
    if (const size_t place = field_place(table, 4 + 2 * 3); place != 0)
      std::memcpy(&body, table.data() + place, sizeof body);
    EXPECT_EQ(body % 8, 0);
    messages.push_back({length, static_cast<size_t>(body)});
    stream.remove_prefix(8 + length + static_cast<size_t>(body));
  }
  return messages;
}

RecordBatch batch_of(const std::shared_ptr<const Schema>& schema,
                     std::vector<ColumnBuilder>& builders, size_t rows) {
  RecordBatch batch{schema, rows, {}};
  for (ColumnBuilder& builder : builders) batch.columns.push_back(builder.finish());
  return batch;
}

TEST(ArrowStream, WithoutBatchesHasSchemaAndEnd) {
  std::string stream;
  const auto schema =
      std::make_shared<const Schema>(Schema{{{"a", DataType::Int64}, {"b", DataType::Dictionary}}});
  ArrowStreamWriter writer(schema, [&](std::string_view bytes) {
    stream += bytes;
    return true;
  });
  EXPECT_TRUE(writer.finish());
  const std::vector<Message> messages = messages_of(stream);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].body, 0u);
  EXPECT_EQ(messages[1].metadata, 0u);
}

// A dictionary is written when it first appears and when it has grown, and at no other time.
TEST(ArrowStream, WritesGrownDictionariesAsDeltas) {
  std::string stream;
  const auto schema = std::make_shared<const Schema>(Schema{{{"a", DataType::Dictionary}}});
  std::vector<ColumnBuilder> builders;
  builders.emplace_back(DataType::Dictionary);
  ArrowStreamWriter writer(schema, [&](std::string_view bytes) {
    stream += bytes;
    return true;
  });
  std::vector<size_t> counts;
  for (const std::string_view text : {"x", "x", "longer than eight", "x"}) {
    ASSERT_TRUE(builders[0].add(Cell::of(text)));
    ASSERT_TRUE(writer.add(batch_of(schema, builders, 1)));
    counts.push_back(messages_of(stream).size());
  }
  EXPECT_EQ(counts, (std::vector<size_t>{3, 4, 6, 7}));
  EXPECT_NE(stream.find("longer than eight"), stream.npos);
  EXPECT_EQ(stream.find("longer than eight"), stream.rfind("longer than eight"));
}

TEST(ArrowStream, EndsWhenTheSinkDoes) {
  std::string whole;
  const auto schema =
      std::make_shared<const Schema>(Schema{{{"a", DataType::Int64}, {"b", DataType::Utf8}}});
  const auto write = [&](size_t most_writes) {
    size_t writes = 0;
    ArrowStreamWriter writer(schema, [&](std::string_view bytes) {
      if (++writes > most_writes) return false;
      whole += bytes;
      return true;
    });
    std::vector<ColumnBuilder> builders;
    builders.emplace_back(DataType::Int64);
    builders.emplace_back(DataType::Utf8);
    EXPECT_TRUE(builders[0].add(Cell::of(int64_t{5})));
    EXPECT_TRUE(builders[1].add(Cell::of("five")));
    const bool added = writer.add(batch_of(schema, builders, 1));
    const bool finished = writer.finish();
    EXPECT_LE(writes, most_writes + 1) << "writes after the sink ended the stream";
    return added && finished;
  };
  EXPECT_TRUE(write(100));
  EXPECT_EQ(messages_of(whole).size(), 3u);
  for (size_t most = 0; most < 5; ++most) EXPECT_FALSE(write(most));
}

// Random tables: the lengths of messages cover the stream, whatever the types and sizes are.
TEST(ArrowStream, LengthsCoverRandomTables) {
  std::mt19937 random(23);
  const auto pick = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
  constexpr DataType kTypes[] = {DataType::Null,   DataType::Int64,  DataType::Float64,
                                 DataType::Utf8,   DataType::Binary, DataType::Dictionary,
                                 DataType::Variant};
  for (int round = 0; round < 200; ++round) {
    Schema fields;
    std::vector<ColumnBuilder> builders;
    for (int i = pick(5); i >= 0; --i) {
      fields.fields.push_back({std::string(static_cast<size_t>(pick(9)), 'n'), kTypes[pick(6)]});
      builders.emplace_back(fields.fields.back().type);
    }
    const auto schema = std::make_shared<const Schema>(fields);
    std::string stream;
    ArrowStreamWriter writer(schema, [&](std::string_view bytes) {
      stream += bytes;
      return true;
    });
    size_t batches = 0, dictionaries = 0;
    for (int batch = pick(3); batch > 0; --batch, ++batches) {
      const auto rows = static_cast<size_t>(pick(70));
      for (size_t row = 0; row < rows; ++row)
        for (ColumnBuilder& builder : builders) {
          const std::string text(static_cast<size_t>(pick(20)), static_cast<char>('a' + pick(3)));
          Cell cell;
          if (pick(3) != 0 && builder.type() != DataType::Null)
            cell = builder.type() == DataType::Int64     ? Cell::of(int64_t{pick(1000)})
                   : builder.type() == DataType::Float64 ? Cell::of(0.5 * pick(9))
                   : builder.type() == DataType::Binary  ? Cell{Cell::Kind::Blob, 0, 0, text}
                                                         : Cell::of(std::string_view(text));
          ASSERT_TRUE(builder.add(cell));
        }
      ASSERT_TRUE(writer.add(batch_of(schema, builders, rows)));
    }
    ASSERT_TRUE(writer.finish());
    for (const Field& field : fields.fields) dictionaries += field.type == DataType::Dictionary;
    const size_t messages = messages_of(stream).size();
    EXPECT_GE(messages, 2 + batches + (batches == 0 ? 0 : dictionaries));
    EXPECT_LE(messages, 2 + batches + batches * dictionaries);
  }
}

}  // namespace
}  // namespace tracebraid
