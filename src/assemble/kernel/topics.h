// The list of topics: one file and one factory function each.
#pragma once

#include <memory>
#include <vector>

#include "assemble/kernel/handler.h"

namespace tracebraid {

std::unique_ptr<KernelTopic> adreno_topic();
std::unique_ptr<KernelTopic> binder_topic();
std::unique_ptr<KernelTopic> call_topic();
std::unique_ptr<KernelTopic> cpu_topic();
std::unique_ptr<KernelTopic> display_topic();
std::unique_ptr<KernelTopic> drm_topic();
std::unique_ptr<KernelTopic> gpu_topic();
std::unique_ptr<KernelTopic> interrupt_topic();
std::unique_ptr<KernelTopic> media_topic();
std::unique_ptr<KernelTopic> memory_topic();
std::unique_ptr<KernelTopic> network_topic();
std::unique_ptr<KernelTopic> pkvm_topic();
std::unique_ptr<KernelTopic> power_topic();
std::unique_ptr<KernelTopic> reclaim_topic();
std::unique_ptr<KernelTopic> storage_topic();
std::unique_ptr<KernelTopic> task_topic();
std::unique_ptr<KernelTopic> trusty_topic();

// Returns one topic of each kind.
std::vector<std::unique_ptr<KernelTopic>> kernel_topics();

// Handles events that no topic handles by name, if their fields describe them.
void kernel_track_event(KernelEmitter& out, const KernelEvent& e);

}  // namespace tracebraid
