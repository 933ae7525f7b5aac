// Uploads: POST /uploads, PUT, GET (for HEAD) and DELETE /uploads/{u}.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/descriptor.h"
#include "base/temporary_file.h"
#include "base/words.h"
#include "engine/rows.h"
#include "server/api/json_body.h"
#include "server/api/problem.h"
#include "server/api/route.h"
#include "server/api/viewer_files.h"

namespace tracebraid::api {
namespace {

constexpr size_t kMostUploads = 64;

constexpr std::string_view kUploadSchema =
    R"({"type":"object","required":["upload","name","size","offset","complete"],"properties":{"upload":{"type":"string"},"name":{"type":"string"},"size":{"type":"string"},"offset":{"type":"integer"},"complete":{"type":"boolean"}}})";

std::string upload_json(const Upload& upload) {
  const uint64_t received = upload.received;
  JsonText json(JsonText::kCompact);
  json.open_object();
  json.add("upload", std::to_string(upload.id)).add("name", upload.name);
  json.add("size", std::to_string(upload.size)).add("offset", received);
  json.add("complete", received == upload.size).close_object();
  return std::move(json).finish();
}

Result<std::shared_ptr<Upload>> make_upload(Api& api, const std::string& body) {
  TB_TRY_ASSIGN(const JsonValue json, parse_json(body));
  TB_TRY_ASSIGN(std::string name, json.member("name").text());
  TB_TRY_ASSIGN(const int64_t size, json.member("size").integer());
  if (size < 0) return fail(ErrorCode::Usage, "size: must not be negative");
  TB_TRY(api.spool->take(static_cast<uint64_t>(size)));
  auto upload = std::make_shared<Upload>(api.new_id(), std::move(name), static_cast<uint64_t>(size),
                                         *api.spool);
  const Descriptor file(
      ::open(upload->path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file) return tl::unexpected(temporary_file_error(api.spool->folder(), errno));
  api.uploads.add(upload->id, upload);
  return upload;
}

http::Response post_upload(Api& api, const Call& call) {
  if (api.uploads.size() >= kMostUploads)
    return problem(kRateLimited, "64 uploads exist already; delete one");
  const Result<std::shared_ptr<Upload>> upload = make_upload(api, call.request->body);
  return upload ? json_response(upload_json(**upload), 201) : problem(upload.error());
}

http::Response get_upload(Api& api, const Call& call) {
  const auto upload = api.uploads.find(call.id(0));
  if (upload == nullptr) return not_found("upload", call.ids[0]);
  http::Response response = json_response(upload_json(*upload));
  response.headers.push_back({"Upload-Offset", std::to_string(upload->received)});
  return response;
}

http::Response delete_upload(Api& api, const Call& call) {
  if (api.uploads.remove(call.id(0)) == nullptr) return not_found("upload", call.ids[0]);
  return {.status = 204};
}

// Writes the pieces of one chunk, on workers.
class UploadSink final : public http::BodySink {
 public:
  UploadSink(Api& api, std::shared_ptr<Upload> upload)
      : api_(api),
        upload_(std::move(upload)),
        file_(std::make_shared<Descriptor>(::open(upload_->path.c_str(), O_WRONLY | O_CLOEXEC))) {}
  ~UploadSink() override { upload_->is_writing = false; }

  void add(std::string bytes, std::function<void(std::optional<http::Response>)> done) override {
    api_.pool.submit(TaskClass::Answers,
                     [upload = upload_, file = file_, bytes = std::move(bytes),
                      done = std::move(done)] { done(write(*upload, *file, bytes)); });
  }

 private:
  static std::optional<http::Response> write(Upload& upload, const Descriptor& file,
                                             std::string_view bytes) {
    upload.used = Clock::now().time_since_epoch().count();
    if (upload.received + bytes.size() > upload.size)
      return with_common_headers(problem(kTooLarge, "the upload is larger than declared"));
    while (!bytes.empty()) {
      const ssize_t written =
          ::pwrite(file.fd(), bytes.data(), bytes.size(), static_cast<off_t>(upload.received));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0)
        return with_common_headers(
            problem(kLimit, temporary_file_error(upload.spool.folder(), errno).message));
      upload.received += static_cast<uint64_t>(written);
      bytes.remove_prefix(static_cast<size_t>(written));
    }
    return std::nullopt;
  }

  Api& api_;
  const std::shared_ptr<Upload> upload_;
  const std::shared_ptr<Descriptor> file_;
};

// Returns why a chunk cannot be written at the offset of the call, if so.
std::optional<http::Response> refuse_chunk(const Upload* upload, const Call& call) {
  if (upload == nullptr) return not_found("upload", call.ids[0]);
  const std::string* const text = call.find("offset");
  const std::optional<int64_t> offset = text == nullptr ? 0 : parse_decimal(*text);
  if (!offset || static_cast<uint64_t>(*offset) != upload->received)
    return problem(kConflict, "offset: the upload has " + std::to_string(upload->received) +
                                  " bytes; go on there");
  if (upload->is_writing) return problem(kConflict, "another request writes this upload");
  return std::nullopt;
}

// Without a sink, put_chunk() is called at once and says why.
std::unique_ptr<http::BodySink> chunk_sink(Api& api, const Call& call) {
  const auto upload = api.uploads.find(call.id(0));
  if (refuse_chunk(upload.get(), call)) return nullptr;
  upload->is_writing = true;
  return std::make_unique<UploadSink>(api, upload);
}

// The answer behind a chunk, and the refusal of one that got no sink, of which nothing was read.
http::Response put_chunk(Api& api, const Call& call) {
  const auto upload = api.uploads.find(call.id(0));
  if (call.request->body_size == 0)
    if (std::optional<http::Response> refusal = refuse_chunk(upload.get(), call))
      return *std::move(refusal);
  if (upload == nullptr) return not_found("upload", call.ids[0]);
  return json_response(upload_json(*upload));
}

}  // namespace

std::vector<Route> upload_routes() {
  return {
      {.method = "POST",
       .path = "/uploads",
       .about = "begin the upload of a file of a declared size",
       .answer = post_upload,
       .on = TaskClass::Answers,
       .most_body = kMostJson,
       .body =
           R"({"type":"object","required":["name","size"],"properties":{"name":{"type":"string"},"size":{"type":["integer","string"]}}})",
       .status = "201",
       .schema = kUploadSchema},
      {.method = "GET",
       .path = "/uploads/{u}",
       .about = "the bytes received so far, also as the header Upload-Offset for HEAD",
       .answer = get_upload,
       .schema = kUploadSchema},
      {.method = "PUT",
       .path = "/uploads/{u}",
       .about = "the next chunk, of at most 64 MiB",
       .answer = put_chunk,
       .sink = chunk_sink,
       .most_body = kMostChunk,
       .parameters = {{"offset", "the bytes sent before"}},
       .schema = kUploadSchema},
      {.method = "DELETE",
       .path = "/uploads/{u}",
       .about = "drop an upload",
       .answer = delete_upload,
       .on = TaskClass::Answers,
       .status = "204"}};
}

}  // namespace tracebraid::api
