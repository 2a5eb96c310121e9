package fleet.coordination.local;

import fleet.coordination.Leadership;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The only engine there is leads, from the first moment to the last. */
public final class SoleLeadership implements Leadership {

  private volatile @Nullable Candidate leader;

  @Override
  public synchronized void campaign(Candidate candidate) {
    leader = candidate;
    candidate.lead(Term.ALONE);
  }

  @Override
  public boolean isCertain() {
    return leader != null;
  }

  @Override
  public Optional<Duration> confirmedAgo() {
    return isCertain() ? Optional.of(Duration.ZERO) : Optional.empty();
  }

  @Override
  public synchronized void close() {
    if (leader != null) {
      leader.retire("fleetd stops");
      leader = null;
    }
  }
}
