package fleet.daemon;

import fleet.coordination.Leadership;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A candidate that machines do not speak to: where it leads nevertheless, those that have joined
 * are lost to it, and people are told.
 */
final class SilentLeader implements Leadership.Candidate {

  private static final Logger LOG = LoggerFactory.getLogger(SilentLeader.class);

  private final Leadership.Candidate engine;
  private final JoinedMark joined;
  private final CutOff cutOff;

  /** Whether machines are cut off by such a leader, for people. Safe for use by many threads. */
  static final class CutOff {

    private final String remedy;
    private volatile boolean now;
    private volatile Runnable change = () -> {};

    /**
     * @param remedy what lets machines speak to this server
     */
    CutOff(String remedy) {
      this.remedy = remedy;
    }

    /** Has something done whenever that changes, one time after the other, by another thread. */
    void onChange(Runnable work) {
      change = work;
    }

    /** What is wrong and what to do; empty where nothing is. */
    Optional<String> problem() {
      return Optional.of(now)
          .filter(Boolean::booleanValue)
          .map(_ ->
              "machines that have joined cannot speak to this server, which leads: they count as"
                  + " lost, and their units are started elsewhere though they may run there still;"
                  + " %s, and restart fleet.service".formatted(remedy));
    }

    private void is(boolean cutOff) {
      if (now != cutOff) {
        now = cutOff;
        problem().ifPresent(problem -> LOG.error("{}", problem));
        // systemd may be slow to take what it is told.
        Thread.ofVirtual().name("cut-off").start(this::tell);
      }
    }

    private synchronized void tell() {
      change.run();
    }
  }

  SilentLeader(Leadership.Candidate engine, JoinedMark joined, CutOff cutOff) {
    this.engine = engine;
    this.joined = joined;
    this.cutOff = cutOff;
  }

  @Override
  public void lead(Leadership.Term term) {
    boolean someHaveJoined = joined.isThere();
    engine.lead(term);
    cutOff.is(someHaveJoined);
  }

  @Override
  public void retire(String why) {
    cutOff.is(false);
    engine.retire(why);
  }

  @Override
  public void keepReady(boolean ready) {
    engine.keepReady(ready);
  }
}
