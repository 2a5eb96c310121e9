package fleet.rpc;

import fleet.core.machine.HostPort;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Finds the addresses of possible leaders. Safe for use by many threads. */
@FunctionalInterface
public interface CandidateAddresses {

  /**
   * The addresses to ask, the likeliest first; empty if nobody leads, or that cannot be found out.
   * May wait, but not for long.
   */
  List<HostPort> candidates();

  /** The same; also empty if that fails. */
  default List<HostPort> candidatesOrNone() {
    try {
      return candidates();
    } catch (RuntimeException e) {
      LoggerFactory.getLogger(CandidateAddresses.class).debug("who leads cannot be found out", e);
      return List.of();
    }
  }
}
