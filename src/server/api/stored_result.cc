#include "server/api/stored_result.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/temporary_file.h"
#include "engine/rows.h"
#include "server/api/problem.h"

namespace tracebraid::api {
namespace {

constexpr uint64_t kAlignment = 64;  // of a buffer
constexpr uint64_t kPageBytes = 4096;

uint64_t rounded(uint64_t bytes, uint64_t to) { return (bytes + to - 1) / to * to; }

// Calls `each(Buffer&)` for the buffers of an array and of its children.
template <class Array, class Each>
void for_each_buffer(Array& array, const Each& each) {
  each(array.validity);
  each(array.values);
  each(array.bytes);
  each(array.offsets);
  for (auto& child : array.children) for_each_buffer(child, each);
}

// Returns the bytes of the buffers of a batch, each rounded up to kAlignment.
uint64_t aligned_bytes(const RecordBatch& batch) {
  uint64_t bytes = 0;
  for (const ArrayData& column : batch.columns)
    for_each_buffer(column,
                    [&](const Buffer& buffer) { bytes += rounded(buffer.size, kAlignment); });
  return bytes;
}

struct Mapping {
  const std::byte* data;
  size_t size;
  Mapping(const void* at, size_t bytes) : data(static_cast<const std::byte*>(at)), size(bytes) {}
  ~Mapping() { ::munmap(const_cast<std::byte*>(data), size); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
};

Result<> write_at(int fd, const std::byte* data, size_t size, uint64_t at,
                  const std::string& folder) {
  while (size > 0) {
    const ssize_t written = ::pwrite(fd, data, size, static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return tl::unexpected(temporary_file_error(folder, errno));
    data += written;
    size -= static_cast<size_t>(written);
    at += static_cast<uint64_t>(written);
  }
  return {};
}

std::string_view type_name(DataType type) {
  switch (type) {
    case DataType::Null:
    case DataType::Unknown:
      return "null";
    case DataType::Int64:
      return "int";
    case DataType::Float64:
      return "double";
    case DataType::Utf8:
    case DataType::Dictionary:
      return "text";
    case DataType::Binary:
      return "blob";
    case DataType::Variant:
      break;
  }
  return "mixed";
}

}  // namespace

std::string columns_json(const Schema& schema) {
  JsonText json(JsonText::kCompact);
  json.open_array();
  for (const Field& field : schema.fields) {
    json.open_object().add("name", field.name).add("type", type_name(field.type));
    if (!field.meaning.empty()) json.add("meaning", field.meaning);
    json.close_object();
  }
  json.close_array();
  return std::move(json).finish();
}

StoredRows::Place StoredRows::find(uint64_t row) const {
  const auto after = std::ranges::upper_bound(
      batches, row, {}, [](const std::shared_ptr<const StoredBatch>& each) { return each->first; });
  const StoredBatch& found = **std::prev(after);
  return {&found.batch, static_cast<size_t>(row - found.first)};
}

void StoredResult::begin(const Schema& schema) {
  const std::scoped_lock lock(mutex_);
  rows_ = {std::make_shared<const Schema>(schema), {}, 0};
}

Result<> StoredResult::add(const RecordBatch& batch) {
  const uint64_t bytes = aligned_bytes(batch);
  if (bytes_ + bytes > kMostBytes)
    return fail(ErrorCode::Limit, "the result exceeds 2 GiB; select fewer rows or columns");
  auto stored = std::make_shared<StoredBatch>();
  if (bytes_ + bytes <= kMostMemory) {
    stored->batch = batch;
  } else {
    TB_TRY_ASSIGN(stored->batch, spooled(batch));
  }
  bytes_ += bytes;
  const std::scoped_lock lock(mutex_);
  stored->first = rows_.rows;
  rows_.rows += batch.rows;
  rows_.batches.push_back(std::move(stored));
  return {};
}

// Writes the buffers of a batch to the file and returns the batch over their mapping.
Result<RecordBatch> StoredResult::spooled(const RecordBatch& batch) {
  if (!file_) {
    TB_TRY_ASSIGN(file_, open_temporary_file(spool_.folder()));
  }
  const uint64_t size = std::max(rounded(aligned_bytes(batch), kPageBytes), kPageBytes);
  TB_TRY(spool_.take(size));
  const uint64_t begin = spooled_;
  spooled_ += size;
  if (::ftruncate(file_.fd(), static_cast<off_t>(spooled_)) != 0)
    return tl::unexpected(temporary_file_error(spool_.folder(), errno));
  uint64_t at = begin;
  for (const ArrayData& column : batch.columns) {
    Result<> written;
    for_each_buffer(column, [&](const Buffer& buffer) {
      if (written) written = write_at(file_.fd(), buffer.data, buffer.size, at, spool_.folder());
      at += rounded(buffer.size, kAlignment);
    });
    TB_TRY(std::move(written));
  }
  void* const mapped =
      ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file_.fd(), static_cast<off_t>(begin));
  if (mapped == MAP_FAILED) return tl::unexpected(temporary_file_error(spool_.folder(), errno));
  const auto mapping = std::make_shared<const Mapping>(mapped, size);
  RecordBatch placed = batch;
  at = 0;
  for (ArrayData& column : placed.columns)
    for_each_buffer(column, [&](Buffer& buffer) {
      if (buffer.size > 0) buffer = {mapping, mapping->data + at, buffer.size};
      at += rounded(buffer.size, kAlignment);
    });
  return placed;
}

StoredRows StoredResult::rows() const {
  const std::scoped_lock lock(mutex_);
  return rows_;
}

std::string StoredResult::json() const {
  const StoredRows now = rows();
  JsonText json(JsonText::kCompact);
  json.open_object();
  json.add("result", std::to_string(id)).add("query", std::to_string(query->id));
  json.add("trace", std::to_string(query->trace)).add("state", state_name(query->state()));
  json.add("rows", now.rows).add("bytes", bytes()).add("elapsed_ms", query->elapsed_ms());
  json.add_raw("columns", columns_json(*now.schema));
  json.add("sql", query->sql);
  if (const std::optional<Error> error = query->error())
    json.add_raw("error", problem_json(*error));
  json.close_object();
  return std::move(json).finish();
}

}  // namespace tracebraid::api
