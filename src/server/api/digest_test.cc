#include "server/api/digest.h"

#include <gtest/gtest.h>

#include "server/api/access.h"
#include "server/api/documents.h"

namespace tracebraid::api {
namespace {

TEST(Digest, EqualsTheExamplesOfTheStandard) {  // FIPS 180-4
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Access, ComparesSecrets) {
  EXPECT_TRUE(is_equal_secret("abc", "abc"));
  for (const char* other : {"", "ab", "abd", "abcd", "bbc"})
    EXPECT_FALSE(is_equal_secret(other, "abc")) << other;
  EXPECT_FALSE(is_equal_secret("", ""));
  const Result<std::string> token = random_token();
  ASSERT_TRUE(token);
  EXPECT_EQ(token->size(), 64U);
  EXPECT_NE(*token, *random_token());
}

TEST(Access, OneCodeWorksOnce) {
  Access access("token", "cookie", "code", 9440, {"127.0.0.1:9440"});
  EXPECT_EQ(access.login("", "wrong").status, 401U);
  EXPECT_EQ(access.login("", "code").status, 204U);
  EXPECT_EQ(access.login("", "code").status, 401U);
  EXPECT_EQ(access.login("", "").status, 401U);
  EXPECT_EQ(access.login("token", "").status, 204U);
}

TEST(Access, NamesOfHosts) {
  const Access access("token", "cookie", "code", 9440, {"127.0.0.1:9440", "localhost:9440"});
  const auto refusal = [&](std::string host, std::vector<http::Header> more = {}) {
    http::Request request;
    request.headers = {{"host", std::move(host)}};
    request.headers.insert(request.headers.end(), more.begin(), more.end());
    return access.refuse_foreign(request).has_value();
  };
  EXPECT_FALSE(refusal("127.0.0.1:9440"));
  EXPECT_FALSE(refusal("LOCALHOST:9440"));
  for (const char* host :
       {"", "localhost", "localhost:9441", "evil.example", "127.0.0.1:9440.evil"})
    EXPECT_TRUE(refusal(host)) << host;
  EXPECT_FALSE(refusal("localhost:9440", {{"origin", "http://localhost:9440"}}));
  for (const char* origin : {"null", "", "http://evil.example", "localhost:9440", "file://"})
    EXPECT_TRUE(refusal("localhost:9440", {{"origin", origin}})) << origin;
}

TEST(Documents, Names) {
  for (const char* name : {"a", "abc-1_2.3", "0123456789abcdef"})
    EXPECT_TRUE(is_document_name(name)) << name;
  for (const char* name : {"", ".", "..", ".x", "a/b", "a b", "\xc3\xa9"})
    EXPECT_FALSE(is_document_name(name)) << name;
}

}  // namespace
}  // namespace tracebraid::api
