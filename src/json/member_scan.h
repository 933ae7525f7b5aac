// MemberScan: scans the members of one JSON object in place, without a tree.
//
//   MemberScan members(object);
//   while (members.next())
//     if (members.key().raw == "ph" && members.value().has(Kind::String)) ...
//
// Scanning stops at the end of the object and at the first error. Inline, because readers scan the
// args of each counter event.
#pragma once

#include <string_view>

#include "json/value.h"

namespace tracebraid::json {

class MemberScan {
 public:
  // Requires: `object` begins with the opening brace. It may be cut off anywhere behind that, and
  // must outlive the scan and its values.
  explicit MemberScan(std::string_view object)
      : cursor_{object.data() + 1, object.data() + object.size()} {}

  // Moves to the next member; skips the value of the current one if value() was not called.
  // Returns false after the last member, and if the object is cut off or malformed.
  bool next() {
    if (!read_separator()) return false;
    if (cursor_.is_at_end() || read_key(cursor_, key_) != Parse::Ok) return stop();
    state_ = State::AtValue;
    return true;
  }

  // The key of the current member, which may have escapes.
  const StringToken& key() const { return key_; }

  // Scans the value of the current member; an Absent one if it is cut off or malformed. Requires:
  // called once a member at most.
  Value value() {
    Value value;
    uint32_t deepest = 0;
    if (read_raw(cursor_, 0, deepest, value) == Parse::Ok) {
      state_ = State::AfterValue;
      return value;
    }
    stop();
    return {};
  }

  // The position after what has been scanned.
  const char* position() const { return cursor_.at; }

 private:
  enum class State : uint8_t { Start, AtValue, AfterValue, Ended };

  bool stop() {
    state_ = State::Ended;
    return false;
  }
  // Moves to a key. Returns false at the end of the object.
  bool read_separator() {
    uint64_t extra_commas = 0;
    bool closed = false;
    if (state_ == State::Start) {
      closed = read_opening(cursor_, '}', extra_commas);
    } else {
      if (state_ == State::AtValue) value();
      if (state_ != State::AfterValue) return false;
      if (json::read_separator(cursor_, '}', extra_commas, closed) != Parse::Ok) return stop();
    }
    return !closed || stop();
  }

  Cursor cursor_;
  StringToken key_;
  State state_ = State::Start;
};

}  // namespace tracebraid::json
