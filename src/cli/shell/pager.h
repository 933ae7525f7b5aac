// Pager: a program such as less that shows long output.
#pragma once

#include <cstdio>
#include <string>

#include "base/result.h"

namespace tracebraid {

// Returns $PAGER, or less.
std::string default_pager();

class Pager {
 public:
  // Runs the command by the system's shell. Sets $LESS, unless it is set, so that less ends at once
  // if the text fits the screen, and scrolls to the side instead of wrapping lines.
  explicit Pager(const std::string& command);
  ~Pager();
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;

  // Returns the descriptor to write to; -1 if the command cannot be started.
  int fd() const;
  // Ends the input and waits for the user to leave the pager. Returns an Error if the command does
  // not exist.
  Result<> wait();

 private:
  std::string command_;
  std::FILE* pipe_;
};

}  // namespace tracebraid
