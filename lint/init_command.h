// `gpulint init`: makes a repository ready for gpulint. Asks nothing, overwrites nothing, and says what it did and left alone.
#pragma once
#include "lint/init_text.h"
#include "lint/live_cluster.h"
#include "lint/repository.h"

namespace gpulint {

/// The cluster that the manifests are written for: as their objects show it, else as the current context does. Where they disagree, none.
ClusterChoice choose_cluster(const Repository& repository, const LiveCluster& live);

/// The exit status: 0 also when nothing was left to do.
int init_repository();

}  // namespace gpulint
