package fleet.cluster;

import java.time.Instant;
import java.util.Optional;

/**
 * Which machines belong to the cluster. Safe for use by many threads; calls block.
 *
 * <p>Every call throws {@link ClusterUnavailableException} if the cluster cannot answer.
 */
public interface MachineTrust {

  /**
   * Removes a machine: from now on no server accepts its certificate, and its units move.
   *
   * @return empty if the machine is unknown; false if it was removed before
   * @throws IllegalArgumentException if it is this very server; the message is for people
   */
  Optional<Boolean> remove(String machine, Caller caller);

  /**
   * Lets a machine join once more with any key, removed or not.
   *
   * @return until when it may; empty if the machine is unknown
   */
  Optional<Instant> readmit(String machine, Caller caller);
}
