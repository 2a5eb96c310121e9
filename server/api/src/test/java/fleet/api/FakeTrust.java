package fleet.api;

import fleet.cluster.Caller;
import fleet.cluster.MachineTrust;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Knows machine {@code m2}, and is itself {@code m1}. */
final class FakeTrust implements MachineTrust {

  static final Instant UNTIL = Instant.parse("2026-03-02T10:00:00Z");

  private final Set<String> removed = new HashSet<>();

  @Override
  public synchronized Optional<Boolean> remove(String machine, Caller caller) {
    if (machine.equals("m1")) {
      throw new IllegalArgumentException("ask another server");
    }
    return machine.equals("m2") ? Optional.of(removed.add(machine)) : Optional.empty();
  }

  @Override
  public synchronized Optional<Instant> readmit(String machine, Caller caller) {
    return machine.equals("m2") ? Optional.of(UNTIL) : Optional.empty();
  }
}
