package fleet.coordination;

import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Another machine in the cluster with the id of the one that joins. It may be the same machine
 * before it booted, so the joining one waits for as long as the other may be silent. If the other
 * is still present then, two machines have one id. Belongs to its loop.
 */
public final class DuplicateMachine {

  private static final Logger log = LoggerFactory.getLogger(DuplicateMachine.class);

  /** How long a leader or a store may take to end an expired stay. */
  private static final Duration LENIENCE = Duration.ofSeconds(2);

  private final EventLoop loop;
  private final String id;
  private final Duration ttl;
  private Optional<Waiting> waiting = Optional.empty();

  /**
   * A stay of the other machine that is waited for.
   *
   * @param until when it should have ended, in nanoseconds of the loop
   */
  private record Waiting(Object stay, long until) {}

  /**
   * @param id of the machine that joins
   * @param ttl how long that machine may be silent
   */
  public DuplicateMachine(EventLoop loop, String id, Duration ttl) {
    this.loop = loop;
    this.id = id;
    this.ttl = ttl;
  }

  /** How messages name the other machine. */
  public static String named(String publicIp, String bootId) {
    return "with public IP \"%s\" and boot id %s".formatted(publicIp, bootId);
  }

  /**
   * The other machine is present; waits once for each of its stays.
   *
   * @param stay identifies its stay
   * @param its how long it may be silent, as it was configured
   * @param named how messages name it
   * @return how much longer it may be there; not positive once it should have been silent
   */
  public Duration present(Object stay, Duration its, String named) {
    long now = loop.nanoTime();
    if (waiting.filter(before -> before.stay().equals(stay)).isEmpty()) {
      Duration longest = (its.compareTo(ttl) > 0 ? its : ttl).plus(LENIENCE);
      log.info(
          "coordination: machine {} is in the cluster already, {}; waiting for up to {} s until it"
              + " is silent: it may be this machine before it booted",
          id,
          named,
          longest.toSeconds());
      waiting = Optional.of(new Waiting(stay, now + longest.toNanos()));
    }
    return Duration.ofNanos(waiting.orElseThrow().until() - now);
  }

  /** The machine has joined. */
  public void gone() {
    waiting = Optional.empty();
  }

  /** The message for the operator once the other machine should have been silent. */
  public String complaint(String named) {
    return ("machine id %s is taken: another machine %s is in the cluster with it. If that one was"
            + " copied from the other or the other way round, remove /etc/machine-id on one of the"
            + " two, run systemd-machine-id-setup and reboot it")
        .formatted(id, named);
  }
}
