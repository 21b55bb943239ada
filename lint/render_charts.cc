// Charts: each through `helm template`, with every set of values files that the configuration has for it.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "lint/chart.h"
#include "lint/folder.h"
#include "lint/parallel.h"
#include "lint/read_file.h"
#include "lint/render.h"
#include "lint/rendered_text.h"
#include "lint/template_place.h"

namespace gpulint {
namespace {

struct Outcome {
  bool rendered = false;
  std::set<std::string> values;  // files that went into it
  std::vector<NamedReport> reports;
  std::vector<NotJudged> not_judged;
  std::vector<PassedOver> passed_over;
};

std::vector<std::vector<std::string>> value_sets(const Chart& chart, const Rendering& rendering) {
  const Policy& policy = rendering.policy;
  std::vector<std::vector<std::string>> sets;
  for (const RenderSettings::Chart& entry : policy.render.charts) {
    if (!policy.matches(entry.paths, shown(chart.folder))) continue;
    std::vector<std::string>& set = sets.emplace_back();
    for (const std::string& file : entry.values) set.push_back(policy.paths.openable(file));
  }
  if (sets.empty()) sets.emplace_back();
  for (std::vector<std::string>& set : sets) set.insert(set.end(), rendering.options.values.begin(), rendering.options.values.end());
  return sets;
}

// A rule and the line it is about, without indentation.
using Remark = std::pair<const Rule*, std::string>;
using SaidByValues = std::set<Remark>;

Remark remark_of(const Finding& finding) {
  const std::size_t begin = finding.excerpt.find_first_not_of(" -");
  return {finding.rule, begin == std::string::npos ? std::string() : finding.excerpt.substr(begin)};
}

SaidByValues said_by_values(const Chart& chart, const std::vector<std::string>& values, const std::vector<NamedReport>& reports) {
  const std::string inside = Folder(chart.folder).path_of("");
  SaidByValues said;
  for (const NamedReport& one : reports) {
    const bool is_values = one.name.starts_with(inside) && one.name.substr(one.name.rfind('/') + 1).starts_with("values");
    if (!is_values && std::find(values.begin(), values.end(), one.name) == values.end()) continue;
    for (const Finding& finding : one.report.findings) said.insert(remark_of(finding));
  }
  return said;
}

// Puts findings about the output of a template at the lines of the template.
class Placer {
 public:
  Placer(const std::string& file, std::string_view output)
      : source_text_(text_of_file(file, kMaxFileSize).value_or("")), output_(output), source_(source_text_) {}

  // `said` is what values files say of themselves: what came from there is not said again.
  void place(std::vector<Finding>& findings, const std::string& command, const SaidByValues& said) const {
    std::erase_if(findings, [&](Finding& finding) {
      const auto place = place_in_template(output_, finding.range, source_);
      if (!(place && place->same_text) && said.contains(remark_of(finding))) return true;
      mark_rendered(finding, command);
      set_place(finding, place);
      return false;
    });
    std::stable_sort(findings.begin(), findings.end(), in_output_order);
  }

 private:
  static void set_place(Finding& finding, const std::optional<TemplatePlace>& place) {
    if (!place) return place_at_top(finding);
    finding.range = place->range;
    finding.excerpt = place->excerpt;
    finding.excerpt_column = 1;
    finding.excerpt_goes_on = false;
  }

  std::string source_text_;
  KeyedLines output_, source_;
};

using Identity = std::tuple<const Rule*, std::string, std::string, std::string, std::string, std::string>;

Identity identity_of_finding(const Finding& finding) {
  return {finding.rule, finding.file, finding.object.kind, finding.object.name, finding.pointer.text(), finding.container};
}

// What one set of values shows need not be said again for the next; the worst of them counts.
void add_new(std::vector<Finding>& all, std::vector<Finding>& more) {
  std::map<Identity, std::size_t> known;
  for (std::size_t i = 0; i < all.size(); ++i) known.emplace(identity_of_finding(all[i]), i);
  for (Finding& finding : more) {
    const auto found = known.find(identity_of_finding(finding));
    if (found == known.end()) {
      all.push_back(std::move(finding));
      continue;
    }
    Finding& old = all[found->second];
    if (std::pair(!finding.suppressed, finding.severity) > std::pair(!old.suppressed, old.severity)) old = std::move(finding);
  }
}

void add_report(Outcome& outcome, const std::string& file, FileReport report) {
  const auto known = std::find_if(outcome.reports.begin(), outcome.reports.end(), [&](const NamedReport& one) { return one.name == file; });
  if (known == outcome.reports.end()) {
    outcome.reports.push_back({file, std::move(report)});
    return;
  }
  FileReport& old = known->report;
  report.counts.files = 0;
  old.counts += report.counts;
  add_new(old.findings, report.findings);
  std::move(report.proposed.begin(), report.proposed.end(), std::back_inserter(old.proposed));
  std::move(report.facts.begin(), report.facts.end(), std::back_inserter(old.facts));
  for (NotJudged& one : report.not_judged) old.not_judged.push_back(std::move(one));
  for (const auto& [rule, objects] : report.undecided) old.undecided[rule] += objects;
}

void judge_output(const Chart& chart, const RenderedText& rendered, const std::vector<std::string>& values, const Rendering& rendering,
                  Outcome& outcome) {
  const SaidByValues said = said_by_values(chart, values, rendering.reports);
  for (const TemplateOutput& output : split_by_template(rendered.text)) {
    const std::optional<std::string> shown = chart.shown(chart.file_of(output.source));
    if (!shown) continue;
    const std::string& file = *shown;
    if (!rendering.exclusions.reason(file, false).empty()) continue;
    FileReport report = inspect(Source(file, output.text), rendering.policies.of(file));
    if (!report.findings.empty() || !report.proposed.empty()) {
      const Placer placer(file, output.text);
      placer.place(report.findings, rendered.command, said);
      placer.place(report.proposed, rendered.command, said);
    }
    add_report(outcome, file, std::move(report));
  }
  outcome.rendered = true;
  outcome.values.insert(values.begin(), values.end());
}

// A values file that is named and not there is wrong input, whether or not helm would have opened it.
void check_values(const std::vector<Chart>& charts, Rendering& rendering) {
  std::set<std::string> files(rendering.options.values.begin(), rendering.options.values.end());
  for (const Chart& chart : charts)
    for (const std::vector<std::string>& set : value_sets(chart, rendering)) files.insert(set.begin(), set.end());
  for (const std::string& file : files)
    if (access(file.c_str(), R_OK) != 0) rendering.unreadable.push_back({file, 0, std::strerror(errno)});
}

Outcome outcome_of(const Chart& chart, const Rendering& rendering) {
  Outcome outcome;
  const auto sets = value_sets(chart, rendering);
  const Policy& policy = rendering.policies.of(shown(chart.folder));
  const bool wanted = mentions_gpu(chart, policy) || std::any_of(sets.begin(), sets.end(), [&](const auto& set) {
    return std::any_of(set.begin(), set.end(), [&](const std::string& file) { return mentions_gpu(file, policy); });
  });
  if (!wanted) return outcome;
  if (chart.is_library) {
    outcome.rendered = true;
    outcome.passed_over.push_back({Folder(chart.folder).path_of("templates/"), "judged in the charts that use them (library chart)"});
    return outcome;
  }
  for (const std::vector<std::string>& values : sets) {
    const RenderedText rendered = render_chart(chart.folder, values, std::chrono::seconds(policy.render.timeout));
    if (rendered.trouble.empty()) judge_output(chart, rendered, values, rendering, outcome);
    else outcome.not_judged.push_back({shown(chart.folder), 0, rendered.trouble});
  }
  return outcome;
}

// A template that was not rendered is told of by its chart.
void forget_unrendered(FileReport& report) {
  std::erase_if(report.findings, [](const Finding& finding) { return finding.rule->id == "unrendered-template"; });
  std::erase_if(report.not_judged, [](const NotJudged& one) { return one.reason == "unrendered template"; });
}

void replace_templates(const Chart& chart, Outcome& outcome, std::vector<NamedReport>& reports) {
  std::erase_if(reports, [&](NamedReport& one) {
    // A chart that could not be rendered is told of itself.
    const bool tried = outcome.rendered || !outcome.not_judged.empty();
    if (tried && (chart.has_description(one.name) || outcome.values.contains(one.name))) forget_no_object(one.report);
    if (!chart.has_template(one.name)) return false;
    if (!outcome.rendered) {
      if (!outcome.not_judged.empty()) forget_unrendered(one.report);
      return false;
    }
    const bool judged = std::any_of(outcome.reports.begin(), outcome.reports.end(), [&](const NamedReport& other) { return other.name == one.name; });
    if (!judged && !chart.is_library) outcome.passed_over.push_back({one.name, "rendered to nothing"});
    return true;
  });
}

std::vector<Chart> asked_about(const std::vector<RenderedFolder>& folders) {
  std::set<std::string> names;
  for (const RenderedFolder& one : folders) names.insert(one.folder);
  std::vector<Chart> charts = charts_of(names);
  for (Chart& chart : charts)
    for (const RenderedFolder& one : folders) {
      if (one.folder != chart.folder) continue;
      if (!one.within) {
        chart.within.clear();
        break;
      }
      chart.within.push_back(*one.within);
    }
  return charts;
}

}  // namespace

void render_charts(const std::vector<RenderedFolder>& folders, Rendering& rendering) {
  const std::vector<Chart> charts = asked_about(folders);
  check_values(charts, rendering);
  std::vector<Outcome> outcomes(charts.size());
  for_each_in_parallel(charts.size(), rendering.threads, [&](std::size_t i) { outcomes[i] = outcome_of(charts[i], rendering); });
  for (std::size_t i = 0; i < charts.size(); ++i) {
    Outcome& outcome = outcomes[i];
    replace_templates(charts[i], outcome, rendering.reports);
    std::move(outcome.reports.begin(), outcome.reports.end(), std::back_inserter(rendering.reports));
    std::move(outcome.not_judged.begin(), outcome.not_judged.end(), std::back_inserter(rendering.rest.not_judged));
    std::move(outcome.passed_over.begin(), outcome.passed_over.end(), std::back_inserter(rendering.passed_over));
    rendering.rest.counts.renderings += outcome.rendered && !charts[i].is_library;
  }
}

}  // namespace gpulint
