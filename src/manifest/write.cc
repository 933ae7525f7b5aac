#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/iso_time.h"
#include "clock/clock_key.h"
#include "manifest/manifest.h"

namespace tracebraid {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out += '"';
}

// Writes one member per line, indented by two spaces per level.
class JsonWriter {
 public:
  void open(char bracket) {
    out_ += bracket;
    ++depth_;
    is_first_ = true;
  }
  void close(char bracket) {
    --depth_;
    if (!is_first_) new_line();
    out_ += bracket;
    is_first_ = false;
  }
  void key(std::string_view name) {
    item();
    out_ += quoted(name) + ": ";
  }
  void item() {
    if (!is_first_) out_ += ',';
    is_first_ = false;
    new_line();
  }
  void value(std::string_view literal) { out_ += literal; }

  void text(std::string_view name, std::string_view value) {
    key(name);
    out_ += quoted(value);
  }
  void text(std::string_view name, const std::optional<std::string>& value) {
    if (value) text(name, std::string_view(*value));
  }
  void number(std::string_view name, int64_t value) {
    key(name);
    out_ += fmt::format("{}", value);
  }
  void real(std::string_view name, double value) {
    key(name);
    out_ += fmt::format("{}", value);
  }
  void clock(uint32_t domain) {
    if (domain != 0) text("clock", clock_name(domain));
  }
  std::string take() { return std::move(out_) + '\n'; }

 private:
  void new_line() {
    out_ += '\n';
    out_.append(2 * depth_, ' ');
  }

  std::string out_;
  size_t depth_ = 0;
  bool is_first_ = true;
};

void write_clocks(const ClockOverride& clocks, JsonWriter& json) {
  json.key("clocks");
  json.open('{');
  json.clock(clocks.clock);
  json.text("machine", clocks.machine);
  json.key("sync_to");
  json.open('{');
  json.text("file", std::string_view(clocks.sync_to.file));
  json.text("machine", clocks.sync_to.machine);
  json.clock(clocks.sync_to.clock);
  json.close('}');
  json.number("offset_ns", clocks.offset_ns);
  if (clocks.drift_ppm != 0) json.real("drift_ppm", clocks.drift_ppm);
  if (clocks.offset_at_ns != 0) json.number("offset_at_ns", clocks.offset_at_ns);
  if (!clocks.points.empty()) {
    json.key("points");
    json.open('[');
    for (const ClockPoint& point : clocks.points) {
      json.item();
      json.open('{');
      json.number("this_ns", point.this_ns);
      json.number("other_ns", point.other_ns);
      json.close('}');
    }
    json.close(']');
  }
  json.close('}');
}

void write_kinds(const AlignOptions& options, JsonWriter& json) {
  json.key("align");
  json.open('[');
  for (size_t kind = 0; kind < kAlignKinds.size(); ++kind) {
    if (!options.has(static_cast<AlignKind>(kind))) continue;
    json.item();
    json.value(quoted(kAlignKinds[kind]));
  }
  json.close(']');
}

// Lists of kinds are arrays.
void write_align(const AlignOptions& options, JsonWriter& json) {
  const bool is_list = options.places && options.kinds != 0 && options != AlignOptions{};
  if (is_list)
    write_kinds(options, json);
  else
    json.text("align", std::string_view(align_text(options)));
}

void write_file_align(uint32_t kinds, JsonWriter& json) {
  if (kinds != 0) return write_kinds({.kinds = kinds}, json);
  json.key("align");
  json.value("false");
}

void write_file(const FileEntry& file, JsonWriter& json) {
  json.item();
  json.open('{');
  json.text("path", std::string_view(file.path));
  if (file.is_glob) {
    json.key("glob");
    json.value("true");
  }
  if (file.start_utc_ns) json.text("start", std::string_view(print_iso_time(*file.start_utc_ns)));
  if (file.machine) {
    json.key("machine");
    json.open('{');
    json.text("name", file.machine);
    json.close('}');
  }
  if (!file.machines.empty()) {
    json.key("machines");
    json.open('[');
    for (const MachineName& machine : file.machines) {
      json.item();
      json.open('{');
      json.number("id", machine.id);
      json.text("name", std::string_view(machine.name));
      json.close('}');
    }
    json.close(']');
  }
  if (file.clocks) write_clocks(*file.clocks, json);
  if (file.align_kinds) write_file_align(*file.align_kinds, json);
  if (!file.clock_group.empty()) json.text("clock_group", std::string_view(file.clock_group));
  json.close('}');
}

void write_attributes(const Manifest& manifest, JsonWriter& json) {
  json.key("attributes");
  json.open('{');
  for (const Attribute& attribute : manifest.attributes) {
    if (const auto* number = std::get_if<int64_t>(&attribute.value))
      json.number(attribute.key, *number);
    else
      json.text(attribute.key, std::string_view(std::get<std::string>(attribute.value)));
  }
  json.close('}');
}

void write_machines(const Manifest& manifest, JsonWriter& json) {
  json.key("machines");
  json.open('[');
  for (const MachineEntry& machine : manifest.machines) {
    json.item();
    json.open('{');
    json.text("name", std::string_view(machine.name));
    json.number("wall_clock_skew_ns", machine.wall_clock_skew_ns);
    json.close('}');
  }
  json.close(']');
}

// trace.json.gz -> trace
std::string stem(std::string_view path) {
  path = path.substr(path.rfind('/') + 1);
  return std::string(path.substr(0, path.find('.', 1)));
}

// Returns the name of the machine of each file, because one name is one machine: a.json and
// b/a.json are of the machines a and a-2.
std::vector<std::string> machine_names(std::span<const TemplateFile> files) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  std::map<std::string, int> numbers;  // the last one, by stem
  for (const TemplateFile& file : files) {
    const std::string first = stem(file.path);
    int& number = numbers.try_emplace(first, 1).first->second;
    std::string name = first;
    while (!taken.insert(name).second) name = fmt::format("{}-{}", first, ++number);
    names.push_back(std::move(name));
  }
  return names;
}

// Returns the name of a machine of a file with several, by its id in the file.
std::string name_in_file(const std::string& name, uint64_t id) {
  return id == 0 ? name : fmt::format("{}-machine-{}", name, id);
}

}  // namespace

std::string write_manifest(const Manifest& manifest) {
  JsonWriter json;
  json.open('{');
  json.key("perfetto_manifest");
  json.open('{');
  json.number("version", 1);
  if (const auto& time = manifest.trace_time) {
    json.key("trace_time");
    json.open('{');
    json.clock(time->clock);
    json.text("file", time->file);
    json.text("machine", time->machine);
    json.close('}');
  }
  json.key("files");
  json.open('[');
  for (const FileEntry& file : manifest.files) write_file(file, json);
  json.close(']');
  if (!manifest.attributes.empty()) write_attributes(manifest, json);
  if (!manifest.machines.empty()) write_machines(manifest, json);
  if (manifest.clock_model)
    json.text("clock_model",
              std::string_view(*manifest.clock_model == ClockModel::Linear ? "linear" : "step"));
  if (manifest.join_flows) {
    const JoinFlows join = *manifest.join_flows;
    const std::string_view name = join == JoinFlows::Auto  ? "auto"
                                  : join == JoinFlows::All ? "all"
                                                           : "none";
    json.text("join_flows", name);
  }
  if (manifest.align) write_align(*manifest.align, json);
  json.close('}');
  json.close('}');
  return json.take();
}

Manifest manifest_template(std::span<const TemplateFile> files) {
  Manifest manifest;
  const std::vector<std::string> names = machine_names(files);
  const auto anchor = std::ranges::find(files, true, &TemplateFile::has_clock);
  for (size_t i = 0; i < files.size(); ++i) {
    const TemplateFile& file = files[i];
    FileEntry entry{.path = file.path, .machine = {}, .machines = {}, .clocks = {}};
    if (file.machines.size() > 1) {
      for (const uint64_t id : file.machines)
        entry.machines.push_back({static_cast<uint32_t>(id), name_in_file(names[i], id)});
    } else {
      entry.machine = names[i];
    }
    if (!file.has_clock && anchor != files.end()) {
      SyncTo& to = entry.clocks.emplace().sync_to;
      to.file = anchor->path;
      to.clock = anchor->clock;
      if (anchor->machines.size() > 1)
        to.machine =
            name_in_file(names[static_cast<size_t>(anchor - files.begin())], anchor->clock_machine);
    }
    manifest.files.push_back(std::move(entry));
  }
  return manifest;
}

}  // namespace tracebraid
