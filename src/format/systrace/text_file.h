// Reads a file of kernel text, or several texts in one file, in chunks.
//
// Input: the bytes of a file. Output: one EventBatch per chunk. Called by systrace.cc and, for
// pages, html.cc.
#pragma once

#include <deque>

#include "format/format.h"
#include "format/systrace/chunk.h"

namespace tracebraid::systrace {

// Size of a chunk.
inline constexpr size_t kChunkBytes = size_t{4} << 20;

// Returns the facts of the first lines about all lines. Removes the preamble of `text`, up to a
// line TRACE:.
FileForm form_of(std::string_view& text, const ReadOptions& options);

class TextFile {
 public:
  TextFile(Chunks& chunks, const ReadOptions& options) : chunks_(chunks), options_(options) {}

  // Reads the rest of the input as one text.
  void read(Input& input);
  // Reads a text within the file. `owner` keeps its bytes alive.
  void read(std::string_view text, uint64_t at, std::shared_ptr<const void> owner);
  // Waits for all chunks, and emits facts about the whole file.
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
  Block tail_;  // of the input: an incomplete line
};

}  // namespace tracebraid::systrace
