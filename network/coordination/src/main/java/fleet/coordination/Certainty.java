package fleet.coordination;

import java.time.Duration;
import java.util.Optional;

/**
 * How certain an engine is that it leads, which only the store can say. Safe for use by many
 * threads; never waits.
 */
public interface Certainty {

  /** That of an engine whose store nobody else has. */
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
   * Whether this engine leads at this very moment and nobody else can, though nobody be asked: the
   * store has confirmed the lead less than a lease ago, by a clock that runs. What machines and
   * readers hear of a leader must be said while this holds, since only an engine's writes are
   * fenced by the store.
   */
  boolean isCertain();

  /**
   * How long ago the store was asked to confirm the lead, the last time that it did; empty if this
   * engine does not lead, or knows that it is about to do so no more.
   */
  Optional<Duration> confirmedAgo();
}
