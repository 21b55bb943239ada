// Routes: HTTP on bytes. cpp-httplib parses a complete request, dispatches it and writes the response; no socket of its own is used.
// Debian builds the library as a shared object, so that only setters and subclassing change what it does.
#pragma once
#include <httplib.h>

#include <functional>
#include <string>
#include <string_view>

#include "webhook/admission.h"
#include "webhook/server.h"

namespace gpulint {

/// Register handlers with Get and Post, then hand handler() to a Server. Faults and unknown paths are answered with a metav1.Status.
class Routes : public httplib::Server {
 public:
  Routes();
  RequestHandler handler();

 private:
  Reply respond(std::string_view request, bool close);
};

/// `POST /validate` and `POST /mutate`. `policy` gives the policy in force; `decided` is told every answer and the time it took.
void add_admission_routes(Routes& routes, std::function<std::shared_ptr<const Policy>()> policy,
                          std::function<void(Endpoint, const AdmissionAnswer&, std::chrono::nanoseconds)> decided);

/// `/healthz`: 200 while the process lives. `/readyz`: 200 while `ready` says so, else 503.
void add_probe_routes(Routes& routes, std::function<bool()> ready);

/// A response outside of any route; it closes the connection, and a 503 asks to be tried again: client-go does so within the
/// webhook's timeout (rest/with_retry.go).
std::string refusal_response(int status, std::string_view reason);

}  // namespace gpulint
