// The engine's entries: inspect one input, conclude a run, decide. Both front ends call these three and nothing below them.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "rules/document/document.h"
#include "rules/engine/finding.h"
#include "rules/engine/policy.h"
#include "rules/engine/run_facts.h"
#include "rules/engine/trace.h"

namespace gpulint {

/// All rules, ordered by id. The list is generated from the folder rules/checks.
std::span<const Rule* const> all_rules();
const Rule* find_rule(std::string_view id);

/// One finding that a baseline lists (baseline.h).
struct BaselineEntry {
  std::string fingerprint;  ///< as a file by itself gives it: the same for the same object in another file
  std::string rule, file;   ///< the file as PathBase::relative has it
  std::string object, container, message;  ///< for people; an empty object also says that only the file tells what the finding is about
  bool gone = false;        ///< the file does not exist any more; set by who can look
};

struct NotJudged {
  std::string file;
  std::size_t document = 0;
  std::string reason;  ///< "unrendered template", "not readable as YAML", "no Kubernetes object or chart values" ...
};

struct Counts {
  std::size_t files = 0, documents = 0;
  std::size_t skipped_documents = 0;  ///< without a GPU word: counted, not read
  std::size_t pod_templates = 0, gpu_requests = 0;
  std::size_t renderings = 0;         ///< charts and kustomizations judged as their tools render them
  Counts& operator+=(const Counts& other);
};

struct FileReport {
  std::vector<Finding> findings;  ///< in output order, suppressed ones included
  Counts counts;
  std::vector<NotJudged> not_judged;
  std::map<std::string, std::size_t> undecided;  ///< rule id -> objects it could not decide without knowing the cluster
  std::vector<Finding> proposed;                 ///< findings of run rules that hold only if conclude confirms them
  std::vector<RunFact> facts;                    ///< what run rules noted
  std::vector<std::string> read;                 ///< names of files read, where the policy has a baseline: whose entries can be known to be stale
};

/// Reads and judges one input. Everything wrong with it is a finding; nothing is thrown. Thread-safe for different Sources.
FileReport inspect(const Source& source, const Policy& policy, Trace* trace = nullptr);

/// Judges one document that is already read (at admission: the object inside a review, whose root is `document.root`).
/// Pointers start at document.root. Adds to `report`.
void inspect_document(const Source& source, const Document& document, const Policy& policy, FileReport& report, Trace* trace = nullptr);

/// An input that was read, whether something was found in it or not.
struct JudgedFile {
  std::string name;
  std::size_t documents = 0, skipped_documents = 0;  ///< as in Counts
};

struct Report {
  std::vector<Finding> findings;
  Counts counts;
  std::vector<NotJudged> not_judged;
  std::map<std::string, std::size_t> undecided;
  std::size_t errors = 0, warnings = 0, infos = 0, suppressed = 0;  ///< suppressed ones count in none of the first three
  std::vector<BaselineEntry> baseline;        ///< where the policy wants one written: what it sets aside
  std::vector<BaselineEntry> stale_baseline;  ///< entries of the policy's baseline that are found no more
  // What only a front end knows; conclude leaves all three empty.
  std::vector<JudgedFile> files;      ///< by name, where a report tells of files without findings
  std::vector<NotJudged> unreadable;  ///< by name; the reason is the system's
  std::vector<NotJudged> passed_over; ///< by name: what settings or git keep from being read; a folder (with a slash at its end) stands for all in it
};

/// Joins the reports of a run, in the order of output.
Report conclude(std::vector<FileReport> reports, const Policy& policy);

/// What a report means under a policy: the linter's exit status and the webhook's answer both come from here.
struct Decision {
  bool failed = false;  ///< something not suppressed stands at or above policy.fail_on
  std::vector<const Finding*> errors, warnings, infos;  ///< not suppressed; views into the report
};
Decision decide(const Report& report, const Policy& policy);

}  // namespace gpulint
