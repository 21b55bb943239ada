#include "webhook/run.h"

int main(int argc, char** argv) {
  int status = 0;
  auto options = gpulint::read_options(argc, argv, status);
  return options ? gpulint::run_webhook(*options) : status;
}
