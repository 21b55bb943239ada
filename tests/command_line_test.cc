// command and args as programs and words: shells, wrappers, quoting, here-documents, options.
#include "rules/kube/command_line.h"

#include <doctest/doctest.h>

#include <string>

#include "rules/document/document.h"

using namespace gpulint;

namespace {

/// `python3 train.py | ray start --head`: programs and words of all invocations; the program is given apart where it is not the first word.
std::string shown(const std::vector<Invocation>& invocations) {
  std::string text;
  for (const Invocation& invocation : invocations) {
    if (!text.empty()) text += " | ";
    text += "[" + invocation.program + "]";
    for (const Word& word : invocation.words) text += " " + word.text;
  }
  return text;
}

struct Read {
  explicit Read(std::string yaml) : source("c.yaml", std::move(yaml)), documents(read_manifest(source, ReadOptions{})) {
    const Node& root = *documents.list.front().root;
    line = CommandLine::parse(root.find("command"), root.find("args"));
  }
  Source source;
  Documents documents;
  CommandLine line;
};

struct Row {
  std::string_view yaml;
  std::string_view expected;
};

constexpr Row kLists[] = {
    {"command: [python3, train.py, '--gpus', '2']", "[python3] python3 train.py --gpus 2"},
    {"command: [/usr/bin/python3]\nargs: [-m, vllm.entrypoints.openai.api_server]", "[python3] /usr/bin/python3 -m vllm.entrypoints.openai.api_server"},
    {"args: ['--model', m]", "[] --model m"},
    {"command: []\nargs: [serve]", "[] serve"},
    {"command: null", ""},
    {"command: [sh, -c, 'ray start --head']", "[ray] ray start --head"},
    {"command: [/bin/bash]\nargs: [-lc, 'exec vllm serve m']", "[vllm] vllm serve m"},
    {"command: [bash, -o, pipefail, -ec, 'a; b']", "[a] a | [b] b"},
    {"command: [bash, --login, -c, 'a']", "[a] a"},
    {"command: [sh, -c, --]\nargs: ['while true; do sleep 1; done']", "[true] true | [sleep] sleep 1"},
    {"command: [sh, run.sh, -c, x]", "[sh] sh run.sh -c x"},
    {"command: [sh, -c]", "[sh] sh -c"},
    {"args: [bash, -c, 'nvidia-smi']", "[nvidia-smi] nvidia-smi"},
    {"command: [tini, --, bash, -c, 'nvidia-smi']", "[nvidia-smi] nvidia-smi"},
    {"command: [env, A=1, -u, B, python, x.py]", "[python] python x.py"},
    {"command: [timeout, -k, '5', 10m, nice, -n, '5', python, x.py]", "[python] python x.py"},
    {"command: [sudo, -u, me, time, nohup, stdbuf, -oL, torchrun, t.py]", "[torchrun] torchrun t.py"},
    {"command: [env, A=1]", ""},
    {"command: vllm serve 'my model' --gpus 2", "[vllm] vllm serve my model --gpus 2"},
    {"command: [python]\nargs: '--a=1 --b \"x y\"'", "[python] python --a=1 --b x y"},
};

constexpr Row kScripts[] = {
    {"", ""},
    {"a b  c", "[a] a b c"},
    {"a && b || c; d | e & f\ng", "[a] a | [b] b | [c] c | [d] d | [e] e | [f] f | [g] g"},
    {"A=1 B='x y' python t.py", "[python] python t.py"},
    {"A=1", ""},
    {"export CUDA_VISIBLE_DEVICES=0", "[export] export CUDA_VISIBLE_DEVICES=0"},
    {"echo 'a;b' \"c && d\" e\\;f", "[echo] echo a;b c && d e;f"},
    {"echo \"a\\\"b\\$c\\n\"", "[echo] echo a\"b$c\\n"},
    {"echo '' \"\"", "[echo] echo  "},
    {"python t.py \\\n  --x 1 \\\n  --y", "[python] python t.py --x 1 --y"},
    {"# comment\na # more\nb#c", "[a] a | [b#c] b#c"},
    {"a $(b; c) `d; e` ${F:-g h}", "[a] a $(b; c) `d; e` ${F:-g h}"},
    {"a \"$(b \"it's\" c)\" d", "[a] a $(b \"it's\" c) d"},
    {"a $(b", "[a] a $ | [b] b"},
    {"a > out 2>&1 < in &> all b", "[a] a b"},
    {"a 2 >x", "[a] a 2"},
    {"cat <<EOF > f\n--gpus all; x\nEOF\nb", "[cat] cat | [b] b"},
    {"cat <<-'END' && c\n\ttext\n\tEND\nb", "[cat] cat | [c] c | [b] b"},
    {"cat <<A <<B\n1\nA\n2\nB\nb", "[cat] cat | [b] b"},
    {"cat <<EOF\nnever closed", "[cat] cat"},
    {"a <<< word b", "[a] a b"},
    {"if [ -f x ]; then a; else b; fi; c", "[[] [ -f x ] | [a] a | [b] b | [c] c"},
    {"for i in 1 2; do a $i; done", "[a] a $i"},
    {"while ! ready; do sleep 1; done", "[ready] ready | [sleep] sleep 1"},
    {"case $x in a) b;; esac", "[b] b"},
    {"(a; b) & wait", "[a] a | [b] b | [wait] wait"},
    {"bash -c 'x; sh -c \"y z\"'", "[x] x | [y] y z"},
    {"exec \"$@\"", "[$@] $@"},
    {"'unclosed", "[unclosed] unclosed"},
    {"a\r\nb\r\n", "[a] a | [b] b"},
    {"ray start --head && vllm serve m --tensor-parallel-size 8", "[ray] ray start --head | [vllm] vllm serve m --tensor-parallel-size 8"},
};

}  // namespace

TEST_CASE("lists and strings of command and args") {
  for (const Row& row : kLists) {
    CAPTURE(row.yaml);
    CHECK(shown(Read(std::string(row.yaml)).line.invocations) == row.expected);
  }
}

TEST_CASE("shell scripts") {
  for (const Row& row : kScripts) {
    CAPTURE(row.yaml);
    CHECK(shown(parse_shell(row.yaml, nullptr)) == row.expected);
  }
}

TEST_CASE("words know the element they stand in") {
  const Read read("command: [sh, -c]\nargs:\n- |\n  a --x 1\n");
  REQUIRE(read.line.invocations.size() == 1);
  const Word& word = read.line.invocations[0].words[1];
  CHECK(word.text == "--x");
  CHECK(word.in_shell);
  CHECK(word.node->parent->key == "args");
  CHECK_FALSE(Read("command: [a, b]").line.invocations[0].words[1].in_shell);
}

TEST_CASE("what is known of a command line") {
  CHECK(Read("command: [a]").line.has_command);
  CHECK_FALSE(Read("args: [a]").line.has_command);
  CHECK_FALSE(Read("command: [a, '--x=1']").line.unknown);
  CHECK(Read("command: [a, '--x=$(X)']").line.unknown);
  CHECK(Read("command: [a, '{{ .Values.x }}']").line.unknown);
  CHECK(Read("command: [a, 1]").line.unknown);
  CHECK(Read("command: {a: b}").line.unknown);
  CHECK_FALSE(Read("command: [sh, -c, 'a $X ${Y}']").line.unknown);
}

TEST_CASE("options in every spelling") {
  const Read read(
      "command: [vllm, serve, '--tensor_parallel_size=2', --tensor-parallel-size, '4', --gpus, --seed, '-1', -tp, '8', --tensor-parallel-size-x, '9', "
      "'--tensor-parallel-size']");
  const auto options = read.line.options("--tensor-parallel-size");
  REQUIRE(options.size() == 3);
  CHECK(options[0].value == "2");
  CHECK(options[0].value_word == nullptr);
  CHECK(options[1].value == "4");
  CHECK(options[1].value_word->text == "4");
  CHECK(options[1].invocation->program == "vllm");
  CHECK(options[2].value.empty());
  CHECK(read.line.options("tensor_parallel_size").size() == 3);
  CHECK(read.line.options("--gpus").at(0).value.empty());
  CHECK(read.line.options("--seed").at(0).value == "-1");
  CHECK(read.line.options("-tp").at(0).value == "8");
  CHECK(read.line.options("--tp").empty());
}

TEST_CASE("broken and huge scripts end") {
  std::string nested;
  for (int i = 0; i < 20'000; ++i) nested += "a $( \"";
  CHECK_FALSE(parse_shell(nested, nullptr).empty());
  std::string quotes;
  for (int i = 0; i < 20'000; ++i) quotes += "` ${ ";
  CHECK_FALSE(parse_shell(quotes, nullptr).empty());
  for (std::string_view text : {"\\", "$", "\"", "\"\\", "`", "`\\", "<<", "<<-", "$(", "${", "a <", "&>", "<(", "2>"}) {
    CAPTURE(text);
    CHECK(parse_shell(text, nullptr).size() <= 1);
  }
}
