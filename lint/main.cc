#include "lint/command_line.h"

int main(int count, char** words) { return gpulint::run_command_line({words + (count > 0 ? 1 : 0), words + count}); }
