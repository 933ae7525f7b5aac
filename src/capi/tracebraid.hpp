// The C++17 interface of tracebraid: classes over tracebraid.h that free what they own. Uses that
// interface only, so a program and the library may use different compilers.
//
// Functions return their values and throw tracebraid::Error. With the macro
// TRACEBRAID_NO_EXCEPTIONS they return tracebraid::Result<T> instead, and throw nothing. Objects
// without memory are empty then: each call with one is USAGE. All sources of a program define the
// macro, or none. Thread rules are those of tracebraid.h. Classes are movable; Engine, Trace and
// Clock are cheap to copy.
#ifndef TRACEBRAID_HPP
#define TRACEBRAID_HPP

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tracebraid.h"

namespace tracebraid {
// The static library has classes of the same names.
inline namespace layer {

// The failure of a call, with the texts and the place that tracebraid_error_*() return.
class Error : public std::exception {
 public:
  explicit Error(int code, tracebraid_error* error = nullptr)
      : code_(code), error_(error, tracebraid_error_free) {}
  int code() const { return code_; }
  const char* what() const noexcept override {
    if (error_) return tracebraid_error_message(error_.get());
    return code_ == TRACEBRAID_UNSUPPORTED ? "the library is older than its header"
                                           : "out of memory";
  }
  std::string file() const {  // empty if it is not known
    const char* const file = tracebraid_error_file(error_.get());
    return file == nullptr ? std::string() : file;
  }
  std::int64_t offset() const { return tracebraid_error_offset(error_.get()); }
  int line() const { return tracebraid_error_line(error_.get()); }
  int column() const { return tracebraid_error_column(error_.get()); }
  std::string json() const { return error_ ? tracebraid_error_json(error_.get()) : "{}"; }

 private:
  int code_;
  std::shared_ptr<tracebraid_error> error_;
};

// The value of a call, or its failure. Requires of the operators: it has a value.
template <class T>
class Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Error error) : error_(std::move(error)) {}
  explicit operator bool() const { return value_.has_value(); }
  T& operator*() & { return *value_; }
  T&& operator*() && { return *std::move(value_); }
  T* operator->() { return &*value_; }
  // Requires: there is no value.
  const Error& error() const { return *error_; }

 private:
  std::optional<T> value_;
  std::optional<Error> error_;
};

template <>
class Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}
  explicit operator bool() const { return !error_.has_value(); }
  // Requires: the call failed.
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

template <class T>
class Result<T&> {
 public:
  Result(T& value) : value_(&value) {}
  Result(Error error) : value_(nullptr), error_(std::move(error)) {}
  explicit operator bool() const { return value_ != nullptr; }
  T& operator*() const { return *value_; }
  T* operator->() const { return value_; }
  // Requires: there is no value.
  const Error& error() const { return *error_; }

 private:
  T* value_;
  std::optional<Error> error_;
};

#ifdef TRACEBRAID_NO_EXCEPTIONS
template <class T>
using Returned = Result<T>;
#else
template <class T>
using Returned = T;
#endif

namespace detail {

// The failure of a call; nothing if it succeeded.
using Failure = std::optional<Error>;

inline bool is_new_enough() {
  return tracebraid_abi_version() >> 16 == TRACEBRAID_ABI_VERSION >> 16 &&
         tracebraid_abi_version() >= TRACEBRAID_ABI_VERSION;
}

// Calls f(arguments..., &error). Fails if the loaded library is older than this header.
template <class F, class... Arguments>
Failure call(F f, Arguments... arguments) {
  if (!is_new_enough()) return Error(TRACEBRAID_UNSUPPORTED);
  tracebraid_error* error = nullptr;
  if (const int code = f(arguments..., &error)) return Error(code, error);
  return std::nullopt;
}

// Throws the failure, or returns it as a result.
inline Returned<void> done(Failure failure) {
#ifdef TRACEBRAID_NO_EXCEPTIONS
  return failure ? Result<void>(*std::move(failure)) : Result<void>();
#else
  if (failure) throw Error(*std::move(failure));
#endif
}

// Returns what `make` makes of a call that succeeded; else as done().
template <class T, class Make>
Returned<T> made(Failure failure, Make make) {
#ifdef TRACEBRAID_NO_EXCEPTIONS
  if (failure) return Result<T>(*std::move(failure));
  return Result<T>(make());
#else
  if (failure) throw Error(*std::move(failure));
  return make();
#endif
}

// A new object. Throws if there is no memory, or returns null with TRACEBRAID_NO_EXCEPTIONS.
template <class T>
T* not_null(T* object) {
#ifndef TRACEBRAID_NO_EXCEPTIONS
  if (!is_new_enough()) throw Error(TRACEBRAID_UNSUPPORTED);
  if (object == nullptr) throw Error(TRACEBRAID_NO_MEMORY);
#endif
  return object;
}

inline std::string take(char* text) {
  const std::unique_ptr<char, void (*)(char*)> owned(text, tracebraid_string_free);
  return owned.get();
}

}  // namespace detail

// Progress, cancelling and deadlines of runs.
class Control {
 public:
  Control() : of_(detail::not_null(tracebraid_control_new()), tracebraid_control_free) {}
  void cancel() { tracebraid_control_cancel(of_.get()); }
  Returned<void> deadline(unsigned ms) {
    return detail::done(detail::call(tracebraid_control_deadline, of_.get(), ms));
  }
  tracebraid_control* get() const { return of_.get(); }

 private:
  std::unique_ptr<tracebraid_control, void (*)(tracebraid_control*)> of_;
};

class Engine;

// Inputs and options of opening.
class Options {
 public:
  Options() : of_(detail::not_null(tracebraid_options_new()), tracebraid_options_free) {}
  Returned<Options&> set(const std::string& key, const std::string& value) {
    return self(detail::call(tracebraid_options_set, of_.get(), key.c_str(), value.c_str()));
  }
  Returned<Options&> add(const std::string& path) {
    return self(detail::call(tracebraid_options_add_path, of_.get(), path.c_str()));
  }
  Returned<Options&> manifest(std::string_view json) {
    return self(detail::call(tracebraid_options_set_manifest, of_.get(), json.data(), json.size()));
  }
  // Opens with this engine instead of one for the trace alone.
  Returned<Options&> engine(const Engine& engine);
  tracebraid_options* get() const { return of_.get(); }

 private:
  Returned<Options&> self(detail::Failure failure) {
    return detail::made<Options&>(std::move(failure), [this]() -> Options& { return *this; });
  }
  std::unique_ptr<tracebraid_options, void (*)(tracebraid_options*)> of_;
};

// Threads, memory and temporary files, which several traces share.
class Engine {
 public:
  // Uses threads, memory-limit, temp-dir and io of the options.
  static Returned<Engine> create(const Options& options) {
    tracebraid_engine* engine = nullptr;
    detail::Failure failure = detail::call(
        tracebraid_engine_new, static_cast<const tracebraid_options*>(options.get()), &engine);
    return detail::made<Engine>(std::move(failure), [engine] { return Engine(engine); });
  }
  tracebraid_engine* get() const { return of_.get(); }

 private:
  explicit Engine(tracebraid_engine* of) : of_(of, tracebraid_engine_release) {}
  std::shared_ptr<tracebraid_engine> of_;
};

inline Returned<Options&> Options::engine(const Engine& engine) {
  return self(detail::call(tracebraid_options_set_engine, of_.get(), engine.get()));
}

// A statement with its parameters and options. bind() gives ?1, ?2 ... in order, or a parameter by
// name, without its colon.
class Query {
 public:
  Query(std::string sql)
      : sql_(std::move(sql)),
        options_(detail::not_null(tracebraid_query_options_new()), tracebraid_query_options_free) {}
  Query(const char* sql) : Query(std::string(sql)) {}
  // Keys are those of tracebraid_query_options_set().
  Returned<Query&> set(const std::string& key, const std::string& value) {
    return detail::made<Query&>(
        detail::call(tracebraid_query_options_set, options_.get(), key.c_str(), value.c_str()),
        [this]() -> Query& { return *this; });
  }
  Query& bind(std::int64_t value, std::string name = {}) {
    return add({"l", std::move(name), value, 0, {}});
  }
  Query& bind(int value, std::string name = {}) {
    return bind(std::int64_t{value}, std::move(name));
  }
  Query& bind(double value, std::string name = {}) {
    return add({"g", std::move(name), 0, value, {}});
  }
  Query& bind(std::string_view value, std::string name = {}) {
    return add({"U", std::move(name), 0, 0, std::string(value)});
  }
  Query& bind(const char* value, std::string name = {}) {
    return bind(std::string_view(value), std::move(name));
  }
  Query& bind(std::nullptr_t, std::string name = {}) {
    return add({"n", std::move(name), 0, 0, {}});
  }

 private:
  friend class Connection;
  friend class Trace;
  struct Value {
    const char* format;  // of Arrow
    std::string name;
    std::int64_t integer;
    double real;
    std::string text;
  };
  // The parameters as a struct array of one row, which views the values.
  class Row;

  Query& add(Value value) {
    values_.push_back(std::move(value));
    return *this;
  }
  // Calls f(of, sql, size, parameters, schema, options, control, stream, &error).
  template <class F, class T>
  detail::Failure run(F f, T* of, tracebraid_control* control, ArrowArrayStream* stream) const;

  std::string sql_;
  std::vector<Value> values_;
  std::unique_ptr<tracebraid_query_options, void (*)(tracebraid_query_options*)> options_;
};

class Query::Row {
 public:
  explicit Row(const std::vector<Value>& values) : columns_(values.size()) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      Column& column = columns_[i];
      const Value& value = values[i];
      column.offsets[1] = static_cast<std::int64_t>(value.text.size());
      const void* data = &value.integer;
      if (*value.format == 'g') data = &value.real;
      if (*value.format == 'U') data = column.offsets;
      column.buffers[1] = data;
      column.buffers[2] = value.text.data();
      column.schema.format = value.format;
      column.schema.name = value.name.c_str();
      column.schema.flags = ARROW_FLAG_NULLABLE;
      column.schema.release = [](ArrowSchema*) {};
      column.array.length = 1;
      column.array.null_count = *value.format == 'n';
      column.array.n_buffers = *value.format == 'n' ? 0 : *value.format == 'U' ? 3 : 2;
      column.array.buffers = column.buffers;
      column.array.release = [](ArrowArray*) {};
      arrays_.push_back(&column.array);
      schemas_.push_back(&column.schema);
    }
    schema_.format = "+s";
    schema_.name = "";
    schema_.n_children = array_.n_children = static_cast<std::int64_t>(values.size());
    schema_.children = schemas_.data();
    schema_.release = [](ArrowSchema*) {};
    array_.length = 1;
    array_.n_buffers = 1;
    array_.buffers = &validity_;
    array_.children = arrays_.data();
    array_.release = [](ArrowArray*) {};
  }
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;
  const ArrowArray* array() const { return &array_; }
  const ArrowSchema* schema() const { return &schema_; }

 private:
  struct Column {
    std::int64_t offsets[2] = {0, 0};
    const void* buffers[3] = {nullptr, nullptr, nullptr};
    ArrowSchema schema{};
    ArrowArray array{};
  };
  std::vector<Column> columns_;
  std::vector<ArrowArray*> arrays_;
  std::vector<ArrowSchema*> schemas_;
  const void* validity_ = nullptr;
  ArrowSchema schema_{};
  ArrowArray array_{};
};

template <class F, class T>
detail::Failure Query::run(F f, T* of, tracebraid_control* control,
                           ArrowArrayStream* stream) const {
  const Row row(values_);
  return detail::call(f, of, sql_.data(), sql_.size(), values_.empty() ? nullptr : row.array(),
                      values_.empty() ? nullptr : row.schema(),
                      static_cast<const tracebraid_query_options*>(options_.get()), control,
                      stream);
}

// Rows as an Arrow C stream.
class Stream {
 public:
  Stream() = default;
  Stream(Stream&& other) noexcept : of_(std::exchange(other.of_, {})) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(of_, other.of_);
    return *this;
  }
  ~Stream() {
    if (of_.release != nullptr) of_.release(&of_);
  }
  ArrowArrayStream* get() { return &of_; }
  // Gives the stream to a consumer, which releases it.
  ArrowArrayStream release() { return std::exchange(of_, {}); }
  // Returns what was changed so that rows fit their columns, one line each; after the last row.
  Returned<std::string> warnings() {
    char* text = nullptr;
    detail::Failure failure = detail::call(tracebraid_stream_warnings, &of_, &text);
    return detail::made<std::string>(std::move(failure), [text] { return detail::take(text); });
  }
  // Returns the next batch, whose `release` is null after the last one. The caller releases it.
  Returned<ArrowArray> next() {
    ArrowArray batch{};
    detail::Failure failure;
    if (of_.get_next(&of_, &batch) != 0) {
      tracebraid_error* error = nullptr;
      tracebraid_stream_error(&of_, &error);
      failure = Error(error == nullptr ? TRACEBRAID_INTERNAL : tracebraid_error_code(error), error);
    }
    return detail::made<ArrowArray>(std::move(failure), [batch] { return batch; });
  }

 private:
  ArrowArrayStream of_{};
};

class Clock {
 public:
  explicit Clock(tracebraid_clock* of) : of_(of, tracebraid_clock_free) {}
  std::string label() const { return tracebraid_clock_label(of_.get()); }
  struct Converted {
    std::vector<std::int64_t> values, bounds;  // INT64_MAX: not bounded
    std::vector<std::uint8_t> valid;           // a bit for each value, lowest first
  };
  Returned<Converted> convert(const Clock& to, const std::vector<std::int64_t>& ts) const {
    Converted made{std::vector<std::int64_t>(ts.size()), std::vector<std::int64_t>(ts.size()),
                   std::vector<std::uint8_t>((ts.size() + 7) / 8)};
    detail::Failure failure =
        detail::call(tracebraid_clock_convert, static_cast<const tracebraid_clock*>(of_.get()),
                     static_cast<const tracebraid_clock*>(to.of_.get()), ts.data(), ts.size(),
                     made.values.data(), made.bounds.data(), made.valid.data());
    return detail::made<Converted>(std::move(failure), [&made] { return std::move(made); });
  }

 private:
  std::shared_ptr<tracebraid_clock> of_;
};

// A connection, on which temporary tables live.
class Connection {
 public:
  explicit Connection(tracebraid_connection* of) : of_(of, tracebraid_connection_free) {}
  Returned<Stream> query(const Query& query, Control* control = nullptr) {
    Stream stream;
    detail::Failure failure =
        query.run(tracebraid_connection_query, of_.get(),
                  control == nullptr ? nullptr : control->get(), stream.get());
    return detail::made<Stream>(std::move(failure), [&stream] { return std::move(stream); });
  }
  Returned<void> run(std::string_view sql, Control* control = nullptr) {
    return detail::done(detail::call(tracebraid_connection_run, of_.get(), sql.data(), sql.size(),
                                     control == nullptr ? nullptr : control->get()));
  }

 private:
  std::unique_ptr<tracebraid_connection, void (*)(tracebraid_connection*)> of_;
};

// Bytes, as tracebraid_memory_use() defines them.
struct MemoryUse {
  std::uint64_t tables = 0, streams = 0, mapped = 0;
};

// Files that were read and merged.
class Trace {
 public:
  static Returned<Trace> open(const Options& options, Control* control = nullptr) {
    tracebraid_trace* trace = nullptr;
    detail::Failure failure =
        detail::call(tracebraid_open, static_cast<const tracebraid_options*>(options.get()),
                     control == nullptr ? nullptr : control->get(), &trace);
    return detail::made<Trace>(std::move(failure), [trace] { return Trace(trace); });
  }
  Returned<Stream> query(const Query& query, Control* control = nullptr) const {
    Stream stream;
    detail::Failure failure = query.run(
        tracebraid_query, of_.get(), control == nullptr ? nullptr : control->get(), stream.get());
    return detail::made<Stream>(std::move(failure), [&stream] { return std::move(stream); });
  }
  Returned<Connection> connect() const {
    tracebraid_connection* connection = nullptr;
    detail::Failure failure = detail::call(tracebraid_connection_open, of_.get(), &connection);
    return detail::made<Connection>(std::move(failure), [=] { return Connection(connection); });
  }
  Returned<std::string> report_json(const std::string& which = "check") const {
    char* text = nullptr;
    detail::Failure failure = detail::call(tracebraid_report_json, of_.get(), which.c_str(), &text);
    return detail::made<std::string>(std::move(failure), [text] { return detail::take(text); });
  }
  // An empty machine is any.
  Returned<Clock> clock(const std::string& name, const std::string& machine = {}) const {
    return find(name.c_str(), machine.empty() ? nullptr : machine.c_str());
  }
  Returned<Clock> timeline() const { return find(nullptr, nullptr); }
  Returned<MemoryUse> memory_use() const {
    MemoryUse use;
    detail::Failure failure =
        detail::call(tracebraid_memory_use, of_.get(), &use.tables, &use.streams, &use.mapped);
    return detail::made<MemoryUse>(std::move(failure), [use] { return use; });
  }
  tracebraid_trace* get() const { return of_.get(); }

 private:
  explicit Trace(tracebraid_trace* of) : of_(of, tracebraid_trace_release) {}
  Returned<Clock> find(const char* name, const char* machine) const {
    tracebraid_clock* clock = nullptr;
    detail::Failure failure =
        detail::call(tracebraid_clock_find, of_.get(), name, machine,
                     static_cast<const char*>(nullptr), std::int64_t{-1}, &clock);
    return detail::made<Clock>(std::move(failure), [clock] { return Clock(clock); });
  }

  std::shared_ptr<tracebraid_trace> of_;
};

}  // namespace layer
}  // namespace tracebraid

#endif
