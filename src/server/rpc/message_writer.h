// MessageWriter: receives the messages of one answer. An answer over a connection of RPC frames
// each message; an HTTP answer is the messages behind each other.
#pragma once

#include <cstdint>
#include <string>

namespace tracebraid::rpc {

// What StatementResult says besides its QueryResult.
struct StatementTail {
  uint32_t offset = 0;
  bool was_executed = false;
};

class MessageWriter {
 public:
  virtual ~MessageWriter() = default;
  // Begins a message. Returns the text to append its fields to.
  virtual std::string& begin() = 0;
  // Returns the bytes of the answer before the first one of that text: doubles are aligned to the
  // answer.
  virtual uint64_t bytes_before() const { return 0; }
  // Ends the message and sends it. Returns false if the client is gone.
  virtual bool end() = 0;
  // Called before the first message ends: what a result of a single statement has besides its rows.
  virtual void set_tail(StatementTail) {}
};

}  // namespace tracebraid::rpc
