package fleet.coordination.rpc;

import fleet.core.machine.HostPort;
import java.util.List;

/** Says where an agent may find the leader. Safe for use by many threads. */
@FunctionalInterface
public interface LeaderFinder {

  /**
   * Whom to ask, the likeliest first; empty where nobody leads, or that cannot be found out. May
   * wait, but not for long.
   */
  List<HostPort> candidates();
}
