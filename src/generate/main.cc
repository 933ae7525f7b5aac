// tracebraid-generate: trace files for examples, benchmarks and tests.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "generate/generate.h"

namespace {

using tracebraid::Result;
namespace generate = tracebraid::generate;

std::string kinds_text() {
  std::string text = "Kinds:\n";
  for (const generate::Kind& kind : generate::kinds())
    text += fmt::format("  {:<12} {}\n", kind.name, kind.about);
  return text + "  examples     the files of examples/; the output is a folder";
}

Result<> run(const std::string& kind, const generate::Order& order, const std::string& path) {
  if (kind == "examples") return generate::generate_examples(path);
  if (const generate::Kind* found = generate::find_kind(kind))
    return generate::generate(*found, order, path);
  return tracebraid::fail(tracebraid::ErrorCode::Usage,
                          "no kind '" + kind + "'; --help lists them");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Writes made-up trace files; the same options give the same bytes.",
               "tracebraid-generate");
  app.footer(kinds_text());
  std::string kind, path;
  generate::Order order;
  app.add_option("kind", kind, "What to write")->required();
  app.add_option("-o,--output,output", path, "File to write")->required();
  app.add_option("--size", order.bytes, "Size at which the file ends: 300M, 2G ...")
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str();
  app.add_option("--seed", order.seed, "Another seed gives other events")->capture_default_str();
  app.add_option("--slices", order.slices, "Of timeline: number of slices, instead of --size")
      ->transform(CLI::AsSizeValue(true))
      ->capture_default_str();
  app.add_option("--tracks", order.tracks, "Of timeline: number of threads")->capture_default_str();
  app.add_option("--depth", order.depth, "Of timeline: deepest nesting of slices")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  Result<> done = run(kind, order, path);
  if (done) return 0;
  fmt::print(stderr, "tracebraid-generate: error: {}\n", done.error().message);
  return done.error().code == tracebraid::ErrorCode::Usage ? 2 : 3;
}
