package fleet.rpc;

import fleet.core.limit.SourceNetwork;
import java.util.HashMap;
import java.util.Map;

/** Places shared by all, with a limit for each network. Safe for use by many threads. */
final class ConnectionSlots {

  private final int most;
  private final int mostOfNetwork;
  private final Map<SourceNetwork, Integer> takenOf = new HashMap<>();
  private int taken;

  ConnectionSlots(int most, int mostOfNetwork) {
    this.most = most;
    this.mostOfNetwork = mostOfNetwork;
  }

  /** Takes a place; false if there is none. */
  synchronized boolean take(SourceNetwork from) {
    if (taken >= most || takenOf.getOrDefault(from, 0) >= mostOfNetwork) {
      return false;
    }
    taken++;
    takenOf.merge(from, 1, Integer::sum);
    return true;
  }

  synchronized void leave(SourceNetwork from) {
    taken--;
    takenOf.computeIfPresent(from, (_, count) -> count > 1 ? count - 1 : null);
  }
}
