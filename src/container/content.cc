#include "container/content.h"

#include <algorithm>

#include "container/unpack.h"

namespace tracebraid {
namespace {

Input open_file(const std::shared_ptr<const ReadFile>& file) {
  return Input([file]() -> Decoder {
    const auto reader = std::make_shared<ReadFile::Reader>(file);
    return [reader, at = uint64_t{0}, end = file->size()](char* into,
                                                          size_t size) mutable -> Result<size_t> {
      size = std::min<uint64_t>(size, end - at);
      TB_TRY(reader->read(at, into, size));
      at += size;
      return size;
    };
  });
}

}  // namespace

Input open_content(const Content& content) {
  if (content.file) return open_file(content.file);
  const Bytes& bytes = content.bytes;
  const auto decoded = [&] {
    const Packed packed{bytes, *content.codec, content.many_frames, content.size};
    return Input([packed, meter = content.meter] { return unpack(packed, meter); });
  };
  Input input = content.codec ? decoded() : Input(bytes.view, bytes.owner, bytes.mapped);
  if (content.crc) input.expect_crc(*content.crc, content.name);
  return input;
}

Result<Spooled> gather_content(const Content& content, const std::shared_ptr<Budget>& budget,
                               Progress& progress) {
  const Bytes& bytes = content.bytes;
  if (!content.file && !content.codec && !content.crc) return Spooled{bytes, std::nullopt};
  Input input = open_content(content);
  if (!content.file && !content.codec) {
    // Stored bytes stay where they are; only the CRC is checked.
    const std::optional<Block> all = input.next(bytes.view.size());
    return Spooled{bytes, input.problem()};
  }
  TB_TRY_ASSIGN(Spooled spooled, spool(input, budget, progress));
  spooled.bytes.origin = std::min<uint64_t>(content.size_in_container(), bytes.origin);
  return spooled;
}

}  // namespace tracebraid
