#include "query/library/packages.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/nearest.h"
#include "base/read_text.h"
#include "query/library/library.h"

namespace tracebraid {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".sql";

bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

bool is_key(std::string_view text) {
  for (;;) {
    const size_t dot = text.find('.');
    if (!is_word(text.substr(0, dot))) return false;
    if (dot == text.npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool is_within(std::string_view key, std::string_view package) {
  return key.starts_with(package) && (key.size() == package.size() || key[package.size()] == '.');
}

std::string_view package_name(std::string_view library_key) {
  return library_key.substr(0, library_key.find('.'));
}

const LibraryModule* library_module(std::string_view key) {
  const auto modules = library_modules();
  const auto found = std::ranges::find(modules, key, &LibraryModule::key);
  return found == modules.end() ? nullptr : &*found;
}

bool is_library_package(std::string_view name) {
  return std::ranges::any_of(library_modules(), [&](const LibraryModule& module) {
    return package_name(module.key) == name;
  });
}

// Returns the file of a module if it lies below the folder, also behind links.
std::optional<fs::path> file_of(const SqlPackage& package, std::string_view key) {
  if (key.size() <= package.name.size() + 1 || !is_key(key)) return std::nullopt;
  std::string relative(key.substr(package.name.size() + 1));
  std::ranges::replace(relative, '.', '/');
  std::error_code error;
  const fs::path root = fs::canonical(package.folder, error);
  if (error) return std::nullopt;
  const fs::path file = fs::canonical(root / (relative + std::string(kSuffix)), error);
  if (error || !fs::is_regular_file(file, error)) return std::nullopt;
  const bool is_inside =
      std::mismatch(root.begin(), root.end(), file.begin(), file.end()).first == root.end();
  return is_inside ? std::optional(file) : std::nullopt;
}

// Adds the keys of the files of a folder.
void add_keys_of_folder(const SqlPackage& package, std::vector<std::string>& keys) {
  std::error_code error;
  fs::recursive_directory_iterator entry(package.folder, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::path relative = entry->path().lexically_relative(package.folder);
    if (relative.extension() != kSuffix) continue;
    std::string key = package.name + "." + relative.parent_path().generic_string();
    if (!key.ends_with('.')) key += '.';
    std::ranges::replace(key, '/', '.');
    key += relative.stem().string();
    if (file_of(package, key)) keys.push_back(std::move(key));
  }
}

std::string removed_text(std::string_view package) {
  return fmt::format(
      "INCLUDE: Package `{}` has been removed; its modules are in other packages, such as slices, "
      "sched and counters",
      package);
}

}  // namespace

Result<SqlPackage> package_of_folder(std::string_view option) {
  const size_t at = option.rfind('@');
  SqlPackage package;
  package.folder = option.substr(0, at);
  const fs::path folder(package.folder);
  package.name = at == option.npos
                     ? (folder.has_filename() ? folder : folder.parent_path()).filename().string()
                     : std::string(option.substr(at + 1));
  if (!is_key(package.name))
    return fail(ErrorCode::Usage,
                fmt::format("--sql-path {}: '{}' is not a name of a package; give one: DIR@NAME",
                            option, package.name));
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return fail(ErrorCode::NotFound, fmt::format("--sql-path {}: no such folder", package.folder));
  return package;
}

Result<> Packages::add(SqlPackage package) {
  const auto same = std::ranges::find(users_, package.name, &SqlPackage::name);
  const bool exists = same != users_.end() || is_library_package(package.name);
  if (exists && !package.replaces)
    return fail(
        ErrorCode::Usage,
        fmt::format("Package '{}' is already registered. Choose a different name.", package.name));
  if (same != users_.end())
    *same = std::move(package);
  else
    users_.push_back(std::move(package));
  return {};
}

// Returns the package of the user with the longest name that the key begins with.
const SqlPackage* Packages::package_of(std::string_view key) const {
  const SqlPackage* longest = nullptr;
  for (const SqlPackage& package : users_)
    if (is_within(key, package.name) &&
        (longest == nullptr || package.name.size() > longest->name.size()))
      longest = &package;
  return longest;
}

bool Packages::has(std::string_view key) const {
  const SqlPackage* package = package_of(key);
  if (package == nullptr) return library_module(key) != nullptr;
  if (!package->folder.empty()) return file_of(*package, key).has_value();
  return std::ranges::find(package->modules, key, &SqlPackage::Module::key) !=
         package->modules.end();
}

std::vector<std::string> Packages::keys() const {
  std::vector<std::string> keys;
  for (const LibraryModule& module : library_modules())
    if (package_of(module.key) == nullptr) keys.emplace_back(module.key);
  for (const SqlPackage& package : users_) {
    if (!package.folder.empty()) add_keys_of_folder(package, keys);
    for (const SqlPackage::Module& module : package.modules) keys.push_back(module.key);
  }
  std::ranges::sort(keys);
  const auto same = std::ranges::unique(keys);
  keys.erase(same.begin(), same.end());
  return keys;
}

std::string Packages::hint(std::string_view key) const {
  const std::vector<std::string> all = keys();
  const std::vector<std::string_view> candidates(all.begin(), all.end());
  const auto near = nearest(key, candidates);
  return near ? fmt::format("did you mean '{}'?\n", *near) : "";
}

Result<std::vector<std::string>> Packages::find(std::string_view key) const {
  const std::string_view first = key.substr(0, key.find('.'));
  const size_t star = key.find('*');
  const bool is_wildcard = star != key.npos;
  if (is_wildcard && star + 1 == key.size()) {
    if (first == "common") return fail(ErrorCode::Sql, removed_text(first));
    std::vector<std::string> found = keys();
    std::erase_if(
        found, [&](const std::string& module) { return !module.starts_with(key.substr(0, star)); });
    return found;
  }
  if (!is_wildcard && has(key)) return std::vector<std::string>{std::string(key)};
  if (package_of(key) == nullptr && !is_library_package(first)) {
    if (first == "common") return fail(ErrorCode::Sql, removed_text(first));
    return fail(ErrorCode::Sql, fmt::format("{}INCLUDE: Package '{}' not found", hint(key), key));
  }
  return fail(ErrorCode::Sql, fmt::format("{}INCLUDE: unknown module '{}'", hint(key), key));
}

Result<std::string> Packages::read(std::string_view key) const {
  const SqlPackage* package = package_of(key);
  if (package == nullptr) {
    const LibraryModule* module = library_module(key);
    if (module != nullptr) return std::string(module->text);
  } else if (!package->folder.empty()) {
    const std::optional<fs::path> file = file_of(*package, key);
    if (file) return read_text(file->string());
  } else {
    for (const SqlPackage::Module& module : package->modules)
      if (module.key == key) return module.text;
  }
  return fail(ErrorCode::Sql, fmt::format("INCLUDE: unknown module '{}'", key));
}

}  // namespace tracebraid
