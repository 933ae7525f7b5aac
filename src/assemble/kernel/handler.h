// Topic: the handlers of one subject, and the state that these handlers share.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "assemble/kernel/emitter.h"

namespace tracebraid {

// The handler of an event name. A name that ends in '*' matches all events that begin so.
template <class State>
class KernelHandler {
 public:
  using Handle = void (*)(KernelEmitter&, State&, const KernelEvent&);
  using HandleAlone = void (*)(KernelEmitter&, const KernelEvent&);  // without state

  constexpr KernelHandler(std::string_view the_name, Handle handle)
      : name(the_name), handle_(handle) {}
  constexpr KernelHandler(std::string_view the_name, HandleAlone handle)
      : name(the_name), handle_alone_(handle) {}

  void operator()(KernelEmitter& out, State& state, const KernelEvent& e) const {
    if (handle_alone_ != nullptr) return handle_alone_(out, e);
    handle_(out, state, e);
  }

  std::string_view name;

 private:
  Handle handle_ = nullptr;
  HandleAlone handle_alone_ = nullptr;
};

class KernelTopic {
 public:
  virtual ~KernelTopic() = default;
  // Returns the number of handlers; they are numbered from 0.
  virtual size_t size() const = 0;
  virtual std::string_view name(size_t handler) const = 0;
  virtual void handle(size_t handler, KernelEmitter& out, const KernelEvent& e) = 0;
  // Call after the last event.
  virtual void finish(KernelEmitter& out) = 0;
};

struct NoState {};

// Returns the topic of these handlers, with an empty state. A state with finish(KernelEmitter&)
// emits what it kept after the last event. Requires: `handlers` outlives the
// topic.
template <class State>
std::unique_ptr<KernelTopic> make_topic(std::span<const KernelHandler<State>> handlers) {
  class Topic final : public KernelTopic {
   public:
    explicit Topic(std::span<const KernelHandler<State>> all) : handlers_(all) {}
    size_t size() const override { return handlers_.size(); }
    std::string_view name(size_t handler) const override { return handlers_[handler].name; }
    void handle(size_t handler, KernelEmitter& out, const KernelEvent& e) override {
      handlers_[handler](out, state_, e);
    }
    void finish([[maybe_unused]] KernelEmitter& out) override {
      if constexpr (requires(State& state) { state.finish(out); }) state_.finish(out);
    }

   private:
    std::span<const KernelHandler<State>> handlers_;
    State state_;
  };
  return std::make_unique<Topic>(handlers);
}
template <class State, size_t kCount>
std::unique_ptr<KernelTopic> make_topic(const KernelHandler<State> (&handlers)[kCount]) {
  return make_topic(std::span<const KernelHandler<State>>(handlers));
}

}  // namespace tracebraid
