#include "rules/engine/context.h"
#include "rules/kube/object_view.h"

namespace gpulint::checks {
namespace {

bool runs_launcher_as_worker(const ObjectView& object) {
  const Node* flag = object.root->at("spec", "runLauncherAsWorker");
  return flag && flag->text != "false";
}

void check(const Container& container, const PodTemplate& pod, Context& context) {
  const ObjectView& object = *pod.object;
  if (!object.is("kubeflow.org", "MPIJob") || object.version != "v2beta1" || pod.role != "Launcher") return;
  if (pod.containers.empty() || &container != &pod.containers.front() || runs_launcher_as_worker(object)) return;
  const Ask* ask = container.first_ask(Vendor::nvidia);
  if (!ask) return;
  const Injection injection = context.cluster.injection();
  if (injection == Injection::cdi || injection == Injection::own) {
    context.info(ask->node, "{}: the launcher asks for {}, but only the workers run ranks", container.label(), ask->resource);
    return;
  }
  context.warning(ask->node, "{}: the launcher asks for {}, but the operator empties NVIDIA_VISIBLE_DEVICES there: the GPU is allotted and hidden",
                  container.label(), ask->resource);
}

constexpr std::string_view kSources[] = {
    "MPIJob (kubeflow.org/v2beta1): mpiReplicaSpecs.Launcher, runLauncherAsWorker",
    "kubeflow/mpi-operator pkg/controller/mpi_job_controller.go: the launcher's pod template",
};

}  // namespace

extern constinit const Rule mpi_launcher_gpu{
    .id = "mpi-launcher-gpu",
    .group = Group::command,
    .severity = Severity::warning,
    .fixability = Fixability::no,
    .summary = "The launcher of an MPIJob asks for a GPU that it does not get to see.",
    .rationale =
        "The launcher only starts mpirun; the ranks run in the workers. So that it never takes a GPU by accident, the operator sets "
        "NVIDIA_VISIBLE_DEVICES to the empty text in its first container, after all variables of the template. A GPU asked for there is billed, and no "
        "program can use it.",
    .remediation = "Remove the GPU from the launcher, or let it work as one of the ranks by `runLauncherAsWorker: true`.",
    .details =
        "Warning: the first container of `mpiReplicaSpecs.Launcher` of a kubeflow.org/v2beta1 MPIJob asks for an NVIDIA GPU. Info where devices come by "
        "CDI and on GKE: the variable hides nothing there, and the GPU is idle all the same.\n\n"
        "No finding with `runLauncherAsWorker: true`, in the older API versions, and for other vendors.",
    .sources = kSources,
    .check = on_container<check>,
};

}  // namespace gpulint::checks
