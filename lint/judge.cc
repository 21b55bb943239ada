#include "lint/judge.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "rules/engine/effective_policies.h"

namespace gpulint {
namespace {

// A buffer larger than this is given to the Source instead of copied.
constexpr std::size_t kCopiedSize = 1 << 16;

class Judge : public FileReceiver {
 public:
  Judge(const EffectivePolicies& policies, const JudgeOptions& options)
      : trace(options.wanted), policies_(policies), tells_(options.wanted.times || options.wanted.cluster), lists_files_(options.list_files),
        renders_(options.render.enabled), progress_(options.progress) {}

  void text(std::string name, std::string_view bytes, std::string& buffer, bool in_doubt) override {
    FileReport report = inspect(source_of(name, bytes, buffer), policies_.of(name), tells_ ? &trace : nullptr);
    if (progress_) progress_->file_read();
    if (lists_files_) files.push_back({name, report.counts.documents, report.counts.skipped_documents});
    // Nine in ten files have nothing to say but their counts: these are summed here, unless they may have to be taken back.
    const bool says_nothing = report.counts.documents == report.counts.skipped_documents && report.findings.empty() && report.not_judged.empty() &&
                              report.read.empty();
    if (says_nothing && renders_) wordless.push_back(std::hash<std::string>()(name));
    if (says_nothing && !in_doubt && !may_be_rendered(name)) rest.counts += report.counts;
    else reports.push_back({std::move(name), std::move(report)});
  }
  void not_judged(std::string name, std::string reason) override { rest.not_judged.push_back({std::move(name), 0, std::move(reason)}); }
  void unreadable(std::string name, std::string reason) override { failures.push_back({std::move(name), 0, std::move(reason)}); }

  void forget(const Names& names) override {
    std::erase_if(reports, [&](const NamedReport& one) { return names.contains(one.name); });
    std::erase_if(rest.not_judged, [&](const NotJudged& one) { return names.contains(one.file); });
    std::erase_if(failures, [&](const NotJudged& one) { return names.contains(one.file); });
    std::erase_if(files, [&](const JudgedFile& one) { return names.contains(one.name); });
    std::erase_if(trace.evidence, [&](const ClusterEvidence& one) { return names.contains(one.file); });
  }

  std::vector<NamedReport> reports;
  FileReport rest;
  std::vector<NotJudged> failures;
  std::vector<JudgedFile> files;
  std::vector<std::size_t> wordless;  // hashes of names: of files without a GPU word, which renderings then need not search again
  Trace trace;

 private:
  static Source source_of(const std::string& name, std::string_view bytes, std::string& buffer) {
    if (bytes.size() < kCopiedSize) return Source(name, std::string(bytes));
    buffer.resize(bytes.size());
    return Source(name, std::exchange(buffer, {}));
  }

  const EffectivePolicies& policies_;
  bool tells_, lists_files_, renders_;
  Progress* progress_;
};

template <class T>
void move_behind(std::vector<T>& to, std::vector<T>& from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

std::vector<NotJudged> as_not_judged(std::vector<PassedOver> passed_over) {
  std::vector<NotJudged> all;
  for (PassedOver& one : passed_over) all.push_back({std::move(one.path), 0, std::move(one.reason)});
  return all;
}

// What all threads found, as far as renderings may change it.
struct Gathered {
  std::vector<NamedReport> reports;
  FileReport rest;
  std::vector<std::size_t> wordless;
};

// Which thread met which file is chance; from here on nothing is.
Gathered gather(const std::vector<Judge*>& judges, Judgement& judgement) {
  Gathered all;
  for (Judge* one : judges) {
    move_behind(all.reports, one->reports);
    all.rest.counts += one->rest.counts;
    move_behind(all.rest.not_judged, one->rest.not_judged);
    move_behind(judgement.report.unreadable, one->failures);
    move_behind(judgement.report.files, one->files);
    move_behind(all.wordless, one->wordless);
    judgement.trace += std::move(one->trace);
  }
  std::sort(all.wordless.begin(), all.wordless.end());
  std::sort(all.reports.begin(), all.reports.end(), [](const NamedReport& a, const NamedReport& b) { return a.name < b.name; });
  std::sort(judgement.report.files.begin(), judgement.report.files.end(), [](const JudgedFile& a, const JudgedFile& b) { return a.name < b.name; });
  return all;
}

}  // namespace

Judgement judge(const std::vector<std::string>& paths, const Policy& policy, const JudgeOptions& options) {
  const EffectivePolicies policies(policy);
  std::vector<std::unique_ptr<FileReceiver>> receivers;
  std::vector<Judge*> judges;
  for (unsigned i = 0; i < options.threads; ++i) {
    auto one = std::make_unique<Judge>(policies, options);
    judges.push_back(one.get());
    receivers.push_back(std::move(one));
  }
  FilesRead read = read_files(paths, receivers, options.input);

  Judgement judgement;
  Gathered all = gather(judges, judgement);
  if (options.progress) options.progress->begin_rendering();
  render(read.rendered, {policies, policy, options.render, options.input.exclusions, options.threads, all.reports, all.rest, read.passed_over,
                         judgement.report.unreadable, all.wordless});
  std::vector<FileReport> reports;
  for (NamedReport& one : all.reports) reports.push_back(std::move(one.report));
  reports.push_back(std::move(all.rest));
  Report report = conclude(std::move(reports), policy);
  report.unreadable = std::move(judgement.report.unreadable);
  std::sort(report.unreadable.begin(), report.unreadable.end(), [](const NotJudged& a, const NotJudged& b) { return a.file < b.file; });
  report.files = std::move(judgement.report.files);
  report.passed_over = as_not_judged(std::move(read.passed_over));
  judgement.report = std::move(report);
  judgement.git_troubles = std::move(read.git_troubles);
  return judgement;
}

}  // namespace gpulint
