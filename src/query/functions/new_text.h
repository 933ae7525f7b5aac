// NewText: a text or bytes that a function makes and SQLite frees, in parts with checks for a stop
// between them: one copy of a text of 10^9 bytes takes longer than a stop may.
#pragma once

#include <sqlite3.h>

#include <cstring>
#include <memory>
#include <new>
#include <string_view>

#include "query/scan/stop_check.h"

namespace tracebraid {

class NewText {
 public:
  // Reserves `most` bytes. Returns false, and sets the error, if SQLite allows fewer.
  bool reserve(sqlite3_context* context, size_t most) {
    sqlite3* const db = sqlite3_context_db_handle(context);
    if (most > static_cast<size_t>(sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1))) {
      sqlite3_result_error_toobig(context);
      return false;
    }
    text_.reset(static_cast<char*>(sqlite3_malloc64(most + 1)));
    if (text_ == nullptr) throw std::bad_alloc();
    return true;
  }
  // Requires of all below: reserve() returned true, and no more bytes than it was given.
  void append(std::string_view bytes) {
    if (!bytes.empty()) std::memcpy(text_.get() + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  void append(char byte) { text_.get()[size_++] = byte; }
  // Returns false if stopped.
  bool append(std::string_view bytes, PacedStopCheck& check) {
    return for_each_part(bytes, check, [this](std::string_view part) { append(part); });
  }
  // Calls body(part) for the parts of a long text. Returns false if stopped.
  template <class Body>
  static bool for_each_part(std::string_view bytes, PacedStopCheck& check, Body body) {
    constexpr size_t kPart = size_t{1} << 14;
    for (size_t at = 0; at < bytes.size(); at += kPart) {
      const std::string_view part = bytes.substr(at, kPart);
      if (check.stopped(part.size())) return false;
      body(part);
    }
    return true;
  }
  void give_text(sqlite3_context* context) {
    sqlite3_result_text64(context, text_.release(), size_, sqlite3_free, SQLITE_UTF8);
  }
  void give_blob(sqlite3_context* context) {
    sqlite3_result_blob64(context, text_.release(), size_, sqlite3_free);
  }

 private:
  struct Free {
    void operator()(char* text) const { sqlite3_free(text); }
  };
  std::unique_ptr<char, Free> text_;
  size_t size_ = 0;
};

}  // namespace tracebraid
