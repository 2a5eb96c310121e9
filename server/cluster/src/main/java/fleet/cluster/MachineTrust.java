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
   * Throws a machine out: from now on no server takes its certificate, and its units move.
   *
   * @return empty if nothing is known of such a machine; false if it was thrown out before
   * @throws IllegalArgumentException if it is this very server; the message is for people
   */
  Optional<Boolean> remove(String machine, Caller caller);

  /**
   * Lets a machine join once more with whatever key it has then, thrown out or not.
   *
   * @return until when it may; empty if nothing is known of such a machine
   */
  Optional<Instant> readmit(String machine, Caller caller);
}
