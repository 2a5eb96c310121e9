package fleet.simulation.planted;

import fleet.coordination.Leadership;
import java.time.Duration;
import java.util.Optional;

/** A leadership that is another one, but for what a bug makes different. */
abstract class AlteredLeadership implements Leadership {

  private final Leadership real;

  AlteredLeadership(Leadership real) {
    this.real = real;
  }

  /** The term that the engine leads in. */
  Term begun(Term term) {
    return term;
  }

  @Override
  public boolean isCertain() {
    return real.isCertain();
  }

  @Override
  public Optional<Duration> confirmedAgo() {
    return real.confirmedAgo();
  }

  @Override
  public void campaign(Candidate candidate) {
    real.campaign(
        new Candidate() {
          @Override
          public void lead(Term term) {
            candidate.lead(begun(term));
          }

          @Override
          public void retire(String why) {
            candidate.retire(why);
          }

          @Override
          public void keepReady(boolean ready) {
            candidate.keepReady(ready);
          }
        });
  }

  @Override
  public void close() {
    real.close();
  }
}
