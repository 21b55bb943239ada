// The log: one JSON object a line on standard output, whole lines whatever the number of threads.
#pragma once
#include <chrono>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "webhook/admission.h"

namespace gpulint {

/// An event of the server itself: `{"time": ..., "level": "info", "message": "listening", "listen": "0.0.0.0:8443"}`.
void log_event(std::string_view level, std::string_view message,
               std::initializer_list<std::pair<std::string_view, std::string_view>> facts = {});

/// The line of one decision, without its line end.
std::string decision_line(Endpoint endpoint, const AdmissionAnswer& answer, std::chrono::nanoseconds duration);
void log_decision(Endpoint endpoint, const AdmissionAnswer& answer, std::chrono::nanoseconds duration);

}  // namespace gpulint
