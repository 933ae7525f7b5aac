// V8Codes: code that V8 generated, and its functions (packets 99 to 103; tables of spec sql-dialect
// appendix A).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "event/make_event.h"
#include "format/proto/packet_output.h"

namespace tracebraid::proto {

// A range of addresses in which an isolate has code.
struct V8Range {
  uint64_t begin = 0, size = 0;
  auto operator<=>(const V8Range&) const = default;
  bool holds(const V8Range& other) const {
    return other.begin >= begin && other.begin - begin <= size &&
           other.size <= size - (other.begin - begin);
  }
};

class V8Codes {
 public:
  // Returns false for another packet field.
  bool read(const PacketInfo& packet, uint32_t field, std::string_view message, PacketOutput& out);

  // Call at the end of the file: writes the rows, in order of time.
  void finish(PacketOutput& out);

 private:
  struct Isolate {
    uint32_t machine = 0;
    int64_t pid = 0, id = 0;
    V8Range code, blob;
    std::optional<uint64_t> blob_copy;
    bool has_code = false, has_blob = false, is_process_wide = false;
    int64_t row = 0;  // number of its row, once written; as below
  };
  struct Script {
    bool is_wasm = false;
    uint32_t isolate = 0;
    int64_t id = 0;
    StringId type, name, source;
    int64_t row = 0;
  };
  struct Function {
    uint32_t script = 0;
    StringId name, kind;
    bool is_toplevel = false;
    uint32_t line = 0, column = 0;  // from 1 on; 0: not given
    int64_t row = 0;
  };
  enum class Kind : uint8_t { Js, Internal, Wasm, RegExp, Move };
  struct Code {
    EventTime time;
    Kind kind = Kind::Js;
    uint32_t isolate = 0;
    int64_t tid = 0;
    uint32_t owner = kNone;  // index of functions_, or for Wasm of scripts_
    V8Range range;
    uint64_t moved_to = 0;
    StringId name, tier, native, bytecode;
    std::optional<int64_t> offset_in_module;
  };
  // The code at an address now.
  struct Live {
    uint64_t size;
    size_t code;  // index of codes_
  };
  // Ranges of a process, or of one isolate in it.
  using CacheKey = std::tuple<uint32_t, int64_t, uint32_t, V8Range>;

  struct Layout;  // the fields of a packet
  static const Layout kLayouts[5];
  struct Fields {
    uint64_t isolate = 0, owner = 0;  // iids
    std::optional<int64_t> tid;
    int64_t type = 0;
  };

  static Fields read_fields(const Layout& layout, std::string_view message, Code& code,
                            EventSink& sink);
  std::optional<uint32_t> isolate(const PacketInfo& packet, uint64_t iid, PacketOutput& out);
  std::optional<uint32_t> script(const PacketInfo& packet, uint32_t isolate, uint64_t iid,
                                 bool is_wasm, PacketOutput& out);
  std::optional<uint32_t> function(const PacketInfo& packet, uint32_t isolate, uint64_t iid,
                                   PacketOutput& out);
  bool find_owner(const PacketInfo& packet, uint64_t iid, Code& code, PacketOutput& out);
  std::optional<CacheKey> cache_of(const Code& code) const;
  void place(const CacheKey& cache, V8Range range, size_t code);
  void move(const CacheKey& cache, const Code& code, size_t index);
  int64_t write_isolate(const EventTime& time, uint32_t index, PacketOutput& out);
  int64_t write_script(const EventTime& time, uint32_t index, PacketOutput& out);
  int64_t write_function(const EventTime& time, uint32_t index, PacketOutput& out);
  int64_t write_native(const Code& code, size_t index, PacketOutput& out);
  void write(const Code& code, int64_t native, PacketOutput& out);

  std::vector<Isolate> isolates_;
  std::vector<Script> scripts_;
  std::vector<Function> functions_;
  std::vector<Code> codes_;
  absl::flat_hash_map<std::tuple<uint32_t, int64_t, int64_t>, uint32_t> isolate_ids_;
  absl::flat_hash_map<std::tuple<uint32_t, int64_t, bool>, uint32_t> script_ids_;
  absl::flat_hash_map<std::tuple<uint32_t, StringId, StringId, bool, uint32_t, uint32_t>, uint32_t>
      function_ids_;
  std::map<CacheKey, std::map<uint64_t, Live>> caches_;
  std::vector<size_t> ended_by_;  // by code: the code that replaced it; itself if none did
  int64_t rows_ = 0;
};

}  // namespace tracebraid::proto
