// The cluster of kubectl's current context, as its nodes show it, for `gpulint init`. Never waits longer than kClusterPatience.
#pragma once
#include <chrono>
#include <map>
#include <string>
#include <string_view>

namespace gpulint {

inline constexpr std::chrono::milliseconds kClusterPatience = std::chrono::seconds(2);

struct LiveCluster {
  std::string context;                           ///< empty: there is none
  std::string trouble;                           ///< why its nodes could not be seen
  std::size_t nodes = 0;
  std::map<std::string, std::string> platforms;  ///< preset -> what shows it: `label cloud.google.com/gke-nodepool of node a`
};

/// Reads a NodeList as the API server sends it.
void read_nodes(std::string_view json, LiveCluster& cluster);

/// Asks kubectl, when it is installed.
LiveCluster live_cluster();

}  // namespace gpulint
