// Rule: the metadata and the check of one rule, constant-initialised in its own file under rules/checks.
// A rule file reads like its row in the catalogue; everything printed about a rule (help, README, SARIF) comes from here.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace gpulint {

struct Container;
struct Document;
struct ObjectView;
struct PodTemplate;
class Cluster;
class Context;
class RunFacts;

enum class Severity : std::uint8_t { info, warning, error };
enum class Safety : std::uint8_t { safe, unsafe };      ///< safe: meaning kept or surely intended
enum class Fixability : std::uint8_t { no, unsafe, safe };
enum class Group : std::uint8_t { resources, runtime, visibility, command, scheduling, memory, components, node, input };

std::string_view name_of(Severity);
std::string_view name_of(Safety);
std::string_view name_of(Fixability);
std::string_view name_of(Group);   ///< "resources"; as `gpulint rules` groups
std::string_view title_of(Group);  ///< "GPU resources"

/// A setting of a rule: `rules: {docker-gpus-flag: {programs: [my-runner]}}`.
struct Parameter {
  enum class Type : std::uint8_t { boolean, integer, strings };
  std::string_view name;
  Type type = Type::strings;
  std::string_view description;
  std::string_view default_value;  ///< as written in the configuration; empty list: ""
};

enum class Scope : std::uint8_t {
  container,     ///< every container of every template, partial templates (values, predictors) included
  pod_template,  ///< whole pod templates only
  object,        ///< once an object, values files included
  document,      ///< once a parsed document, whatever it holds: input rules
  engine,        ///< raised by the reader or the engine itself (invalid-manifest, unused-suppression ...)
  run,           ///< several documents; lint only
};

/// What a rule runs on; made by on_container<f> and its fellows, so that a rule cannot name the wrong scope.
struct Check {
  Scope scope = Scope::engine;
  void (*container)(const Container&, const PodTemplate&, Context&) = nullptr;
  void (*pod_template)(const PodTemplate&, Context&) = nullptr;
  void (*object)(const ObjectView&, const std::vector<PodTemplate>&, Context&) = nullptr;
  void (*document)(const Document&, Context&) = nullptr;
  /// Of a run rule: notes facts of one object and proposes findings (Context::note, Context::propose); object and templates at hand.
  void (*collect)(const ObjectView&, const std::vector<PodTemplate>&, Context&) = nullptr;
  /// Of a run rule: whether a proposed finding holds, given the facts of all inputs.
  bool (*confirm)(std::string_view join_key, const RunFacts&) = nullptr;
};
template <auto f> inline constexpr Check on_container{.scope = Scope::container, .container = f};
template <auto f> inline constexpr Check on_pod_template{.scope = Scope::pod_template, .pod_template = f};
template <auto f> inline constexpr Check on_object{.scope = Scope::object, .object = f};
template <auto f> inline constexpr Check on_document{.scope = Scope::document, .document = f};
template <auto collect, auto confirm> inline constexpr Check on_run{.scope = Scope::run, .collect = collect, .confirm = confirm};
inline constexpr Check by_engine{};

struct Rule {
  std::string_view id;           ///< names the pattern and reads well after "allow"
  Group group = Group::resources;
  Severity severity = Severity::warning;  ///< the highest it can have
  Fixability fixability = Fixability::no; ///< the best fix it can offer
  std::string_view summary;      ///< one sentence: when it fires
  std::string_view rationale;    ///< why it matters, one paragraph
  std::string_view remediation;  ///< what to do, one or two sentences
  std::string_view details = {}; ///< severities case by case, exceptions; Markdown paragraphs
  std::span<const Parameter> parameters = {};
  std::span<const std::string_view> sources = {};  ///< API fields, vendor documents, public issue numbers (owner/repository#n)
  std::span<const std::string_view> words = {};    ///< lower-case texts the prefilter must also let through for this rule
  /// Whether it can fire on such a cluster at all; null: on every one. The engine does not run it where it cannot, and does not call a
  /// suppression of it unused there.
  bool (*applies)(const Cluster&) = nullptr;
  bool shows_presets = false;  ///< documentation adds the table of presets (preset_table.h): what the rule says depends on the cluster's runtime
  Check check = by_engine;
};

}  // namespace gpulint
