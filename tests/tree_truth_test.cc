// The located tree against second opinions over the whole corpus of published manifests: yaml-cpp's parser (another implementation of
// YAML), and kubectl itself where the environment variable GPULINT_KUBECTL names one.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "rules/document/document.h"
#include "rules/document/scalar.h"
#include "tests/support/golden.h"
#include "tests/support/kubectl.h"

namespace fs = std::filesystem;
using nlohmann::json;
using namespace gpulint;
using gpulint::testing::read_file;

namespace {

const fs::path kCorpus = "../shared/corpus/files";

std::vector<fs::path> corpus() {
  std::vector<fs::path> out;
  if (fs::exists(kCorpus))
    for (const auto& entry : fs::recursive_directory_iterator(kCorpus))
      if (entry.is_regular_file()) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  if (out.empty()) MESSAGE("../shared/corpus is not there: skipped");
  return out;
}

bool broken(const Document& document) { return document.state == DocumentState::invalid || document.state == DocumentState::unrendered; }

json from_tree(const Node& node) { return json::parse(to_json(node)); }

json from_plain(const std::string& text) {
  std::string buffer;
  const Scalar scalar = resolve_plain(text, buffer);
  if (scalar.kind == NodeKind::null) return nullptr;
  return scalar.kind == NodeKind::string ? json(scalar.text) : json::parse(scalar.text);
}

/// yaml-cpp's tree with what it leaves to its users: scalars resolved, merge keys expanded, the last of duplicate keys kept.
json from_yaml_cpp(const YAML::Node& node) {
  if (node.IsNull() || !node.IsDefined()) return nullptr;
  if (node.IsScalar()) return node.Tag() == "?" ? from_plain(node.Scalar()) : json(node.Scalar());
  if (node.IsSequence()) {
    json out = json::array();
    for (const auto& element : node) out.push_back(from_yaml_cpp(element));
    return out;
  }
  json out = json::object();
  for (const auto& member : node) {
    const json value = from_yaml_cpp(member.second);
    const json key = from_yaml_cpp(member.first);
    if (key == "<<" && value.is_object()) out.update(value);
    else out[key.is_string() ? key.get<std::string>() : key.dump()] = value;
  }
  return out;
}

std::string place(const fs::path& path, const Document& document) { return fmt::format("{} document {}", path.string(), document.index); }

/// An unrendered template may be YAML to yaml-cpp: it takes `{{ x }}` as a mapping whose key is a mapping, which kubectl rejects, and
/// `%{ for x in y }` in column 0 as a directive of no known name.
bool is_yaml_to_yaml_cpp(const Document& document) {
  return document.state == DocumentState::unrendered && (document.problem.starts_with("{{") || document.problem.starts_with("%{"));
}

void compare_with_yaml_cpp(const Source& source, const Document& document, const std::string& place) {
  std::string error;
  json theirs;
  try {
    // kubectl ends the last line where the file does not; a block scalar there can tell.
    theirs = from_yaml_cpp(YAML::Load(std::string(source.text(document.span)) + "\n"));
  } catch (const YAML::Exception& exception) {
    error = exception.what();
  }
  if (broken(document)) {
    CHECK_MESSAGE((!error.empty() || is_yaml_to_yaml_cpp(document)), place, ": rejected only here: ", document.problem);
    return;
  }
  CHECK_MESSAGE(error.empty(), place, ": rejected only by yaml-cpp: ", error);
  if (!error.empty()) return;
  const json ours = document.root ? from_tree(*document.root) : json();
  CHECK_MESSAGE(ours == theirs, place, ": ", json::diff(theirs, ours).dump().substr(0, 2000));
}

std::size_t count_with_yaml_cpp(const Source& source) {
  try {
    return YAML::LoadAll(std::string(source.bytes())).size();
  } catch (const YAML::Exception&) {
    return 0;
  }
}

/// kubectl takes the items of a list for objects of their own.
void flatten(const json& object, std::vector<json>& out) {
  const auto items = object.find("items");
  const bool list = object.value("kind", json()).is_string() && object.value("kind", "").ends_with("List") && items != object.end() && items->is_array();
  if (!list) return out.push_back(object);
  for (const json& item : *items) flatten(item, out);
}

/// As `kubectl label x=y` does it.
void add_label(json& object) {
  json& metadata = object["metadata"];
  if (!metadata.is_object()) metadata = json::object();
  json& labels = metadata["labels"];
  if (!labels.is_object()) labels = json::object();
  labels["x"] = "y";
}

std::vector<json> read_stream(const std::string& text) {
  std::vector<json> out;
  std::istringstream in(text);
  for (json value; in >> std::ws && !in.eof();) {
    in >> value;
    out.push_back(value);
  }
  return out;
}

/// A document in block style as an object kubectl takes: with the members every object needs in front.
std::string as_object(const Source& source, const Document& document) {
  std::string_view text = source.text(document.span);
  const std::size_t line = text.find('\n');
  if (document.span.begin > 0) text.remove_prefix(std::min(line, text.size()));
  return std::string(gpulint::testing::kObjectHead) + std::string(text) + "\n";
}

/// Read here, then labelled as kubectl would.
std::vector<json> objects_of(const std::string& manifest) {
  const Source source("object", manifest);
  const Documents documents = read_yaml(source, {});
  std::vector<json> out;
  for (const Document& document : documents.list)
    if (document.root) flatten(from_tree(*document.root), out);
  for (json& object : out) add_label(object);
  return out;
}

}  // namespace

TEST_CASE("yaml-cpp reads the same tree from every document of the corpus") {
  std::size_t documents_read = 0, files = 0;
  for (const fs::path& path : corpus()) {
    const Source source(path.string(), read_file(path));
    const Documents documents = read_yaml(source, {});
    for (const Document& document : documents.list) compare_with_yaml_cpp(source, document, place(path, document));
    if (std::none_of(documents.list.begin(), documents.list.end(), broken)) {
      CHECK_MESSAGE(documents.list.size() == count_with_yaml_cpp(source), path.string(), ": another number of documents");
      ++files;
    }
    documents_read += documents.list.size();
  }
  MESSAGE(documents_read << " documents compared with yaml-cpp; documents counted in " << files << " files");
}

TEST_CASE("kubectl reads the same objects from every document of the corpus") {
  if (!gpulint::testing::has_kubectl()) return;
  std::size_t accepted = 0, rejected = 0;
  for (const fs::path& path : corpus()) {
    const Source source(path.string(), read_file(path));
    const Documents documents = read_yaml(source, {});
    std::string all;
    for (const Document& document : documents.list)
      if (document.root && document.root->is_mapping()) all += "---\n" + as_object(source, document);
    if (!all.empty()) {
      const auto answer = gpulint::testing::ask_kubectl(all);
      CHECK_MESSAGE(answer.accepted, path.string(), ": rejected only by kubectl: ", answer.error);
      const json theirs = read_stream(answer.json), ours = objects_of(all);
      if (answer.accepted) CHECK_MESSAGE(ours == theirs, path.string(), ": ", json::diff(theirs, ours).dump().substr(0, 2000));
      accepted += theirs.size();
    }
    for (const Document& document : documents.list) {
      if (!broken(document)) continue;
      const auto answer = gpulint::testing::ask_kubectl(as_object(source, document));
      CHECK_MESSAGE(answer.is_syntax_error(), place(path, document), ": rejected only here: ", document.problem);
      ++rejected;
    }
  }
  MESSAGE(accepted << " objects equal to kubectl's, " << rejected << " documents rejected by both");
}
