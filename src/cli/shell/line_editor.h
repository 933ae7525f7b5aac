// Lines typed by a person: editing, history, completion with the tab key.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tracebraid {

struct TypedLine {
  enum class Kind : uint8_t {
    Text,
    Interrupted,  // Ctrl-C: what was typed is to be forgotten
    End,          // Ctrl-D
  } kind = Kind::End;
  std::string text;  // without its line end
};

class LineEditor {
 public:
  // From the line up to the cursor to what its last word could become.
  using Complete = std::function<std::vector<std::string>(std::string_view line)>;

  // History is read from and written to `history_path`; none if it is empty.
  LineEditor(std::string history_path, Complete complete);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  TypedLine read(const std::string& prompt);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// $XDG_STATE_HOME/tracebraid/history, with the folder made; empty if that cannot be.
std::string history_path();

}  // namespace tracebraid
