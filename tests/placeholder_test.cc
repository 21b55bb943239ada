// Which texts wait for somebody to fill them in, and which only look a little like it.
#include "rules/kube/placeholder.h"

#include <doctest/doctest.h>

using gpulint::holds_placeholder;
using gpulint::is_number_placeholder;

TEST_CASE("placeholders are recognised anywhere in a text") {
  for (std::string_view text : {"$GPUS", "${GPUS}", "${GPUS:-1}", "$(GPU_COUNT)", "{{ .Values.gpus }}", "{{gpus}}", "image:${TAG}", "<your-registry>/app",
                                "<YOUR HF TOKEN>", "{username}/torchserve", "__TAG__", "a__NODE_NAME__b"}) {
    CAPTURE(text);
    CHECK(holds_placeholder(text));
    CHECK(is_number_placeholder(text));
  }
}

TEST_CASE("ordinary texts hold none") {
  for (std::string_view text : {"", "1", "nvidia/cuda:12.4.1-base", "costs 5$", "$", "$1", "{\"a\": 1}", "{}", "{a: 1}", "a < b", "a<b && c>d", "<>", "__init__.py",
                                "a__b", "{", "<", "__", "all", "GPU-8dfe"}) {
    CAPTURE(text);
    CHECK_FALSE(holds_placeholder(text));
  }
}

TEST_CASE("a word in capitals stands for a number that is still missing") {
  for (std::string_view text : {"GPU_COUNT", "NUM_GPUS", "N", "GPUS-PER-NODE", "GPU4"}) {
    CAPTURE(text);
    CHECK(is_number_placeholder(text));
    CHECK_FALSE(holds_placeholder(text));
  }
  for (std::string_view text : {"", "one", "Gpus", "1GPU", "gpu_count", "_GPU", "NUM GPUS"}) {
    CAPTURE(text);
    CHECK_FALSE(is_number_placeholder(text));
  }
}
