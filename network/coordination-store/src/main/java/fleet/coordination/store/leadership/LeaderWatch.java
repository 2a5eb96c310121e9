package fleet.coordination.store.leadership;

import fleet.coordination.EventLoop;
import fleet.core.machine.HostPort;
import fleet.registry.Entry;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Holds the probe to the leader. Belongs to its loop. */
final class LeaderWatch {

  private record Watched(long token, String address, Optional<LeaderProbe> probe) {}

  private final EventLoop loop;
  private final LongConsumer ended;
  private Optional<Watched> watched = Optional.empty();

  /**
   * @param ended gets the token of a leader whose process has proved to have ended, possibly
   *     several times
   */
  LeaderWatch(EventLoop loop, LongConsumer ended) {
    this.loop = loop;
    this.ended = ended;
  }

  /** Holds a probe to this leader, and to no other. */
  void over(Entry leader, String address) {
    boolean already =
        watched
            .filter(now -> now.token == leader.created() && now.address.equals(address))
            .isPresent();
    if (!already) {
      end();
      watched = Optional.of(begin(leader.created(), address));
    }
  }

  private Watched begin(long token, String address) {
    Optional<LeaderProbe> probe =
        HostPort.parse(address).map(to -> new LeaderProbe(loop, to, () -> ended.accept(token)));
    probe.ifPresent(LeaderProbe::start);
    return new Watched(token, address, probe);
  }

  void end() {
    watched.flatMap(Watched::probe).ifPresent(LeaderProbe::close);
    watched = Optional.empty();
  }
}
