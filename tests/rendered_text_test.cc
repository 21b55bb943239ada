// What helm and kustomize print, and what they say when they fail.
#include "lint/rendered_text.h"

#include <doctest/doctest.h>

#include <string>

#include "lint/first_line.h"

using namespace gpulint;

TEST_CASE("helm's output is split at its own comments") {
  const std::string output =
      "---\n# Source: app/templates/b.yaml\nkind: B\n"
      "---\n# Source: app/templates/a.yaml\n# Source: not helm's\nkind: A\ndata:\n  text: |\n    ---\n    # Source: app/templates/c.yaml\n"
      "---\r\n# Source: app/templates/b.yaml\r\nkind: C\n";
  const auto all = split_by_template(output);
  REQUIRE(all.size() == 2);
  CHECK(all[0].source == "app/templates/b.yaml");
  CHECK(all[0].text == "---\n# Source: app/templates/b.yaml\nkind: B\n---\n# Source: app/templates/b.yaml\r\nkind: C\n");
  CHECK(all[1].source == "app/templates/a.yaml");
  CHECK(all[1].text == "---\n# Source: app/templates/a.yaml\n# Source: not helm's\nkind: A\ndata:\n  text: |\n    ---\n    # Source: app/templates/c.yaml\n");
  CHECK(split_by_template("").empty());
  CHECK(split_by_template("kind: A\n").empty());
  CHECK(split_by_template("# Source: app/x.yaml").size() == 1);
}

TEST_CASE("the line of a failure that says what failed") {
  const std::string long_line(1000, 'x');
  struct Row { std::string said, expected; };
  for (const Row& row : std::vector<Row>{
           {"", ""},
           {"\n\n", ""},
           {"Error: image must be set\n\nUse --debug flag\n", "Error: image must be set"},
           {"# Warning: 'commonLabels' is deprecated.\nerror: no such file\n", "error: no such file"},
           {"WARNING: group readable\nsomething else\n", "something else"},
           {"# only a comment\n", "# only a comment"},
           {"coalesce.go:175: warning: x\nError: values don't meet the schema(s):\napp:\n- (root): image is required\n",
            "Error: values don't meet the schema(s): - (root): image is required"},
           {"error: trouble with config: `\nchartName: x\n`: must specify --enable-helm\n", "error: trouble with config: ` `: must specify --enable-helm"},
           {"Error: ends so:", "Error: ends so:"},
           {"E1201 16:41:55.277678   18807 run.go:72] \"command failed\" err=\"no a.yaml\"\n", "no a.yaml"},
           {"E1201 16:41:55.277678   18807 run.go:72] \"command failed\" err=<\n\tunknown field \"x\"\n >\n", "unknown field \"x\""},
           {"E1201 is the name of a base", "E1201 is the name of a base"},
           {long_line, long_line.substr(0, 300) + "..."},
           {std::string(299, 'x') + "\xC3\xA4rger", std::string(299, 'x') + "..."},
           {"fatal: not a git repository\r\nmore\r\n", "fatal: not a git repository"},
       })
    CHECK(first_line(row.said) == row.expected);
}
