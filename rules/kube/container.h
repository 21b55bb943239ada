// Container: one container of a pod template decoded into located fields, with what it asks for.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rules/kube/accelerators.h"
#include "rules/kube/command_line.h"
#include "rules/kube/field.h"
#include "rules/kube/quantity.h"

namespace gpulint {

enum class ContainerRole : std::uint8_t { main, init, sidecar /* init with restartPolicy Always */, ephemeral };

/// One key of limits or requests.
struct ResourceEntry {
  std::string_view name;
  const Node* node = nullptr;
  Field<Quantity> quantity;  ///< null (no value) is state null and counts as 0, as the API server stores it
};

struct Resources {
  const Node* node = nullptr;      ///< the `resources` mapping (JupyterHub: the override mapping that holds both); null when absent
  const Node* limits_node = nullptr;
  const Node* requests_node = nullptr;
  std::string_view limits_key = "limits";      ///< other in JupyterHub (extra_resource_limits) and KubeSpawner values
  std::string_view requests_key = "requests";
  std::vector<ResourceEntry> limits, requests;
  std::vector<std::string_view> claims;  ///< names in `resources.claims`

  const ResourceEntry* limit(std::string_view name) const;
  const ResourceEntry* request(std::string_view name) const;
};

/// A request for an accelerator device by one container (resource roles that asks_for_device says).
struct Ask {
  std::string_view resource;
  Accelerator accelerator;
  Field<Quantity> quantity;    ///< of the limit where there is one, else of the request
  const Node* node = nullptr;  ///< the entry
  bool positive() const { return quantity.known() ? !quantity.value.is_zero() && !quantity.value.is_negative() : quantity.unknown(); }
};

struct EnvironmentVariable {
  std::string_view name;
  Field<std::string_view> value;  ///< unknown for valueFrom and for text with $(VAR)
  const Node* node = nullptr;     ///< the list element, or the member of a map
};

struct VolumeMount {
  std::string_view name, path;
  bool read_only = false;
  const Node* node = nullptr;
};

struct Container {
  ContainerRole role = ContainerRole::main;
  const Node* node = nullptr;      ///< the container mapping; for asks without one, the mapping that holds `resources`
  Field<std::string_view> name;    ///< absent in values files and the like
  std::string place;               ///< what a nameless container is called: "the values at singleuser"; empty: "the container"
  Field<std::string_view> image;
  std::shared_ptr<const std::string> composed_image;  ///< owns the text of `image` where a chart keeps repository and tag apart
  Resources resources;
  std::vector<Ask> asks;           ///< every accelerator device entry, zero quantities included, each resource once
  bool asks_by_claim = false;      ///< resources.claims, or a claim-like form of the kind (draResources, KServe DRA class)
  std::vector<EnvironmentVariable> env;
  const Node* env_node = nullptr;
  bool has_env_from = false;
  CommandLine command_line;
  Field<bool> privileged;
  Field<std::int64_t> run_as_user;
  Field<std::int64_t> run_as_group;
  Field<bool> run_as_non_root;
  Field<bool> read_only_root;
  const Node* capabilities_node = nullptr;  ///< capabilities.add
  const Node* security_context = nullptr;
  std::vector<VolumeMount> mounts;

  /// The last variable of that name, as the container sees it; null when there is none.
  const EnvironmentVariable* variable(std::string_view name) const;
  /// The first positive ask of the vendor (any vendor: Vendor::none), or null.
  const Ask* first_ask(Vendor vendor = Vendor::none) const;
  /// Whether it gets a device: a positive or unknown ask, or a claim.
  bool asks_for_device() const { return asks_by_claim || first_ask() != nullptr; }
  /// The entry of capabilities.add that grants this one (`SYS_ADMIN`): its name, or ALL. Letters of either case, and with or without CAP_, as
  /// the container runtimes between them read it.
  const Node* added_capability(std::string_view name) const;
  /// `container "main"`; for nameless ones what they are: `the container`, `the values at singleuser`.
  std::string label() const;
};

}  // namespace gpulint
