// JSON Patch (RFC 6902) with the API server's strictness: parents must exist, what is removed or replaced must exist.
#include "rules/engine/patch.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "rules/document/document.h"
#include "rules/engine/context.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

/// Parsed with the nesting that the readers allow: writing a deeper one back would recurse without bound.
std::optional<Json> parse(std::string_view text) {
  bool too_deep = false;
  Json value = Json::parse(text.begin(), text.end(), [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > kMaxDepth;
    return !too_deep;
  }, false);
  if (too_deep || value.is_discarded()) return std::nullopt;
  return value;
}

std::string dump(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// The index an element token names; `size` for "-". Nothing for other texts and leading zeros.
std::optional<std::size_t> index_of(const std::string& token, std::size_t size) {
  if (token == "-") return size;
  if (token.empty() || (token.size() > 1 && token[0] == '0')) return std::nullopt;
  std::size_t index = 0;
  const auto [end, fault] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (fault != std::errc() || end != token.data() + token.size()) return std::nullopt;
  return index;
}

Json* child(Json& parent, const std::string& token) {
  if (parent.is_object()) {
    const auto member = parent.find(token);
    return member == parent.end() ? nullptr : &*member;
  }
  if (!parent.is_array()) return nullptr;
  const auto index = index_of(token, parent.size());
  return index && *index < parent.size() ? &parent[*index] : nullptr;
}

/// One operation after another on one document; the first that does not apply says why.
class Patcher {
 public:
  Patcher(Json& root, std::string& error) : root_(root), error_(error) {}

  bool apply(const PatchOp& op) {
    op_ = &op;
    switch (op.kind) {
      case PatchOp::Kind::add: return with_value([&](Json value) { return add(op.path, std::move(value)); });
      case PatchOp::Kind::remove: return remove(op.path);
      case PatchOp::Kind::replace: return with_value([&](Json value) { return replace(op.path, std::move(value)); });
      case PatchOp::Kind::test: return with_value([&](const Json& value) { return test(op.path, value); });
      case PatchOp::Kind::move: break;
    }
    return move(op.from, op.path);
  }

 private:
  bool fail(std::string_view what) {
    error_ = fmt::format("{} {}: {}", name_of(op_->kind), op_->path.text().empty() ? "the document" : op_->path.text(), what);
    return false;
  }
  template <class Use>
  bool with_value(Use use) {
    auto value = parse(op_->value);
    return value ? use(std::move(*value)) : fail("the value is not JSON");
  }
  Json* resolve(const JsonPointer& path) {
    Json* at = &root_;
    for (const std::string& token : path.tokens())
      if (!(at = child(*at, token))) return nullptr;
    return at;
  }
  bool add(const JsonPointer& path, Json value) {
    if (path.text().empty()) return root_ = std::move(value), true;
    Json* parent = resolve(path.parent());
    if (!parent) return fail(fmt::format("{} does not exist", path.parent().text()));
    const std::string token = path.tokens().back();
    if (parent->is_object()) return (*parent)[token] = std::move(value), true;
    if (!parent->is_array()) return fail(fmt::format("{} is neither a mapping nor a list", path.parent().text()));
    const auto index = index_of(token, parent->size());
    if (!index || *index > parent->size()) return fail("no such place in the list");
    parent->insert(parent->begin() + static_cast<std::ptrdiff_t>(*index), std::move(value));
    return true;
  }
  bool remove(const JsonPointer& path) {
    if (path.text().empty()) return fail("the whole document cannot be removed");
    if (!resolve(path)) return fail("it does not exist");
    Json& parent = *resolve(path.parent());
    const std::string token = path.tokens().back();
    if (parent.is_object()) parent.erase(token);
    else parent.erase(parent.begin() + static_cast<std::ptrdiff_t>(*index_of(token, parent.size())));
    return true;
  }
  bool replace(const JsonPointer& path, Json value) {
    Json* place = resolve(path);
    if (!place) return fail("it does not exist");
    *place = std::move(value);
    return true;
  }
  bool test(const JsonPointer& path, const Json& value) {
    const Json* place = resolve(path);
    if (!place) return fail("it does not exist");
    // Members in another order are the same object: compare without order.
    return nlohmann::json(*place) == nlohmann::json(value) || fail("it has another value");
  }
  bool move(const JsonPointer& from, const JsonPointer& to) {
    const Json* place = resolve(from);
    if (!place) return fail(fmt::format("{} does not exist", from.text()));
    if (from == to) return true;
    if (from.contains(to)) return fail("a value cannot move into itself");
    Json value = *place;
    return remove(from) && add(to, std::move(value));
  }

  Json& root_;
  std::string& error_;
  const PatchOp* op_ = nullptr;
};

}  // namespace

std::string patch_text(std::span<const PatchOp> ops) {
  std::string text = "[";
  for (const PatchOp& op : ops) {
    if (text.size() > 1) text += ',';
    text += fmt::format("{{\"op\":\"{}\",", name_of(op.kind));
    if (op.kind == PatchOp::Kind::move) text += "\"from\":" + json_string(op.from.text()) + ",";
    text += "\"path\":" + json_string(op.path.text());
    if (op.kind != PatchOp::Kind::move && op.kind != PatchOp::Kind::remove) text += ",\"value\":" + op.value;
    text += '}';
  }
  return text + "]";
}

std::optional<std::string> apply_patch(std::string_view json, std::span<const PatchOp> ops, std::string& error) {
  auto root = parse(json);
  if (!root) {
    error = "the document is not JSON, or nested too deeply";
    return std::nullopt;
  }
  Patcher patcher(*root, error);
  for (const PatchOp& op : ops)
    if (!patcher.apply(op)) return std::nullopt;
  return dump(*root);
}

}  // namespace gpulint
