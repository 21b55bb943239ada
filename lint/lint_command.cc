#include "lint/lint_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <thread>

#include "lint/baseline_file.h"
#include "lint/exit_status.h"
#include "lint/files.h"
#include "lint/judge.h"
#include "lint/progress.h"
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
    if (!destination.file.empty() && std::any_of(destinations.begin(), destinations.end(), [&](const Destination& d) { return tidy_path(d.file) == tidy_path(destination.file); })) {
      complain(fmt::format("gpulint: --output {}: another report goes to that file", visible(output)));
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

bool shows(const LintOptions& options, std::string_view what) { return std::find(options.show.begin(), options.show.end(), what) != options.show.end(); }

ReportOptions report_options_of(const LintOptions& options, const Policy& policy) {
  std::error_code unknown;
  ReportOptions report;
  report.show_infos = shows(options, "info") || policy.fail_on == Severity::info;  // what fails a run is told
  report.show_suppressed = shows(options, "suppressed");
  report.show_skipped = shows(options, "skipped");
  report.summary = !options.quiet;
  report.statistics = options.statistics;
  report.max_findings = options.max_findings;
  report.fail_on = policy.fail_on;
  report.working_directory = std::filesystem::current_path(unknown).string();
  return report;
}

bool write_report(const Report& report, const Destination& destination, const LintOptions& options, ReportOptions report_options) {
  const bool to_file = !destination.file.empty();
  const int descriptor = to_file ? open(destination.file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : STDOUT_FILENO;
  int error = descriptor < 0 ? errno : 0;
  if (!error) {
    Output out(descriptor);
    report_options.colour = wants_colour(options.colour, descriptor);
    destination.format->write(report, report_options, out);
    error = out.flush();
  }
  if (to_file && descriptor >= 0 && close(descriptor) != 0 && !error) error = errno;
  if (error) complain(fmt::format("gpulint: cannot write {}: {}", to_file ? visible(destination.file) : "standard output", std::strerror(error)));
  return !error;
}

unsigned threads_of(const LintOptions& options) { return options.threads ? options.threads : std::max(std::thread::hardware_concurrency(), 1u); }

// A gate must not close, nor open, for a reason that nobody is told.
void tell_not_judged(const Report& report, const LintOptions& options, const std::vector<Destination>& destinations) {
  const bool told = !options.quiet && std::any_of(destinations.begin(), destinations.end(), [](const Destination& d) { return d.file.empty() && d.format->tells_not_judged; });
  if (report.not_judged.empty() || (told && !options.strict_input) || (options.quiet && !options.strict_input)) return;
  const NotJudged& first = report.not_judged.front();
  const std::size_t more = report.not_judged.size() - 1;
  complain(fmt::format("gpulint: {}not judged: {} ({}){}", options.strict_input ? "--strict-input: " : "", visible(first.file), visible(first.reason),
                       more ? fmt::format(" and {} more, see them with --show skipped", more) : ""));
}

// Words that ask for nothing, or for two things at once. Said, and false.
bool words_make_sense(const LintOptions& options) {
  const auto reads = [&](std::string_view path) { return std::find(options.paths.begin(), options.paths.end(), path) != options.paths.end(); };
  if (reads("")) complain("gpulint: a path is empty; the working directory is .");
  else if (!options.stdin_filename.empty() && !reads(kStandardInput))
    complain(fmt::format("gpulint: {} names standard input, which is read only as -", name_of_option(options, "--stdin-filename")));
  else return true;
  return false;
}

// Whether every input could be read and, where that is asked for, judged.
bool input_is_complete(const Judgement& judgement, const LintOptions& options) {
  const Report& report = judgement.report;
  for (const std::string& trouble : judgement.git_troubles)
    complain(fmt::format("gpulint: .gitignore is not respected, ignored files are read too: {}", visible(trouble)));
  for (const NotJudged& input : report.unreadable) complain(fmt::format("gpulint: cannot read {}: {}", visible(input.file), visible(input.reason)));
  const bool nothing = report.counts.files == 0 && report.not_judged.empty() && report.unreadable.empty() && report.passed_over.empty();
  if (nothing && !options.quiet) complain("gpulint: no file named .yaml, .yml or .json found");
  return report.unreadable.empty() && !(options.strict_input && (nothing || !report.not_judged.empty()));
}

JudgeOptions judge_options(const LintOptions& options, const Policy& policy) {
  JudgeOptions judging;
  judging.threads = threads_of(options);
  judging.input.exclusions = Exclusions(policy, options.exclude);
  if (!options.stdin_filename.empty()) judging.input.standard_input_name = tidy_path(options.stdin_filename);
  judging.render = {options.render != "never" && policy.render.enabled, options.values};
  judging.wanted.times = options.profile_rules;
  judging.wanted.cluster = options.explain_cluster;
  return judging;
}

Judgement judged(const LintOptions& options, const Policy& policy, const std::vector<Destination>& destinations) {
  const std::vector<std::string> paths = options.paths.empty() ? std::vector<std::string>{"."} : options.paths;
  // Standard input comes at its own pace, perhaps from a keyboard: there is nothing to count.
  const bool counts_files = std::find(paths.begin(), paths.end(), kStandardInput) == paths.end();
  Progress progress(!options.quiet && counts_files && can_show_progress());
  JudgeOptions judging = judge_options(options, policy);
  judging.progress = &progress;
  judging.list_files =
      shows(options, "skipped") || std::any_of(destinations.begin(), destinations.end(), [](const Destination& d) { return d.format->names_all_files; });
  return judge(paths, policy, judging);
}

// To standard error: a report on standard output stays what its format says.
void tell(const Trace& trace, const Policy& policy, const LintOptions& options) {
  Output out(STDERR_FILENO);
  if (options.explain_cluster) out.write(evidence_text(trace, policy));
  if (options.profile_rules) out.write(profile_text(trace));
}

bool save_baseline(const LintOptions& options, const Policy& policy, const Report& report) {
  const auto place = [&](const std::string& file) { return policy.paths.relative(file); };
  return write_baseline(options.write_baseline, report, place(options.write_baseline) == place(baseline_file_of(options, policy)), options.quiet);
}

}  // namespace

int lint(const LintOptions& options) {
  const auto destinations = destinations_of(options.outputs);
  if (!destinations || !words_make_sense(options)) return kExitTrouble;
  const std::optional<Policy> policy = settings_of(options);
  if (!policy) return kExitTrouble;
  const Judgement judgement = judged(options, *policy, *destinations);
  bool complete = input_is_complete(judgement, options);
  tell_not_judged(judgement.report, options, *destinations);
  if (policy->writes_baseline) complete &= save_baseline(options, *policy, judgement.report);
  for (const Destination& destination : *destinations) complete &= write_report(judgement.report, destination, options, report_options_of(options, *policy));
  tell(judgement.trace, *policy, options);
  if (!options.quiet) tell_stale_entries(judgement.report, baseline_file_of(options, *policy));
  if (!complete) return kExitTrouble;
  return decide(judgement.report, *policy).failed ? kExitFindings : kExitClean;
}

}  // namespace gpulint
