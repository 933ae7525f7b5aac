#include "query/functions/joined_texts.h"

#include "query/functions/new_text.h"
#include "query/scan/sqlite_module.h"

namespace tracebraid {

void JoinedTexts::append(std::string_view bytes) {
  constexpr size_t kChunkBytes = size_t{1} << 16;
  while (!bytes.empty()) {
    if (chunks_.empty() || chunks_.back().size() >= kChunkBytes) chunks_.emplace_back();
    std::string& chunk = chunks_.back();
    const std::string_view part = bytes.substr(0, kChunkBytes - chunk.size());
    chunk += part;
    bytes.remove_prefix(part.size());
  }
}

void JoinedTexts::add(std::string_view text, std::string_view separator) {
  if (texts_ != 0) {
    const bool is_first = texts_ == 1;
    if (is_first) separator_ = separator.size();
    if (separators_.empty() && separator.size() != separator_)
      separators_.assign(texts_ - 1, separator_);
    if (!separators_.empty()) separators_.push_back(separator.size());
    append(separator);
  }
  append(text);
  ++texts_;
}

void JoinedTexts::remove_first(size_t bytes) {
  if (texts_ <= 1) {
    *this = {};
    return;
  }
  --texts_;
  bytes += separators_.empty() ? separator_ : separators_.front();
  if (!separators_.empty()) separators_.pop_front();
  removed_ += bytes;
  while (!chunks_.empty() && removed_ >= chunks_.front().size()) {
    removed_ -= chunks_.front().size();
    chunks_.pop_front();
  }
  if (chunks_.empty()) removed_ = 0;
}

void JoinedTexts::result(sqlite3_context* context, StopCheck& stop) const {
  if (texts_ == 0) return;
  size_t bytes = 0;
  for (const std::string& chunk : chunks_) bytes += chunk.size();
  NewText made;
  if (!made.reserve(context, bytes - removed_)) return;
  PacedStopCheck check(stop);
  for (const std::string& chunk : chunks_) {
    const std::string_view all = chunk;
    if (!made.append(&chunk == &chunks_.front() ? all.substr(removed_) : all, check))
      return fail_with(context, stop, check.error());
  }
  made.give_text(context);
}

}  // namespace tracebraid
