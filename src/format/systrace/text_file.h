// Reads a file of kernel text, or several texts in one file, in chunks.
//
// Input: the bytes of a file. Output: one EventBatch per chunk. Called by systrace.cc and, for
// pages, html.cc.
#pragma once

#include <deque>

#include "format/format.h"
#include "format/systrace/chunk.h"

namespace tracebraid::systrace {

// How much of a text is read at once.
inline constexpr size_t kChunkBytes = size_t{4} << 20;

// What the first lines of a text say of all its lines. Its preamble, up to a line TRACE:, is
// taken off `text`.
FileForm form_of(std::string_view& text, const ReadOptions& options);

class TextFile {
 public:
  TextFile(Chunks& chunks, const ReadOptions& options) : chunks_(chunks), options_(options) {}

  // All that is left of the input is one text.
  void read(Input& input);
  // A text within the file. `owner` keeps its bytes.
  void read(std::string_view text, uint64_t at, std::shared_ptr<const void> owner);
  // Waits, and emits the facts that only the whole file gives.
  void finish();

 private:
  struct Part {
    ChunkFacts facts;
    EventBatch* batch = nullptr;
  };
  const FileForm& add_form(std::string_view& text);
  void run(const FileForm& form, std::string_view text, uint64_t at, Block block, Input* input);
  bool settle_clock(std::string_view domain, EventSink& sink);
  void emit_syncs(bool own_clock, std::string_view domain, EventSink& sink);

  Chunks& chunks_;
  const ReadOptions options_;
  std::deque<FileForm> forms_;
  std::deque<GraphState> graphs_;
  std::deque<Part> parts_;
  Block tail_;  // of the input: a line that may go on
};

}  // namespace tracebraid::systrace
