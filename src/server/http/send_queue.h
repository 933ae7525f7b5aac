// SendQueue: messages or pieces of a body that any thread produces and the network thread sends.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>

namespace tracebraid::http {

class SendQueue {
 public:
  struct Message {
    std::string bytes;
    bool is_text = false;
  };

  // Returns false after fail().
  bool push(std::string bytes, bool is_text);
  // Moves the next message to `to`, whose bytes count as unsent until the next call. Returns false
  // if there is none. Network thread only.
  bool pull(Message& to);
  // Waits until at most `most` bytes are unsent. Returns false after fail().
  bool wait_until(size_t most);
  size_t unsent() const;
  // Ends all waiting, when the client is gone.
  void fail();

 private:
  mutable std::mutex mutex_;
  std::condition_variable sent_;
  std::deque<Message> messages_;
  size_t bytes_ = 0;    // of messages_
  size_t sending_ = 0;  // of the message that pull() returned last
  bool has_failed_ = false;
};

}  // namespace tracebraid::http
