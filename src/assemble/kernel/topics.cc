#include "assemble/kernel/topics.h"

namespace tracebraid {

std::vector<std::unique_ptr<KernelTopic>> kernel_topics() {
  std::vector<std::unique_ptr<KernelTopic>> topics;
  for (const auto make :
       {adreno_topic, binder_topic, call_topic, cpu_topic, display_topic, drm_topic, gpu_topic,
        interrupt_topic, media_topic, memory_topic, network_topic, pkvm_topic, power_topic,
        reclaim_topic, storage_topic, task_topic, trusty_topic})
    topics.push_back(make());
  return topics;
}

}  // namespace tracebraid
