#include "fleet/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/signal_mask.h"

extern char** environ;

namespace tracebraid::fleet {
namespace {

struct Pipe {
  Descriptor from, to;
};

Error cannot_start(int reason) {
  return {ErrorCode::Io, fmt::format("cannot start a worker process: {}", std::strerror(reason))};
}

Result<Pipe> open_pipe() {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) return tl::unexpected(cannot_start(errno));
  return Pipe{Descriptor(fds[0]), Descriptor(fds[1])};
}

// The attributes and file actions of a spawn.
struct Spawn {
  Spawn() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~Spawn() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

}  // namespace

Result<WorkerProcess> WorkerProcess::start(const std::vector<std::string>& command) {
  TB_TRY_ASSIGN(Pipe tasks, open_pipe());
  TB_TRY_ASSIGN(Pipe rows, open_pipe());
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  Spawn spawn;
  posix_spawn_file_actions_adddup2(&spawn.actions, tasks.from.fd(), 0);
  posix_spawn_file_actions_adddup2(&spawn.actions, rows.to.fd(), 1);
  posix_spawn_file_actions_addopen(&spawn.actions, 2, "/dev/null", O_WRONLY, 0);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&spawn.attributes, &none);
  posix_spawnattr_setflags(&spawn.attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  WorkerProcess made;
  if (const int failed = ::posix_spawn(&made.id_, arguments[0], &spawn.actions, &spawn.attributes,
                                       arguments.data(), environ);
      failed != 0) {
    made.id_ = -1;
    return tl::unexpected(cannot_start(failed));
  }
  made.input_ = std::move(tasks.to);
  made.output_ = std::move(rows.from);
  return made;
}

WorkerProcess::WorkerProcess(WorkerProcess&& other) noexcept
    : id_(std::exchange(other.id_, -1)),
      input_(std::move(other.input_)),
      output_(std::move(other.output_)) {}

WorkerProcess& WorkerProcess::operator=(WorkerProcess&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(input_, other.input_);
  std::swap(output_, other.output_);
  return *this;
}

WorkerProcess::~WorkerProcess() {
  if (id_ < 0) return;
  kill();
  end();
}

bool WorkerProcess::give(const std::string& line) {
  const BlockedPipeSignal blocked;
  for (std::string_view left = line; !left.empty();) {
    const ssize_t written = ::write(input_.fd(), left.data(), left.size());
    if (written >= 0)
      left.remove_prefix(static_cast<size_t>(written));
    else if (errno != EINTR)
      return false;
  }
  return true;
}

void WorkerProcess::kill() {
  if (id_ > 0) ::kill(id_, SIGKILL);
}

std::string WorkerProcess::end() {
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  id_ = -1;
  return WIFSIGNALED(status) ? fmt::format("by signal {}", WTERMSIG(status))
                             : fmt::format("with status {}", WEXITSTATUS(status));
}

}  // namespace tracebraid::fleet
