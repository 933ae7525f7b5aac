// tracebraid serve, tracebraid open: the engine behind HTTP, with the viewer.
#include "server/serve.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <memory>

#include "base/descriptor.h"
#include "cli/commands/commands.h"
#include "cli/host.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/open.h"
#include "cli/open_browser.h"
#include "cli/rpc_socket_path.h"
#include "cli/text_file.h"
#include "engine/rows.h"

namespace tracebraid {
namespace {

struct ServeArguments {
  OpenArguments open;
  ServeOptions serve;
  std::string port, token_file, rpc_port, rpc_socket;
  bool json = false, no_browser = false, keep = false;
  // Of -D only.
  std::vector<std::string> sql_packages;
  bool dev = false, allow_sql_file_access = false;
};

// Wakes the server in a signal handler.
void wake(void* descriptor) {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written =
      ::write(*static_cast<const int*>(descriptor), &one, sizeof one);
}

Result<unsigned> port_of(std::string_view option, const std::string& text) {
  const Result<uint64_t> port = parse_quantity(text);
  if (!port || *port > 65'535)
    return fail(ErrorCode::Usage,
                fmt::format("{}: '{}' is not a number from 0 to 65535", option, text));
  return static_cast<unsigned>(*port);
}

Result<> set_ports(ServeArguments& arguments) {
  ServeOptions& options = arguments.serve;
  if (!arguments.port.empty()) {
    TB_TRY_ASSIGN(options.port, port_of("--port", arguments.port));
    options.port_is_given = true;
  }
  if (!arguments.rpc_port.empty()) {
    TB_TRY_ASSIGN(options.rpc_port,
                  port_of(options.is_rpc_only ? "--http-port" : "--rpc", arguments.rpc_port));
    options.has_rpc = true;
  }
  if (arguments.rpc_socket.empty()) return {};
  TB_TRY_ASSIGN(options.rpc_socket, rpc_socket_path(arguments.rpc_socket));
  return {};
}

// Reads the token that --token-file keeps; empty if there is no file yet.
Result<std::string> kept_token(const std::string& path) {
  if (path.empty() || ::access(path.c_str(), F_OK) != 0) return std::string();
  TB_TRY_ASSIGN(std::string token, read_text_file(path));
  while (token.ends_with('\n')) token.pop_back();
  constexpr size_t kLeast = 32;
  if (token.size() < kLeast || token.find_first_of(" \t\r\n\"\\") != token.npos)
    return fail(ErrorCode::Usage,
                fmt::format("--token-file: {}: a token has at least {} characters and no blanks; "
                            "remove the file for a new one",
                            path, kLeast));
  return token;
}

Result<> keep_token(const std::string& path, const std::string& token) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  const std::string line = token + "\n";
  if (!file || ::write(file.fd(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    return fail(ErrorCode::Io, fmt::format("--token-file: cannot write {}", path));
  return {};
}

std::string json_of(const ServeAddress& address, const std::string& url) {
  JsonText json(JsonText::kCompact);
  json.open_object().add("url", url).add("port", address.port).add("pid", ::getpid());
  json.add("token", address.token);
  if (address.rpc_port != 0) json.add("rpc_port", address.rpc_port);
  json.close_object();
  return std::move(json).finish() + "\n";
}

void announce(const ServeArguments& arguments, const ServeAddress& address, bool is_open) {
  if (arguments.serve.is_rpc_only)
    return print_note(fmt::format("RPC listens on localhost:{}", address.rpc_port));
  const std::string url = fmt::format("{}#token={}", address.url, address.token);
  const Result<> printed = print(arguments.json ? json_of(address, url) : url + "\n");
  if (!printed) print_warning(printed.error().message);
  if (address.rpc_port != 0 && !arguments.json && !arguments.open.quiet)
    print_note(fmt::format("RPC listens on localhost:{}", address.rpc_port));
  if (is_open && !arguments.no_browser)
    open_browser(fmt::format("{}#code={}", address.url, address.code));
}

void warn_of_network(const ServeOptions& options) {
  for (const std::string& address : options.listen)
    if (!address.starts_with("127.") && address != "::1")
      print_warning(
          fmt::format("--listen {}: the traffic is not encrypted, and everyone with the "
                      "token can read the traces and the files below --root",
                      address));
}

Result<ExitCode> run(ServeArguments& arguments, std::span<const std::string> files, bool is_open) {
  if (is_open) TB_TRY(require_files(files));
  ServeOptions& options = arguments.serve;
  TB_TRY(set_ports(arguments));
  TB_TRY_ASSIGN(options.token, kept_token(arguments.token_file));
  const bool is_new_token = options.token.empty() && !arguments.token_file.empty();
  options.files.assign(files.begin(), files.end());
  if (options.spool.empty()) options.spool = program_files().temporary_directory;
  options.state_folder = state_folder();
  options.ends_after_last_page = is_open && !arguments.keep;
  TB_TRY(set_memory_limit(arguments.open));
  TB_TRY_ASSIGN(options.trace, trace_options(arguments.open));
  warn_of_network(options);

  const Descriptor wakes(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  int fd = wakes.fd();
  const OnInterrupt stop(wake, &fd);
  ServeHost host;
  TB_TRY_ASSIGN(host.engine, make_engine(arguments.open));
  host.stop_fd = fd;
  host.warn = [&](std::string_view message) {
    if (!arguments.open.quiet) print_warning(message);
  };
  Result<> kept;
  host.on_listening = [&](const ServeAddress& address) {
    if (is_new_token) kept = keep_token(arguments.token_file, address.token);
    if (!kept) print_warning(kept.error().message);
    announce(arguments, address, is_open);
  };
  TB_TRY(serve(options, host));
  if (stopping_signal()) return fail(ErrorCode::Cancelled, "interrupted");
  return kExitFine;
}

OptionGroup serve_options(const std::shared_ptr<ServeArguments>& arguments, bool is_open) {
  ServeArguments& a = *arguments;
  ServeOptions& s = a.serve;
  OptionGroup group{
      "Options",
      {{"--port", "N", "Listen on this port; 0: any. By default 9440, or the next free to 9459.",
        &a.port},
       {"--listen", "ADDR", "Listen on this address instead of 127.0.0.1 and ::1. Repeatable.",
        &s.listen},
       {"--allow-host", "NAME", "Also serve this name of a host, for a reverse proxy. Repeatable.",
        &s.allow_hosts},
       {"--root", "DIR", "Let clients browse and open files below this folder. Repeatable.",
        &s.roots},
       {"--spool", "DIR", "Keep uploads and large results here instead of $TMPDIR.", &s.spool},
       {"--spool-limit", "SIZE", "Limit of these files; by default 20G.", &s.spool_limit},
       {"--query-timeout", "SECONDS", "End queries after this time; by default 600, 0: never.",
        &s.query_timeout_s},
       {"--timeline-memory", "SIZE",
        "Limit of the memory of the timeline's index of one trace, of which the least used parts "
        "are dropped; by default an eighth of the RAM.",
        &s.timeline_memory},
       {"--query-memory", "SIZE", "Limit of the memory of one query; by default 1G.",
        &s.query_memory},
       {"--max-queries", "N", "Run so many queries at once; by default the processors less one.",
        &s.max_queries},
       {"--max-traces", "N", "Keep so many traces open; by default 8.", &s.max_traces},
       {"--idle-exit", "MINUTES", "End when nobody was connected for so long.",
        &s.idle_exit_minutes},
       {"--token-file", "FILE", "Keep one token in this file instead of a new one at each start.",
        &a.token_file},
       {.flags = "--rpc",
        .value = "",
        .about = "Also serve the RPC of the Python package perfetto to programs of this computer, "
                 "on port 9001 or the one behind the option; 0: any.",
        .target = &s.has_rpc,
        .number = &a.rpc_port},
       {"--rpc-socket", "NAME|PATH",
        "Serve RPC on a UNIX socket: PATH, or NAME in $XDG_RUNTIME_DIR/perfetto.", &a.rpc_socket},
       {"--rpc-origin", "URL", "Let pages of this origin use RPC. Repeatable.", &s.rpc_origins},
       {"--json", "", "Print the address as JSON: url, port, pid and token.", &a.json}}};
  if (is_open) {
    group.options.push_back({"--no-browser", "", "Only print the address.", &a.no_browser});
    group.options.push_back({"--keep", "", "Go on after the last page was closed.", &a.keep});
  }
  return group;
}

Result<ExitCode> run_httpd(ServeArguments& arguments, std::span<const std::string> files) {
  if (arguments.allow_sql_file_access)
    return fail(ErrorCode::Usage,
                "--allow-sql-file-access: statements of tracebraid do not access files");
  arguments.serve.has_rpc = arguments.serve.is_rpc_only = true;
  std::vector<std::string>& folders = arguments.open.options.trace.sql_path;
  folders.insert(folders.end(), arguments.sql_packages.begin(), arguments.sql_packages.end());
  return run(arguments, files, false);
}

}  // namespace

Command httpd_command() {
  auto arguments = std::make_shared<ServeArguments>();
  ServeArguments& a = *arguments;
  return {
      .name = "-D",
      .usage = "[FILE...]",
      .about = "serve RPC only, as programs that start the reference's trace_processor expect",
      .details = "The same as 'tracebraid serve --rpc' without the viewer and the API.",
      .groups = {{"Options",
                  {{"--http-port", "N", "Listen on this port; by default 9001, 0: any.",
                    &a.rpc_port},
                   {"--add-sql-package", "PATH[@PACKAGE]", "The same as --sql-path. Repeatable.",
                    &a.sql_packages},
                   {"--dev", "", "Has no effect.", &a.dev},
                   {"--allow-sql-file-access", "", "Is an error.", &a.allow_sql_file_access}}},
                 open_option_group(arguments->open)},
      .examples = {{"tracebraid -D --http-port 9001 t.json", "serve one trace"}},
      .run =
          [arguments](std::span<const std::string> files) { return run_httpd(*arguments, files); },
  };
}

Command serve_command() {
  auto arguments = std::make_shared<ServeArguments>();
  return {
      .name = "serve",
      .usage = "[FILE...]",
      .about = "serve traces to browsers and programs over HTTP",
      .details =
          "Prints an address with a secret token, then opens the files as one trace in the "
          "background. A browser at that address shows the trace; programs use the API with the "
          "token. Other computers cannot connect unless you give --listen.\n\n"
          "Ends with Ctrl-C. A file that does not exist is listed on the page, and the others "
          "are opened.",
      .groups = {serve_options(arguments, false), open_option_group(arguments->open)},
      .examples = {{"tracebraid serve phone.pftrace watch.pftrace", "two devices, one timeline"},
                   {"tracebraid serve --root ~/traces", "open files from the page"},
                   {"tracebraid serve --json --port 0 t.json", "for a script"},
                   {"tracebraid serve --rpc t.pftrace", "for the Python package perfetto"}},
      .run =
          [arguments](std::span<const std::string> files) { return run(*arguments, files, false); },
  };
}

Command open_command() {
  auto arguments = std::make_shared<ServeArguments>();
  return {
      .name = "open",
      .usage = "FILE...",
      .about = "show traces in the browser",
      .details =
          "Serves the files as 'tracebraid serve' does and opens the browser. Ends 60 "
          "seconds after the last page was closed.",
      .groups = {serve_options(arguments, true), open_option_group(arguments->open)},
      .examples = {{"tracebraid open phone.pftrace watch.pftrace", "two devices, one timeline"},
                   {"tracebraid open --no-browser t.json", "print the address only"}},
      .run =
          [arguments](std::span<const std::string> files) { return run(*arguments, files, true); },
  };
}

}  // namespace tracebraid
