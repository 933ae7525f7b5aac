// CSV and TSV: a line of column names, then one line per row.
//
// CSV is RFC 4180: lines end in CR LF, and texts with a comma, a quote or a line end are quoted.
// NULL is an empty field, the empty text is "".
//
// TSV: tabs, line ends and backslashes in a text are escaped as \t, \n, \r and \\; NULL is \N. Each
// row is one line, without quotes.
#include <algorithm>
#include <array>

#include "base/hex.h"
#include "export/rows/cell_text.h"
#include "export/rows/row_writer.h"
#include "query/batch/cell_at.h"

namespace tracebraid {
namespace {

// Texts with one of these bytes are quoted in CSV, or escaped in TSV.
using Bytes = std::array<bool, 256>;
constexpr Bytes bytes_of(std::string_view text) {
  Bytes bytes{};
  for (const char c : text) bytes[static_cast<unsigned char>(c)] = true;
  return bytes;
}
constexpr Bytes kQuoted = bytes_of(",\"\r\n");
constexpr Bytes kEscaped = bytes_of("\t\n\r\\");

bool has_any(std::string_view text, const Bytes& bytes) {
  return std::ranges::any_of(text, [&](char c) { return bytes[static_cast<unsigned char>(c)]; });
}

void append_csv_text(std::string& to, std::string_view text) {
  if (!text.empty() && !has_any(text, kQuoted)) return append_valid_utf8(to, text);
  to.push_back('"');
  for (size_t begin = 0; begin <= text.size();) {
    const size_t quote = std::min(text.find('"', begin), text.size());
    append_valid_utf8(to, text.substr(begin, quote - begin));
    if (quote < text.size()) to.append("\"\"");
    begin = quote + 1;
  }
  to.push_back('"');
}

void append_tsv_text(std::string& to, std::string_view text) {
  if (!has_any(text, kEscaped)) return append_valid_utf8(to, text);
  constexpr std::string_view kSpecial = "\t\n\r\\";
  constexpr std::string_view kNames = "tnr\\";
  for (size_t begin = 0; begin <= text.size();) {
    const size_t at = std::min(text.find_first_of(kSpecial, begin), text.size());
    append_valid_utf8(to, text.substr(begin, at - begin));
    if (at < text.size()) {
      to.push_back('\\');
      to.push_back(kNames[kSpecial.find(text[at])]);
    }
    begin = at + 1;
  }
}

struct Dialect {
  char separator;
  std::string_view line_end;
  std::string_view null;
  void (*append_text)(std::string& to, std::string_view text);
};
constexpr Dialect kCsv{',', "\r\n", "", append_csv_text};
constexpr Dialect kTsv{'\t', "\n", "\\N", append_tsv_text};

class SeparatedWriter final : public BatchSink {
 public:
  SeparatedWriter(Output& out, const Dialect& dialect) : out_(out), dialect_(dialect) {}

  void begin(const Schema& schema) override {
    std::string& to = out_.buffer();
    if (!first_) to.append(dialect_.line_end);
    first_ = false;
    for (size_t i = 0; i < schema.fields.size(); ++i) {
      if (i > 0) to.push_back(dialect_.separator);
      dialect_.append_text(to, schema.fields[i].name);
    }
    to.append(dialect_.line_end);
  }

  bool add(const RecordBatch& batch) override {
    std::string& to = out_.buffer();
    for (size_t row = 0; row < batch.rows && out_.ok(); ++row) {
      for (size_t i = 0; i < batch.columns.size(); ++i) {
        if (i > 0) to.push_back(dialect_.separator);
        append_cell(to, cell_at(batch.columns[i], row));
      }
      to.append(dialect_.line_end);
      out_.drain();
    }
    out_.flush();
    return out_.ok();
  }

 private:
  void append_cell(std::string& to, const Cell& cell) const {
    switch (cell.kind) {
      case Cell::Kind::Null:
        to.append(dialect_.null);
        return;
      case Cell::Kind::Text:
        dialect_.append_text(to, cell.text);
        return;
      case Cell::Kind::Blob:
        append_hex(to, cell.text);
        return;
      case Cell::Kind::Int:
        append_integer(to, cell.integer);
        return;
      case Cell::Kind::Real:
        append_real(to, cell.real);
        return;
    }
  }

  Output& out_;
  const Dialect& dialect_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<BatchSink> make_csv_writer(Output& out, const RowLayout&) {
  return std::make_unique<SeparatedWriter>(out, kCsv);
}

std::unique_ptr<BatchSink> make_tsv_writer(Output& out, const RowLayout&) {
  return std::make_unique<SeparatedWriter>(out, kTsv);
}

}  // namespace tracebraid
