#include "lint/lint_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>

#include "lint/exit_status.h"
#include "lint/files.h"
#include "lint/judge.h"
#include "lint/report.h"
#include "lint/settings.h"
#include "lint/trace_text.h"
#include "lint/visible_text.h"

namespace gpulint {
namespace {

struct Destination {
  const ReportFormat* format = nullptr;
  std::string file;  // empty: standard output
};

std::string format_names() {
  std::string names;
  for (const ReportFormat& format : report_formats()) names += fmt::format("{}{}", names.empty() ? "" : ", ", format.name);
  return names;
}

// Wrong ones are told to the user, and nothing is returned.
std::optional<std::vector<Destination>> destinations_of(const std::vector<std::string>& outputs) {
  std::vector<Destination> destinations;
  for (const std::string& output : outputs) {
    const std::size_t equals = output.find('=');
    const Destination destination{find_report_format(output.substr(0, equals)), equals == output.npos ? "" : output.substr(equals + 1)};
    if (!destination.format) {
      complain(fmt::format("gpulint: --output {}: no such format; there are {}", visible(output), format_names()));
      return std::nullopt;
    }
    if (equals != output.npos && destination.file.empty()) {
      complain(fmt::format("gpulint: --output {}: a file name must follow the =", visible(output)));
      return std::nullopt;
    }
    destinations.push_back(destination);
  }
  if (destinations.empty()) destinations.push_back({find_report_format("text"), ""});
  if (std::count_if(destinations.begin(), destinations.end(), [](const Destination& d) { return d.file.empty(); }) > 1) {
    complain("gpulint: --output: only one report can go to standard output; send the others to files with FORMAT=FILE");
    return std::nullopt;
  }
  return destinations;
}

// https://no-color.org: set and not empty means no.
bool wants_colour(std::string_view choice, int descriptor) {
  if (choice != "auto") return choice == "always";
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return isatty(descriptor) && !(no_colour && *no_colour) && !(terminal && std::string_view(terminal) == "dumb");
}

bool write_report(const Report& report, const Destination& destination, const LintOptions& options) {
  const bool to_file = !destination.file.empty();
  const int descriptor = to_file ? open(destination.file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : STDOUT_FILENO;
  int error = descriptor < 0 ? errno : 0;
  if (!error) {
    const auto shows = [&](std::string_view word) { return std::find(options.show.begin(), options.show.end(), word) != options.show.end(); };
    Output out(descriptor);
    destination.format->write(report, {wants_colour(options.colour, descriptor), shows("info"), shows("suppressed"), !options.quiet}, out);
    error = out.flush();
  }
  if (to_file && descriptor >= 0 && close(descriptor) != 0 && !error) error = errno;
  if (error) complain(fmt::format("gpulint: cannot write {}: {}", to_file ? visible(destination.file) : "standard output", std::strerror(error)));
  return !error;
}

unsigned threads_of(const LintOptions& options) { return options.threads ? options.threads : std::max(std::thread::hardware_concurrency(), 1u); }

// Whether every input could be read and, where that is asked for, judged.
bool input_is_complete(const Judgement& judgement, const LintOptions& options) {
  for (const UnreadableInput& input : judgement.unreadable) complain(fmt::format("gpulint: cannot read {}: {}", visible(input.path), input.reason));
  const bool nothing = judgement.report.counts.files == 0 && judgement.report.not_judged.empty() && judgement.unreadable.empty();
  if (nothing && !options.quiet) complain("gpulint: no file named .yaml, .yml or .json found");
  return judgement.unreadable.empty() && !(options.strict_input && (nothing || !judgement.report.not_judged.empty()));
}

// To standard error: a report on standard output stays what its format says.
void tell(const Trace& trace, const Cluster& known, const LintOptions& options) {
  Output out(STDERR_FILENO);
  if (options.explain_cluster) out.write(evidence_text(trace, known));
  if (options.profile_rules) out.write(profile_text(trace));
}

}  // namespace

int lint(const LintOptions& options) {
  const auto destinations = destinations_of(options.outputs);
  if (!destinations) return kExitTrouble;
  const std::optional<Policy> policy = settings_of(options);
  if (!policy) return kExitTrouble;
  const std::vector<std::string> paths = options.paths.empty() ? std::vector<std::string>{"."} : options.paths;
  const Judgement judgement = judge(paths, *policy, threads_of(options), {.times = options.profile_rules, .cluster = options.explain_cluster});
  bool complete = input_is_complete(judgement, options);
  for (const Destination& destination : *destinations) complete &= write_report(judgement.report, destination, options);
  tell(judgement.trace, policy->cluster, options);
  if (!complete) return kExitTrouble;
  return decide(judgement.report, *policy).failed ? kExitFindings : kExitClean;
}

}  // namespace gpulint
