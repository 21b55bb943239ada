#include "webhook/log.h"

#include <fmt/chrono.h>
#include <unistd.h>

#include <mutex>
#include <nlohmann/json.hpp>

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

std::string now() {
  auto moment = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  auto millis = moment.time_since_epoch().count() % 1000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(moment)), millis);
}

std::string text_of_line(const Json& line) { return line.dump(-1, ' ', false, Json::error_handler_t::replace); }

void write_line(std::string line) {
  static std::mutex mutex;
  line += '\n';
  std::lock_guard lock(mutex);
  for (std::string_view rest = line; !rest.empty();) {
    ssize_t count = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // nobody reads the log: no reason to stop answering
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace

void log_event(std::string_view level, std::string_view message,
               std::initializer_list<std::pair<std::string_view, std::string_view>> facts) {
  Json line{{"time", now()}, {"level", level}, {"message", message}};
  for (const auto& [key, value] : facts) line[std::string(key)] = value;
  write_line(text_of_line(line));
}

std::string decision_line(Endpoint endpoint, const AdmissionAnswer& answer, std::chrono::nanoseconds duration) {
  bool failed = answer.verdict == Verdict::fault || answer.verdict == Verdict::refused;
  Json line{{"time", now()},
            {"level", failed ? "error" : "info"},
            {"message", "decision"},
            {"endpoint", endpoint == Endpoint::validate ? "validate" : "mutate"},
            {"uid", answer.uid},
            {"user", answer.user},
            {"operation", answer.operation},
            {"object", answer.object},
            {"dry_run", answer.dry_run},
            {"decision", name_of(answer.verdict)}};
  if (!answer.reason.empty()) line["reason"] = answer.reason;
  line["rules"] = answer.rules;
  line["duration_ms"] = static_cast<double>(std::chrono::duration_cast<std::chrono::microseconds>(duration).count()) / 1000;
  return text_of_line(line);
}

void log_decision(Endpoint endpoint, const AdmissionAnswer& answer, std::chrono::nanoseconds duration) {
  write_line(decision_line(endpoint, answer, duration));
}

}  // namespace gpulint
