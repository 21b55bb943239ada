// Scalar resolution: what kubectl makes of a scalar on its way from YAML to JSON (YAML 1.1 as its parser understands it:
// `yes` is true, `0644` is 420, `1_000` is 1000, dates are strings). Verified value by value in tests/scalar_test.cc.
#pragma once
#include <string>
#include <string_view>

#include "rules/document/node.h"

namespace gpulint {

struct Scalar {
  NodeKind kind = NodeKind::string;
  std::string_view text;     ///< as JSON would hold it; a view of the input, of a constant, or of the buffer handed in
  std::string_view problem;  ///< not empty: kubectl rejects the value, and why
};

/// A plain scalar without a tag.
Scalar resolve_plain(std::string_view text, std::string& buffer);

/// Any scalar with a tag, in full (`tag:yaml.org,2002:int`). `buffer` holds decoded text and must live as long as the result.
Scalar resolve_tagged(std::string_view text, std::string_view tag, std::string& buffer);

/// A number as JSON writes it: `1.0` is 1, `1e3` is 1000; above 64 bits the nearest double, as everywhere in Kubernetes.
Scalar resolve_json_number(std::string_view text, std::string& buffer);

/// The name of a member whose key is a plain scalar without a tag: `1` is "1", `yes` is "true", `1.50` is "1.5"; null has none.
Scalar resolve_plain_key(std::string_view text, std::string& buffer);
Scalar resolve_tagged_key(std::string_view text, std::string_view tag, std::string& buffer);

}  // namespace gpulint
