#include "server/rpc/stream.h"

#include <gtest/gtest.h>

#include "server/rpc/endpoints.h"
#include "server/rpc/proto_writer.h"

namespace tracebraid::rpc {
namespace {

RpcHost host() {
  return {
      .current = [](const StopPointer&) -> Result<std::shared_ptr<const Trace>> { return nullptr; },
      .loaded_name = [] { return std::string(); },
      .open = [](RpcImport, const StopPointer&) -> Result<std::shared_ptr<const Trace>> {
        return fail(ErrorCode::Usage, "no trace");
      },
      .engine = *Engine::create({}),
      .spool = *Spool::create(::testing::TempDir(), uint64_t{1} << 30)};
}

std::string request(int64_t seq, int64_t method, std::string_view args = {}) {
  std::string text;
  const size_t begin = begin_message(text, 1);
  append_int(text, 1, seq);
  append_int(text, 2, method);
  text += args;
  end_message(text, begin);
  return text;
}

std::string query(int64_t seq, std::string_view sql) {
  std::string inner, args;
  append_bytes(inner, 1, sql);
  append_bytes(args, 103, inner);
  return request(seq, 3, args);
}

const StopPointer kNotGone = std::make_shared<Stop>();

// Returns the responses to bytes that arrive in pieces of this size.
std::string responses(RpcService& service, std::string_view bytes, size_t piece, bool& is_open) {
  RpcStream stream(service);
  std::string sent;
  is_open = true;
  const auto send = [&](std::string_view part) {
    sent += part;
    return true;
  };
  for (size_t at = 0; at < bytes.size() && is_open; at += piece)
    is_open = stream.feed(bytes.substr(at, piece), send, kNotGone);
  return sent;
}

TEST(ProtoWriter, WritesFieldsThatAMessageReadsUntilMalformedBytes) {
  std::string text;
  append_int(text, 1, -1);
  append_bytes(text, 2, "abc");
  append_double(text, 3, 2.5);
  append_int(text, 1000, 7);
  proto::Message reader(text);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(static_cast<int64_t>(reader.u64()), -1);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.bytes(), "abc");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.number(), 3U);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.number(), 1000U);
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.bad());
  for (const std::string_view bad :
       {std::string_view("\x0a"), std::string_view("\x0a\x05x"), std::string_view("\x09\x01"),
        std::string_view("\x0b"),
        std::string_view("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
        std::string_view("\x00\x01", 2)}) {
    proto::Message broken(bad);
    EXPECT_FALSE(broken.next());
    EXPECT_TRUE(broken.bad());
  }
}

TEST(RpcStream, AnswersMessagesCutAtEachByte) {
  RpcService service(host());
  const std::string bytes = query(1, "SELECT 1") + request(2, 10) + request(3, 99);
  bool is_open = false;
  const std::string whole = responses(service, bytes, bytes.size(), is_open);
  EXPECT_TRUE(is_open);
  EXPECT_FALSE(whole.empty());
  for (size_t piece = 1; piece < bytes.size(); ++piece) {
    // The elapsed time differs, but no size does.
    EXPECT_EQ(responses(service, bytes, piece, is_open).size(), whole.size()) << piece;
    EXPECT_TRUE(is_open);
  }
  EXPECT_EQ(service.pending_bytes(), 0U);
}

TEST(RpcStream, ClosesAtWrongFramesAndNumbers) {
  RpcService service(host());
  bool is_open = true;
  EXPECT_NE(responses(service, "\x12", 1, is_open).find("RPC framing error"), std::string::npos);
  EXPECT_FALSE(is_open);
  const std::string order = request(5, 10) + request(7, 10);
  EXPECT_NE(responses(service, order, 1, is_open)
                .find("RPC request out of order. Expected 6, got 7 (ERR:rpc_seq)"),
            std::string::npos);
  EXPECT_FALSE(is_open);
  EXPECT_EQ(service.pending_bytes(), 0U);
}

TEST(RpcStream, EndsWhenTheClientIsGone) {
  RpcService service(host());
  const auto gone = std::make_shared<Stop>();
  gone->request();
  RpcStream stream(service);
  std::string sent;
  stream.feed(
      query(1,
            "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) "
            "SELECT count(*) FROM c"),
      [&](std::string_view part) {
        sent += part;
        return true;
      },
      gone);
  EXPECT_LT(sent.size(), 1000U);
}

TEST(Endpoints, AnswerAnyBytes) {
  RpcService service(host());
  for (const std::string_view path :
       {"/", "/status", "/parse", "/notify_eof", "/query", "/restore_initial_tables",
        "/compute_metric", "/trace_summary", "/enable_metatrace", "/disable_and_read_metatrace",
        "/export", "/rpc", "/nothing"}) {
    EXPECT_EQ(is_endpoint(path), path != "/nothing");
    for (const std::string_view body : {"", "\x0a", "\xff\xff\xff", "\x0a\x08SELECT 1"}) {
      const RpcAnswer made = answer(service, path, body, kNotGone);
      size_t bytes = made.body.size();
      if (made.stream)
        made.stream([&](std::string_view part) {
          bytes += part.size();
          return true;
        });
      EXPECT_EQ(made.status, path == "/nothing" ? 404U : path == "/export" ? 400U : 200U) << path;
    }
  }
}

}  // namespace
}  // namespace tracebraid::rpc
