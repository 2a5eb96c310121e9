package fleet.fleetd;

import fleet.coordination.Leadership;
import fleet.trust.AuthorityRotation;
import fleet.trust.FollowedAuthorities;
import fleet.trust.TrustException;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A candidate that, for as long as it leads, takes the next step of the replacement of the
 * cluster's authority once nothing is waited for. The progress is in the registry, so the next
 * leader continues.
 */
final class AuthorityRotationTask implements Leadership.Candidate {

  private static final Logger LOG = LoggerFactory.getLogger(AuthorityRotationTask.class);

  /** Machines report by themselves; only the list of present machines is read again. */
  private static final Duration LOOK = Duration.ofMillis(500);

  private final AuthorityRotation rotation;
  private final FollowedAuthorities authorities;
  private final Supplier<Set<String>> present;
  private final Duration patience;
  private final Leadership.Candidate engine;
  private Thread looking = Thread.ofVirtual().unstarted(() -> {});

  /**
   * @param present ids of the machines that are there, as the leader sees them
   * @param patience how long machines have to report to a new leader
   */
  AuthorityRotationTask(
      AuthorityRotation rotation,
      FollowedAuthorities authorities,
      Supplier<Set<String>> present,
      Duration patience,
      Leadership.Candidate engine) {
    this.rotation = rotation;
    this.authorities = authorities;
    this.present = present;
    this.patience = patience;
    this.engine = engine;
  }

  @Override
  public void lead(Leadership.Term term) {
    engine.lead(term);
    long certainAt = System.nanoTime() + patience.toNanos();
    looking = Thread.ofVirtual().name("authority-rotation").start(() -> look(certainAt));
  }

  private void look(long certainAt) {
    try {
      String told = "";
      while (true) {
        authorities.awaitReplaced();
        told = step(certainAt, told);
        Thread.sleep(LOOK);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String step(long certainAt, String told) {
    try {
      rotation.advance(present.get(), System.nanoTime() - certainAt >= 0);
      return "";
    } catch (TrustException | RuntimeException e) {
      String why = String.valueOf(e.getMessage());
      if (!why.equals(told)) {
        LOG.warn("the replacement of the authority waits: {}", why);
      }
      return why;
    }
  }

  @Override
  public void retire(String why) {
    looking.interrupt();
    engine.retire(why);
  }

  @Override
  public void keepReady(boolean ready) {
    engine.keepReady(ready);
  }
}
