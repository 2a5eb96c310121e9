package fleet.coordination.rpc;

import fleet.coordination.EventLoop;
import fleet.core.machine.HostPort;
import fleet.rpc.CandidateAddresses;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Looks for the leader: first at the hinted address, then with all servers that may know, with
 * growing pauses. Belongs to its loop.
 */
final class LeaderDiscovery {

  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;
  private static final int MOST_DOUBLINGS = 5;

  private final EventLoop loop;
  private final CandidateAddresses addresses;
  private final RandomGenerator chance;
  private final Consumer<HostPort> found;
  private final Deque<HostPort> candidates = new ArrayDeque<>();
  private Optional<HostPort> hint = Optional.empty();
  private int failures;
  private boolean asking;
  private boolean closed;

  /**
   * @param found gets the address to try
   */
  LeaderDiscovery(
      EventLoop loop,
      CandidateAddresses addresses,
      RandomGenerator chance,
      Consumer<HostPort> found) {
    this.loop = loop;
    this.addresses = addresses;
    this.chance = chance;
    this.found = found;
  }

  /** A server gave a hint. */
  void hint(HostPort address) {
    hint = Optional.of(address);
  }

  /** The leader is found. */
  void succeeded() {
    failures = 0;
    candidates.clear();
  }

  /** Continues to look, at once if there is a hint. */
  void next() {
    boolean prompt = hint.isPresent() && failures == 0;
    failures++;
    if (prompt) {
      take();
    } else {
      loop.postAfter(pause(), this::take);
    }
  }

  private Duration pause() {
    long longest =
        Math.min(FIRST_PAUSE_MILLIS << Math.min(failures, MOST_DOUBLINGS), LONGEST_PAUSE_MILLIS);
    return Duration.ofMillis(longest / 2 + chance.nextLong(longest / 2 + 1));
  }

  private void take() {
    if (closed) {
      return;
    }
    if (hint.isPresent()) {
      HostPort address = hint.get();
      hint = Optional.empty();
      found.accept(address);
    } else if (!candidates.isEmpty()) {
      found.accept(candidates.remove());
    } else if (!asking) {
      ask();
    }
  }

  private void ask() {
    asking = true;
    loop.beside(
        "looking for the leader",
        () -> {
          List<HostPort> answer = addresses.candidatesOrNone();
          loop.post(() -> {
            asking = false;
            candidates.addAll(answer);
            if (candidates.isEmpty()) {
              next();
            } else {
              take();
            }
          });
        });
  }

  void close() {
    closed = true;
  }
}
