// Values of typed fields that need data that the writer interned (spec proto-2 6).
#pragma once

#include "format/proto/args/typed_args.h"
#include "format/proto/packet_info.h"

namespace tracebraid::proto {

// Source locations, methods and names by number, and debug annotations inside of messages.
class InternedValues {
 public:
  InternedValues(const PacketInfo& packet, DescriptorPool& pool) : packet_(packet), pool_(pool) {}

  // As AddField.
  bool add(const FieldDescriptor& field, const Message& value, ArgPath& path, int depth,
           ArraySizes& arrays, EventSink& sink);
  // Returns the number of parts that could not be read.
  uint32_t errors() const { return errors_; }

 private:
  bool add_location(const Message& value, const ArgPath& path, EventSink& sink);
  bool add_method(const Message& value, const ArgPath& path, EventSink& sink);
  bool add_job_name(const Message& value, const ArgPath& path, EventSink& sink);

  const PacketInfo& packet_;
  DescriptorPool& pool_;
  uint32_t errors_ = 0;
  bool has_method_ = false;
};

}  // namespace tracebraid::proto
