package fleet.coordination;

import java.time.Duration;
import java.util.Optional;

/**
 * The certainty of an engine that it leads, which only the store can give. Safe for use by many
 * threads; never waits.
 */
public interface Certainty {

  /** The certainty of an engine that does not share its store. */
  Certainty ALWAYS =
      new Certainty() {
        @Override
        public boolean isCertain() {
          return true;
        }

        @Override
        public Optional<Duration> confirmedAgo() {
          return Optional.of(Duration.ZERO);
        }
      };

  /**
   * Whether this engine leads at this moment and no other can, without asking the store: the store
   * confirmed the lead less than a lease ago, by a monotonic clock. A leader may answer machines
   * and readers only while this holds, since the store fences only writes.
   */
  boolean isCertain();

  /**
   * The age of the last request by which the store confirmed the lead; empty if this engine does
   * not lead, or is about to stop.
   */
  Optional<Duration> confirmedAgo();
}
