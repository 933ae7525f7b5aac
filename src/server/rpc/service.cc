#include "server/rpc/service.h"

#include <fmt/format.h>

#include <chrono>

#include "base/progress.h"
#include "server/work/task_pool.h"

namespace tracebraid::rpc {

RpcService::RpcService(RpcHost host) : host_(std::move(host)), appended_(host_.spool) {}

Result<RpcService::Lock> RpcService::lock(const StopPointer& gone) {
  Lock lock(mutex_, std::defer_lock);
  if (lock.try_lock()) return lock;
  const TaskPool::Blocked blocked;
  while (!lock.try_lock_for(std::chrono::milliseconds(10)))
    if (gone != nullptr && gone->requested())
      return fail(ErrorCode::Cancelled, "the client is gone");
  return lock;
}

std::string RpcService::status() const {
  return status_result(host_.loaded_name ? host_.loaded_name() : std::string());
}

Result<int64_t> RpcService::append(std::string_view bytes) {
  TB_TRY(appended_.append(bytes));
  return appended_.size();
}

Result<> RpcService::finish_trace(const StopPointer& gone) {
  if (appended_.size() == 0) return {};
  connection_.reset();
  trace_.reset();
  const auto open = [&]() -> Result<std::shared_ptr<const Trace>> {
    TB_TRY_ASSIGN(TraceInput input, appended_.finish("trace"));
    return host_.open({std::move(input), reset_}, gone);
  };
  Result<std::shared_ptr<const Trace>> opened = open();
  appended_.clear();
  is_empty_ = false;
  failure_.reset();
  if (opened) return {};
  failure_ = std::move(opened).error();
  return tl::unexpected(*failure_);
}

Result<std::shared_ptr<const Trace>> RpcService::trace(const StopPointer& gone) {
  if (failure_) return tl::unexpected(*failure_);
  std::shared_ptr<const Trace> current;
  if (!is_empty_) {
    TB_TRY_ASSIGN(current, host_.current(gone));
  }
  if (current != nullptr) return current;
  if (none_ == nullptr) {
    Progress progress;
    TB_TRY_ASSIGN(
        none_, Trace::open(host_.engine, std::span<const std::string>(), host_.options, progress));
  }
  return none_;
}

Result<TraceConnection*> RpcService::connection(const StopPointer& gone) {
  TB_TRY_ASSIGN(std::shared_ptr<const Trace> current, trace(gone));
  if (connection_ != nullptr && trace_ == current) return connection_.get();
  TB_TRY_ASSIGN(std::unique_ptr<TraceConnection> made, TraceConnection::open(current));
  for (const SqlPackage& package : packages_) TB_TRY(made->register_package(package));
  connection_ = std::move(made);
  trace_ = std::move(current);
  return connection_.get();
}

void RpcService::reset(ResetArgs args) {
  appended_.clear();
  connection_.reset();
  trace_.reset();
  failure_.reset();
  packages_.clear();
  is_empty_ = true;
  reset_ = std::move(args);
}

Result<> RpcService::register_package(const RegisterPackageArgs& args, const StopPointer& gone) {
  SqlPackage package{.name = args.name, .replaces = args.allows_override};
  for (const PackageModule& module : args.modules) {
    if (!module.name.starts_with(args.name + "."))
      return fail(ErrorCode::Usage, fmt::format("Module name '{}' does not begin with '{}.'",
                                                module.name, args.name));
    package.modules.push_back({module.name, module.sql});
  }
  TB_TRY_ASSIGN(TraceConnection* const to, connection(gone));
  TB_TRY(to->register_package(package));
  std::erase_if(packages_, [&](const SqlPackage& each) { return each.name == package.name; });
  packages_.push_back(std::move(package));
  return {};
}

}  // namespace tracebraid::rpc
