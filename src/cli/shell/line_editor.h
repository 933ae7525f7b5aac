// LineEditor: reads lines from a terminal with editing, history and completion.
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
    Interrupted,  // Ctrl-C: discard the input so far
    End,          // Ctrl-D
  } kind = Kind::End;
  std::string text;  // without its line end
};

class LineEditor {
 public:
  // Returns the completions of the last word before the cursor.
  using Complete =
      std::function<std::vector<std::string>(std::string_view before, std::string_view after)>;

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

// Returns $XDG_STATE_HOME/tracebraid/history and creates its folder; empty on failure.
std::string history_path();

}  // namespace tracebraid
