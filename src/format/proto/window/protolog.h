// ProtoLog: lines of Android's window manager, whose texts are described apart (spec proto-2 11).
//
// Input: ProtoLogMessage and ProtoLogViewerConfig messages. Output: rows of protolog. Called by
// window_packets.cc.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/proto/packet_info.h"
#include "format/proto/packet_output.h"

namespace tracebraid::proto {

// The parameters of a line, by kind, each in the order of the text.
struct ProtologParams {
  std::vector<StringId> texts;
  std::vector<int64_t> numbers;
  std::vector<double> reals;
  std::vector<bool> flags;
};

// A description of a message.
struct ProtologText {
  std::string text, location;
  uint64_t level = 0;
  uint64_t group = 0;
  // The numbers of parameters of each kind that its placeholders take.
  struct Takes {
    size_t texts = 0, numbers = 0, reals = 0, flags = 0;
    friend bool operator==(const Takes&, const Takes&) = default;
  } takes = {};
  friend bool operator==(const ProtologText&, const ProtologText&) = default;
};

// Lines are kept until the end of the file, because descriptions may follow them.
struct ProtologState {
  struct Line {
    EventTime time;
    uint64_t at;  // offset of the packet
    uint64_t id;
    ProtologParams params;
    StringId stack;
  };
  std::vector<Line> lines;
  absl::flat_hash_map<uint64_t, std::vector<ProtologText>> texts;  // by id of the message
  absl::flat_hash_map<uint64_t, std::string> tags;                 // by id of the group
};

void read_protolog_message(const PacketInfo& packet, std::string_view message, ProtologState& state,
                           PacketOutput& out);
void read_protolog_config(const PacketInfo& packet, std::string_view message, ProtologState& state,
                          PacketOutput& out);

// Call at the end of the file.
void finish_protolog(uint32_t machine, ProtologState& state, PacketOutput& out);

}  // namespace tracebraid::proto
