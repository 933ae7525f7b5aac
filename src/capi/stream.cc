#include "capi/stream.h"

#include <fmt/format.h>

#include <cerrno>

#include "capi/arrow_export.h"

namespace tracebraid::capi {
namespace {

int errno_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::Cancelled:
      return ECANCELED;
    case ErrorCode::Timeout:
      return ETIMEDOUT;
    case ErrorCode::NoMemory:
      return ENOMEM;
    case ErrorCode::Io:
      return EIO;
    default:
      return EINVAL;
  }
}

struct Rows {
  Owner owner;
  std::shared_ptr<OpenTrace> open;
  std::shared_ptr<const Schema> schema;
  RunningQuery running;              // while it has a query
  std::vector<RecordBatch> batches;  // of a table in memory
  size_t next_batch = 0;
  std::optional<Error> error;
  std::string error_text;
  std::vector<std::string> warnings;  // of a query that ended

  // Frees the query and its connection at once, because the stream may be kept for long.
  void end() noexcept { running = {}; }

  Result<std::optional<RecordBatch>> next() {
    if (error) return tl::unexpected(*error);
    if (running.query != nullptr) {
      Result<std::optional<RecordBatch>> batch = running.query->next();
      if (!batch) return batch;
      if (!batch->has_value()) {
        warnings = running.query->warnings();
        end();
      }
      return batch;
    }
    if (next_batch == batches.size()) return std::nullopt;
    return std::move(batches[next_batch++]);
  }

  // Keeps the error and returns its errno value.
  int failed(Error of) noexcept {
    const int number = errno_of(of.code);
    try {
      error_text = make_error(of, open->inputs())->message;
    } catch (const std::exception&) {
      error_text.clear();
    }
    error = std::move(of);
    end();
    return number;
  }
};

Rows& rows_of(ArrowArrayStream* stream) { return *static_cast<Rows*>(stream->private_data); }

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  Rows& rows = rows_of(stream);
  if (!rows.owner.is_here()) return EINVAL;
  Result<> done = at_boundary([&]() -> Result<> {
    if (rows.schema == nullptr) {
      if (rows.error) return tl::unexpected(*rows.error);
      TB_TRY_ASSIGN(rows.schema, rows.running.query->schema());
    }
    export_schema(*rows.schema, out);
    return {};
  });
  return done ? 0 : rows.failed(std::move(done).error());
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  Rows& rows = rows_of(stream);
  if (!rows.owner.is_here()) return EINVAL;
  Result<> done = at_boundary([&]() -> Result<> {
    // The last batch ends the query, which knows the schema.
    if (rows.schema == nullptr && rows.running.query != nullptr) {
      TB_TRY_ASSIGN(rows.schema, rows.running.query->schema());
    }
    TB_TRY_ASSIGN(const std::optional<RecordBatch> batch, rows.next());
    if (batch)
      export_batch(*batch, rows.open->held(), out);
    else
      *out = {};
    return {};
  });
  return done ? 0 : rows.failed(std::move(done).error());
}

const char* get_last_error(ArrowArrayStream* stream) {
  const Rows& rows = rows_of(stream);
  if (!rows.owner.is_here()) return "opened before fork: a child process must open its own traces";
  return rows.error ? rows.error_text.c_str() : nullptr;
}

void release_stream(ArrowArrayStream* stream) {
  Rows* const rows = &rows_of(stream);
  stream->release = nullptr;
  if (rows->owner.is_here()) delete rows;
}

void finish(std::unique_ptr<Rows> rows, ArrowArrayStream* out) noexcept {
  *out = {get_schema, get_next, get_last_error, release_stream, rows.release()};
}

}  // namespace

void export_stream(RunningQuery query, ArrowArrayStream* out) {
  auto rows = std::make_unique<Rows>();
  rows->open = query.open;
  rows->running = std::move(query);
  finish(std::move(rows), out);
}

void export_stream(std::shared_ptr<OpenTrace> open, std::shared_ptr<const Schema> schema,
                   std::vector<RecordBatch> batches, ArrowArrayStream* out) {
  auto rows = std::make_unique<Rows>();
  rows->open = std::move(open);
  rows->schema = std::move(schema);
  rows->batches = std::move(batches);
  finish(std::move(rows), out);
}

}  // namespace tracebraid::capi

extern "C" int tracebraid_stream_error(ArrowArrayStream* stream, tracebraid_error** error) {
  using namespace tracebraid::capi;
  return guarded(nullptr, [&]() -> tracebraid::Result<> {
    if (stream == nullptr || stream->release != release_stream || error == nullptr)
      return tl::unexpected(missing("stream"));
    const Rows& rows = rows_of(stream);
    if (!rows.owner.is_here()) {
      *error = make_error(opened_before_fork(), {}).release();
      return {};
    }
    *error = rows.error ? make_error(*rows.error, rows.open->inputs()).release() : nullptr;
    return {};
  });
}

extern "C" int tracebraid_stream_warnings(ArrowArrayStream* stream, char** texts,
                                          tracebraid_error** err) {
  using namespace tracebraid::capi;
  return guarded(err, [&]() -> tracebraid::Result<> {
    if (stream == nullptr || stream->release != release_stream)
      return tl::unexpected(missing("stream"));
    if (texts == nullptr) return tl::unexpected(missing("texts"));
    const Rows& rows = rows_of(stream);
    if (!rows.owner.is_here()) return tl::unexpected(opened_before_fork());
    return give_text(fmt::format("{}", fmt::join(rows.warnings, "\n")), texts);
  });
}
