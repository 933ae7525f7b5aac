#include "cli/shell/line_editor.h"

#include <histedit.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cwchar>
#include <filesystem>

#include "cli/host.h"
#include "cli/shell/words.h"

namespace tracebraid {

struct LineEditor::State {
  std::string history_path;
  Complete complete;
  std::string prompt;
  bool interrupted = false;
  EditLine* editor = nullptr;
  History* history = nullptr;
};

namespace {

constexpr int kHistoryLines = 5000;
constexpr size_t kMostShown = 100;  // completions

template <class State>
State& state_of(EditLine* editor) {
  void* state = nullptr;
  el_get(editor, EL_CLIENTDATA, &state);
  return *static_cast<State*>(state);
}

void show(const std::vector<std::string>& words) {
  std::fputs("\n", stdout);
  for (size_t i = 0; i < std::min(words.size(), kMostShown); ++i)
    std::fprintf(stdout, "%s%s", i > 0 ? "  " : "", words[i].c_str());
  if (words.size() > kMostShown)
    std::fprintf(stdout, "  ... and %zu more", words.size() - kMostShown);
  std::fputs("\n", stdout);
}

unsigned char complete_word(EditLine* editor, const LineEditor::Complete& complete) {
  const LineInfo* info = el_line(editor);
  const std::string line(info->buffer, info->cursor);
  const std::string after(info->cursor, info->lastchar);
  const std::vector<std::string> words = complete(line, after);
  if (words.empty()) return CC_ERROR;
  const std::string_view typed = word_at_end(line);
  std::string text = common_beginning(words);
  const bool continues = text.ends_with('(') || text.ends_with('/');  // a function, a folder
  if (words.size() == 1 && !continues) text += ' ';
  if (text.size() > typed.size()) {
    el_deletestr(editor, static_cast<int>(typed.size()));
    if (el_insertstr(editor, text.c_str()) < 0) return CC_ERROR;
    return CC_REFRESH;
  }
  show(words);
  return CC_REDISPLAY;
}

unsigned char suspend(EditLine* editor, wint_t) {
  el_set(editor, EL_PREP_TERM, 0);
  std::raise(SIGTSTP);
  el_set(editor, EL_PREP_TERM, 1);
  return CC_REDISPLAY;
}

}  // namespace

LineEditor::LineEditor(std::string history_path, Complete complete)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.history_path = std::move(history_path);
  state.complete = std::move(complete);
  state.editor = el_init("tracebraid", stdin, stdout, stderr);
  state.history = history_init();
  HistEvent event;
  history(state.history, &event, H_SETSIZE, kHistoryLines);
  history(state.history, &event, H_SETUNIQUE, 1);
  if (!state.history_path.empty())
    history(state.history, &event, H_LOAD, state.history_path.c_str());

  el_set(state.editor, EL_CLIENTDATA, &state);
  el_set(state.editor, EL_EDITOR, "emacs");
  el_set(state.editor, EL_SIGNAL, 1);  // follow changes of the window's size
  el_set(state.editor, EL_HIST, history, state.history);
  el_set(
      state.editor, EL_PROMPT,
      +[](EditLine* editor) { return state_of<State>(editor).prompt.data(); });
  // Passes names of functions as wide text, because libedit never frees its copies of narrow ones.
  el_wset(
      state.editor, EL_ADDFN, L"complete-word", L"Complete a word", +[](EditLine* editor, wint_t) {
        return complete_word(editor, state_of<State>(editor).complete);
      });
  el_set(state.editor, EL_BIND, "^I", "complete-word", nullptr);
  el_set(state.editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  // Ctrl-C is an ordinary key while a line is typed, so that it only discards the line. Ctrl-Z then
  // must be an ordinary key as well.
  el_set(state.editor, EL_SETTY, "-d", "-isig", nullptr);
  el_wset(state.editor, EL_ADDFN, L"suspend", L"Suspend the program", suspend);
  el_set(state.editor, EL_BIND, "^Z", "suspend", nullptr);
  el_wset(
      state.editor, EL_ADDFN, L"forget-line", L"Forget the line",
      +[](EditLine* editor, wint_t) -> unsigned char {
        state_of<State>(editor).interrupted = true;
        return CC_NEWLINE;
      });
  el_set(state.editor, EL_BIND, "^C", "forget-line", nullptr);
  el_source(state.editor, nullptr);  // the user's ~/.editrc
}

LineEditor::~LineEditor() {
  HistEvent event;
  if (!state_->history_path.empty())
    history(state_->history, &event, H_SAVE, state_->history_path.c_str());
  history_end(state_->history);
  el_end(state_->editor);
}

TypedLine LineEditor::read(const std::string& prompt) {
  state_->prompt = prompt;
  state_->interrupted = false;
  int length = 0;
  const char* line = el_gets(state_->editor, &length);
  if (state_->interrupted) {
    std::fputs("^C\n", stdout);
    return {TypedLine::Kind::Interrupted, {}};
  }
  if (line == nullptr || length <= 0) return {TypedLine::Kind::End, {}};
  std::string text(line, static_cast<size_t>(length));
  HistEvent event;
  if (text.find_first_not_of(" \t\r\n") != text.npos)
    history(state_->history, &event, H_ENTER, text.c_str());
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  return {TypedLine::Kind::Text, std::move(text)};
}

std::string history_path() {
  const std::string folder = state_folder();
  if (folder.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return error ? std::string() : folder + "/history";
}

}  // namespace tracebraid
