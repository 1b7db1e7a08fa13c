"""A Ray cluster of two nodes on this machine, real ones: two raylets, started here and stopped by their process ids."""

import os

from ray.cluster_utils import Cluster as Raylets

NODES = ("n1", "n2")
PROCESSORS = 2
"""Of a node, as Ray counts them; the nodes share those of this machine."""


class Cluster:
    """Two nodes."""

    def __init__(self):
        os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        self._raylets = Raylets()
        self._nodes = {name: self._start(name) for name in NODES}
        self.address = self._raylets.address

    def _start(self, name):
        store = 100 << 20
        return self._raylets.add_node(
            num_cpus=PROCESSORS, object_store_memory=store, node_name=name, include_dashboard=False
        )

    def kill_node(self, name):
        """Have a node die at once, with all that runs below it."""
        self._raylets.remove_node(self._nodes.pop(name), allow_graceful=False)

    def start_node(self, name):
        """Start a node again."""
        self._nodes[name] = self._start(name)

    def stop(self):
        """Stop all of it."""
        self._raylets.shutdown()
