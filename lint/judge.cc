#include "lint/judge.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "lint/files.h"

namespace gpulint {
namespace {

// A buffer larger than this is given to the Source instead of copied.
constexpr std::size_t kCopiedSize = 1 << 16;

struct NamedReport {
  std::string name;
  FileReport report;
};

class Judge : public FileReceiver {
 public:
  Judge(const Policy& policy, const Trace& wanted) : trace(wanted), policy_(policy), tells_(wanted.times || wanted.cluster) {}

  void text(std::string name, std::string_view bytes, std::string& buffer) override {
    FileReport report = inspect(source_of(name, bytes, buffer), policy_, tells_ ? &trace : nullptr);
    // Nine in ten files have nothing to say but their counts: these are summed here.
    if (report.counts.documents == report.counts.skipped_documents && report.findings.empty() && report.not_judged.empty()) rest.counts += report.counts;
    else reports.push_back({std::move(name), std::move(report)});
  }
  void not_judged(std::string name, std::string reason) override { rest.not_judged.push_back({std::move(name), 0, std::move(reason)}); }
  void unreadable(std::string name, std::string reason) override { failures.push_back({std::move(name), std::move(reason)}); }

  std::vector<NamedReport> reports;
  FileReport rest;
  std::vector<UnreadableInput> failures;
  Trace trace;

 private:
  static Source source_of(const std::string& name, std::string_view bytes, std::string& buffer) {
    if (bytes.size() < kCopiedSize) return Source(name, std::string(bytes));
    buffer.resize(bytes.size());
    return Source(name, std::exchange(buffer, {}));
  }

  const Policy& policy_;
  bool tells_;
};

}  // namespace

Judgement judge(const std::vector<std::string>& paths, const Policy& policy, unsigned threads, const Trace& wanted) {
  std::vector<std::unique_ptr<FileReceiver>> receivers;
  std::vector<Judge*> judges;
  for (unsigned i = 0; i < threads; ++i) {
    auto one = std::make_unique<Judge>(policy, wanted);
    judges.push_back(one.get());
    receivers.push_back(std::move(one));
  }
  read_files(paths, receivers);

  Judgement judgement;
  std::vector<NamedReport> named;
  FileReport rest;
  for (Judge* one : judges) {
    std::move(one->reports.begin(), one->reports.end(), std::back_inserter(named));
    rest.counts += one->rest.counts;
    std::move(one->rest.not_judged.begin(), one->rest.not_judged.end(), std::back_inserter(rest.not_judged));
    std::move(one->failures.begin(), one->failures.end(), std::back_inserter(judgement.unreadable));
    judgement.trace += std::move(one->trace);
  }
  // Which thread met which file is chance; from here on nothing is.
  std::sort(named.begin(), named.end(), [](const NamedReport& a, const NamedReport& b) { return a.name < b.name; });
  std::vector<FileReport> reports;
  for (NamedReport& one : named) reports.push_back(std::move(one.report));
  reports.push_back(std::move(rest));
  judgement.report = conclude(std::move(reports), policy);
  std::sort(judgement.unreadable.begin(), judgement.unreadable.end(),
            [](const UnreadableInput& a, const UnreadableInput& b) { return a.path < b.path; });
  return judgement;
}

}  // namespace gpulint
