package fleet.coordination.local;

import fleet.coordination.Leadership;
import org.jspecify.annotations.Nullable;

/** The only engine there is leads, from the first moment to the last. */
public final class SoleLeadership implements Leadership {

  private @Nullable Candidate leader;

  @Override
  public synchronized void campaign(Candidate candidate) {
    leader = candidate;
    candidate.lead(Term.ALONE);
  }

  @Override
  public synchronized boolean isCertain() {
    return leader != null;
  }

  @Override
  public synchronized void close() {
    if (leader != null) {
      leader.retire("fleetd stops");
      leader = null;
    }
  }
}
