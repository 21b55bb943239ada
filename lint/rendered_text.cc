#include "lint/rendered_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "lint/child_process.h"
#include "lint/files.h"
#include "lint/first_line.h"

namespace gpulint {
namespace {

constexpr std::string_view kSourceComment = "# Source: ";

// A name that begins with a dash would be an option.
std::string as_argument(const std::string& path) { return path.empty() ? "." : path.starts_with('-') ? "./" + path : path; }

std::string trouble_of(const std::string& program, const ChildResult& result, std::chrono::seconds timeout) {
  switch (result.end) {
    case ChildEnd::not_found: return fmt::format("{} is not installed", program);
    case ChildEnd::not_started: return fmt::format("{} does not start: {}", program, std::strerror(result.status));
    case ChildEnd::timed_out: return fmt::format("{} did not end within {} s", program, timeout.count());
    case ChildEnd::too_much_output: return fmt::format("{} writes more than {} MiB", program, kMaxFileSize >> 20);
    case ChildEnd::killed: return fmt::format("{} was ended by signal {}", program, result.status);
    case ChildEnd::exited: break;
  }
  const std::string said = first_line(result.err);
  return said.empty() ? fmt::format("{} ended with status {}", program, result.status) : said;
}

RenderedText rendered(std::vector<std::string> words, std::chrono::seconds timeout) {
  RenderedText outcome;
  outcome.command = fmt::format("{}", fmt::join(words, " "));
  const std::string program = words[0], verb = words[0] + " " + words[1];
  ChildResult result = run_child({.words = std::move(words), .timeout = timeout, .output_limit = kMaxFileSize});
  if (result.succeeded()) outcome.text = std::move(result.out);
  else if (result.end == ChildEnd::exited) outcome.trouble = fmt::format("{}: {}", verb, trouble_of(program, result, timeout));
  else outcome.trouble = trouble_of(program, result, timeout);
  return outcome;
}

TemplateOutput& output_of(std::vector<TemplateOutput>& all, std::string_view source) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const TemplateOutput& one) { return one.source == source; });
  return found != all.end() ? *found : all.emplace_back(TemplateOutput{std::string(source), {}});
}

}  // namespace

RenderedText render_chart(const std::string& folder, const std::vector<std::string>& values, std::chrono::seconds timeout) {
  std::vector<std::string> words{"helm", "template", as_argument(folder)};
  for (const std::string& file : values) words.insert(words.end(), {"--values", as_argument(file)});
  return rendered(std::move(words), timeout);
}

RenderedText render_kustomization(const std::string& folder, std::chrono::seconds timeout) {
  if (is_installed("kustomize")) return rendered({"kustomize", "build", as_argument(folder)}, timeout);
  if (is_installed("kubectl")) return rendered({"kubectl", "kustomize", as_argument(folder)}, timeout);
  return {{}, {}, "neither kustomize nor kubectl is installed"};
}

// The comment is helm's when it is the first line of a document; one that a template writes itself stands behind helm's.
std::vector<TemplateOutput> split_by_template(std::string_view output) {
  std::vector<TemplateOutput> all;
  TemplateOutput* current = nullptr;
  bool at_begin = true;
  while (!output.empty()) {
    const std::size_t size = std::min(output.find('\n'), output.size() - 1) + 1;
    const std::string_view line = output.substr(0, size);
    output.remove_prefix(size);
    if (at_begin && line.starts_with(kSourceComment)) {
      std::string_view source = line.substr(kSourceComment.size());
      current = &output_of(all, source.substr(0, source.find_first_of("\r\n")));
      current->text += "---\n";
    }
    at_begin = line.starts_with("---");
    if (current && !at_begin) current->text += line;
  }
  return all;
}

}  // namespace gpulint
