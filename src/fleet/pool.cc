#include "fleet/pool.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/boundary.h"
#include "base/signal_mask.h"
#include "fleet/json.h"

namespace tracebraid::fleet {
namespace {

constexpr uint64_t kSpoolBytes = uint64_t{64} << 20;  // in memory, of all groups that run
constexpr unsigned kGroupsOfWorker = 100;
constexpr auto kGrace = std::chrono::seconds(5);  // beyond the timeout, before a worker is killed
constexpr auto kPollInterval = std::chrono::milliseconds(50);
constexpr size_t kReadBytes = size_t{1} << 18;

Failure parse_failure(const Json& facts) {
  Failure failure;
  failure.stage = facts.member("stage").text().value_or("query");
  failure.code = facts.member("code").text().value_or("INTERNAL");
  failure.message = facts.member("message").text().value_or("");
  failure.file = facts.member("file").text();
  failure.offset = facts.member("offset").integer();
  failure.seconds = facts.member("seconds").real().value_or(0);
  failure.peak_bytes = facts.member("peak_bytes").integer();
  return failure;
}

}  // namespace

Schedule::Schedule(const std::vector<Group>& groups, const std::vector<bool>& skipped)
    : last_(groups.size()) {
  for (size_t i = 0; i < groups.size(); ++i)
    if (!skipped[i]) todo_.push_back(i);
  std::ranges::sort(
      todo_, {}, [&](size_t i) { return std::pair(groups[i].size(), -static_cast<int64_t>(i)); });
}

std::optional<Schedule::Turn> Schedule::take() {
  while (!todo_.empty() && todo_.back() > last_) todo_.pop_back();
  if (!todo_.empty()) {
    ++running_;
    const Turn turn{todo_.back(), 1};
    todo_.pop_back();
    return turn;
  }
  if (running_ != 0 || again_.empty()) return std::nullopt;
  ++running_;
  const Turn turn{again_.front(), 2};
  again_.pop_front();
  return turn;
}

void Schedule::repeat(size_t group) { again_.push_back(group); }

void Schedule::stop_behind(size_t group) { last_ = std::min(last_, group); }

Pool::Pool(const std::vector<Group>& groups, const Ask& ask, const std::vector<bool>& skipped,
           PoolOptions options)
    : groups_(groups),
      ask_(ask),
      options_(std::move(options)),
      schedule_(groups, skipped),
      slots_(std::max(1U, options_.jobs)) {
  const BlockedSignals blocked;
  thread_ = std::thread([this] {
    const Result<> ran = at_boundary([this]() -> Result<> {
      loop();
      return {};
    });
    slots_.clear();
    const std::lock_guard lock(mutex_);
    if (!ran && !error_) error_ = ran.error();
    is_done_ = true;
    changed_.notify_all();
  });
}

Pool::~Pool() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  thread_.join();
}

Result<std::optional<Outcome>> Pool::next(const Stop& stop) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (stop.requested()) return fail(ErrorCode::Cancelled, "interrupted");
    if (!outcomes_.empty()) {
      std::optional<Outcome> next(std::move(outcomes_.front()));
      outcomes_.pop_front();
      return next;
    }
    if (error_) return tl::unexpected(*error_);
    if (is_done_) return std::nullopt;
    changed_.wait_for(lock, kPollInterval);  // a signal handler requests the stop
  }
}

bool Pool::has_room() {
  const std::lock_guard lock(mutex_);
  return options_.keeps_all || outcomes_.size() < 2 * slots_.size();
}

void Pool::put(Outcome outcome) {
  schedule_.finish();
  if (outcome.failure && options_.stops_at_failure) schedule_.stop_behind(outcome.group);
  const std::lock_guard lock(mutex_);
  outcomes_.push_back(std::move(outcome));
  changed_.notify_all();
}

double Pool::seconds(const Slot& slot) const {
  return std::chrono::duration<double>(Clock::now() - slot.begun).count();
}

void Pool::retire(Slot& slot) {
  slot.process.reset();
  slot.groups = 0;
}

void Pool::fail_group(Slot& slot, Failure failure) {
  slot.is_busy = false;
  slot.rows.reset();
  put({.group = slot.turn.group, .attempt = slot.turn.attempt, .failure = std::move(failure)});
}

void Pool::assign(Slot& slot, Schedule::Turn turn) {
  const Group& group = groups_[turn.group];
  slot.turn = turn;
  slot.begun = Clock::now();
  if (group.failure) return fail_group(slot, *group.failure);
  if (turn.attempt > 1) retire(slot);
  if (!slot.process) {
    Result<WorkerProcess> started = WorkerProcess::start(options_.command);
    if (!started) {
      const std::lock_guard lock(mutex_);
      error_ = started.error();
      is_stopped_ = true;
      return;
    }
    slot.process = *std::move(started);
  }
  ++slot.groups;
  slot.is_busy = true;
  slot.no_room.reset();
  slot.late =
      slot.begun + kGrace +
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(ask_.timeout));
  slot.rows = std::make_unique<Spool>(kSpoolBytes / (4 * slots_.size()), options_.temporary_folder);
  slot.frames.emplace([&slot](std::string_view bytes) {
    if (const Result<> kept = slot.rows->add(bytes); !kept) slot.no_room = kept.error();
    return !slot.no_room;
  });
  if (!slot.process->give(task_line(ask_, group) + "\n")) end_dead(slot);
}

// A group whose worker died runs once more.
void Pool::end_dead(Slot& slot) {
  slot.process->kill();
  const std::string how = slot.process->end();
  retire(slot);
  if (slot.turn.attempt > 1)
    return fail_group(slot, {.stage = "query",
                             .code = "WorkerDied",
                             .message = fmt::format("the worker process ended {}, twice", how),
                             .seconds = seconds(slot)});
  slot.is_busy = false;
  slot.rows.reset();
  schedule_.repeat(slot.turn.group);
  schedule_.finish();
}

void Pool::end_late(Slot& slot) {
  retire(slot);
  fail_group(slot, {.stage = "query",
                    .code = "TIMEOUT",
                    .message = "the worker does not answer",
                    .seconds = seconds(slot)});
}

void Pool::take_message(Slot& slot) {
  FrameSplitter::Message message = slot.frames->take_message();
  const Result<JsonDocument> facts = JsonDocument::parse(message.head);
  if (!facts) return end_dead(slot);
  const int64_t memory = facts->root().member("memory").integer().value_or(0);
  Outcome outcome{.group = slot.turn.group, .attempt = slot.turn.attempt};
  if (message.kind == FrameKind::Failed) {
    outcome.failure = parse_failure(facts->root());
  } else {
    outcome.facts = std::move(message.head);
    outcome.rows = std::move(slot.rows);
  }
  slot.is_busy = false;
  slot.rows.reset();
  if (slot.groups >= kGroupsOfWorker || static_cast<uint64_t>(memory) > ask_.memory_limit)
    retire(slot);
  put(std::move(outcome));
}

void Pool::read(Slot& slot) {
  static thread_local std::array<char, kReadBytes> buffer;
  const ssize_t got = ::read(slot.process->output(), buffer.data(), buffer.size());
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got <= 0) {
    // An idle worker that ended is replaced.
    if (slot.is_busy)
      end_dead(slot);
    else
      retire(slot);
    return;
  }
  if (!slot.is_busy) return retire(slot);
  switch (slot.frames->add({buffer.data(), static_cast<size_t>(got)})) {
    case FrameSplitter::State::Open:
      return;
    case FrameSplitter::State::Complete:
      return take_message(slot);
    case FrameSplitter::State::Damaged:
      return end_dead(slot);
    case FrameSplitter::State::Stopped:
      retire(slot);  // it goes on to send rows
      return fail_group(slot, {.stage = "write",
                               .code = "IO",
                               .message = slot.no_room->message,
                               .seconds = seconds(slot)});
  }
}

void Pool::loop() {
  const auto is_stopped = [this] {
    const std::lock_guard lock(mutex_);
    return is_stopped_;
  };
  while (!is_stopped() && !schedule_.is_done()) {
    for (Slot& slot : slots_)
      while (!slot.is_busy && has_room() && !is_stopped()) {
        const std::optional<Schedule::Turn> turn = schedule_.take();
        if (!turn) break;
        assign(slot, *turn);
      }
    std::vector<pollfd> polled;
    std::vector<Slot*> of;
    for (Slot& slot : slots_)
      if (slot.process) {
        polled.push_back({slot.process->output(), POLLIN, 0});
        of.push_back(&slot);
      }
    if (schedule_.is_done()) return;
    ::poll(polled.data(), polled.size(), static_cast<int>(kPollInterval.count()));
    for (size_t i = 0; i < of.size(); ++i) {
      if (polled[i].revents != 0)
        read(*of[i]);
      else if (of[i]->is_busy && Clock::now() > of[i]->late)
        end_late(*of[i]);
    }
  }
}

}  // namespace tracebraid::fleet
