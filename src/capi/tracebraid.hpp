// The C++17 interface of tracebraid: classes over tracebraid.h that free what they own. Uses that
// interface only, so a program and the library may use different compilers.
//
// Functions throw tracebraid::Error. Thread rules are those of tracebraid.h. Classes are movable;
// Engine, Trace and Clock are cheap to copy.
#ifndef TRACEBRAID_HPP
#define TRACEBRAID_HPP

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tracebraid.h"

namespace tracebraid {

// The failure of a call, with the texts and the place that tracebraid_error_*() return.
class Error : public std::exception {
 public:
  explicit Error(int code, tracebraid_error* error = nullptr)
      : code_(code), error_(error, tracebraid_error_free) {}
  int code() const { return code_; }
  const char* what() const noexcept override {
    return error_ ? tracebraid_error_message(error_.get()) : "out of memory";
  }
  std::string file() const {  // empty if it is not known
    const char* const file = tracebraid_error_file(error_.get());
    return file == nullptr ? std::string() : file;
  }
  std::int64_t offset() const { return tracebraid_error_offset(error_.get()); }
  int line() const { return tracebraid_error_line(error_.get()); }
  int column() const { return tracebraid_error_column(error_.get()); }
  std::string json() const { return tracebraid_error_json(error_.get()); }

 private:
  int code_;
  std::shared_ptr<tracebraid_error> error_;
};

namespace detail {

// Throws if the loaded library is older than this header.
inline void check_version() {
  static const bool is_new_enough =
      tracebraid_abi_version() >> 16 == TRACEBRAID_ABI_VERSION >> 16 &&
      tracebraid_abi_version() >= TRACEBRAID_ABI_VERSION;
  if (!is_new_enough) throw Error(TRACEBRAID_UNSUPPORTED);
}

// Calls f(arguments..., &error) and throws its failure.
template <class F, class... Arguments>
void call(F f, Arguments... arguments) {
  check_version();
  tracebraid_error* error = nullptr;
  if (const int code = f(arguments..., &error)) throw Error(code, error);
}

template <class T>
T* not_null(T* made) {
  check_version();
  if (made == nullptr) throw Error(TRACEBRAID_NO_MEMORY);
  return made;
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
  void deadline(unsigned ms) { detail::call(tracebraid_control_deadline, of_.get(), ms); }
  tracebraid_control* get() const { return of_.get(); }

 private:
  std::unique_ptr<tracebraid_control, void (*)(tracebraid_control*)> of_;
};

// Inputs and options of opening.
class Options {
 public:
  Options() : of_(detail::not_null(tracebraid_options_new()), tracebraid_options_free) {}
  Options& set(const std::string& key, const std::string& value) {
    detail::call(tracebraid_options_set, of_.get(), key.c_str(), value.c_str());
    return *this;
  }
  Options& add(const std::string& path) {
    detail::call(tracebraid_options_add_path, of_.get(), path.c_str());
    return *this;
  }
  Options& manifest(std::string_view json) {
    detail::call(tracebraid_options_set_manifest, of_.get(), json.data(), json.size());
    return *this;
  }
  tracebraid_options* get() const { return of_.get(); }

 private:
  std::unique_ptr<tracebraid_options, void (*)(tracebraid_options*)> of_;
};

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
  // Returns the next batch, whose `release` is null after the last one. The caller releases it.
  ArrowArray next() {
    ArrowArray batch{};
    if (of_.get_next(&of_, &batch) == 0) return batch;
    tracebraid_error* error = nullptr;
    tracebraid_stream_error(&of_, &error);
    throw Error(error == nullptr ? TRACEBRAID_INTERNAL : tracebraid_error_code(error), error);
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
  Converted convert(const Clock& to, const std::vector<std::int64_t>& ts) const {
    Converted made{std::vector<std::int64_t>(ts.size()), std::vector<std::int64_t>(ts.size()),
                   std::vector<std::uint8_t>((ts.size() + 7) / 8)};
    detail::call(tracebraid_clock_convert, static_cast<const tracebraid_clock*>(of_.get()),
                 static_cast<const tracebraid_clock*>(to.of_.get()), ts.data(), ts.size(),
                 made.values.data(), made.bounds.data(), made.valid.data());
    return made;
  }

 private:
  std::shared_ptr<tracebraid_clock> of_;
};

// A connection, on which temporary tables live.
class Connection {
 public:
  explicit Connection(tracebraid_connection* of) : of_(of, tracebraid_connection_free) {}
  Stream query(std::string_view sql, Control* control = nullptr) {
    Stream stream;
    detail::call(tracebraid_connection_query, of_.get(), sql.data(), sql.size(),
                 static_cast<const ArrowArray*>(nullptr), static_cast<const ArrowSchema*>(nullptr),
                 static_cast<const tracebraid_query_options*>(nullptr),
                 control == nullptr ? nullptr : control->get(), stream.get());
    return stream;
  }
  void run(std::string_view sql, Control* control = nullptr) {
    detail::call(tracebraid_connection_run, of_.get(), sql.data(), sql.size(),
                 control == nullptr ? nullptr : control->get());
  }

 private:
  std::unique_ptr<tracebraid_connection, void (*)(tracebraid_connection*)> of_;
};

// Files that were read and merged.
class Trace {
 public:
  static Trace open(const Options& options, Control* control = nullptr) {
    tracebraid_trace* trace = nullptr;
    detail::call(tracebraid_open, static_cast<const tracebraid_options*>(options.get()),
                 control == nullptr ? nullptr : control->get(), &trace);
    return Trace(trace);
  }
  Stream query(std::string_view sql, Control* control = nullptr) const {
    Stream stream;
    detail::call(tracebraid_query, of_.get(), sql.data(), sql.size(),
                 static_cast<const ArrowArray*>(nullptr), static_cast<const ArrowSchema*>(nullptr),
                 static_cast<const tracebraid_query_options*>(nullptr),
                 control == nullptr ? nullptr : control->get(), stream.get());
    return stream;
  }
  Connection connect() const {
    tracebraid_connection* connection = nullptr;
    detail::call(tracebraid_connection_open, of_.get(), &connection);
    return Connection(connection);
  }
  std::string report_json(const std::string& which = "check") const {
    char* text = nullptr;
    detail::call(tracebraid_report_json, of_.get(), which.c_str(), &text);
    return detail::take(text);
  }
  // An empty machine is any.
  Clock clock(const std::string& name, const std::string& machine = {}) const {
    return find(name.c_str(), machine.empty() ? nullptr : machine.c_str());
  }
  Clock timeline() const { return find(nullptr, nullptr); }
  tracebraid_trace* get() const { return of_.get(); }

 private:
  explicit Trace(tracebraid_trace* of) : of_(of, tracebraid_trace_release) {}
  Clock find(const char* name, const char* machine) const {
    tracebraid_clock* clock = nullptr;
    detail::call(tracebraid_clock_find, of_.get(), name, machine, static_cast<const char*>(nullptr),
                 std::int64_t{-1}, &clock);
    return Clock(clock);
  }

  std::shared_ptr<tracebraid_trace> of_;
};

}  // namespace tracebraid

#endif
