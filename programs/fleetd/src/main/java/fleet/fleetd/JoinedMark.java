package fleet.fleetd;

import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.JoinedRecord;
import fleet.registry.records.Keys;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mark in the registry that the cluster has joined machines: servers consult it when they stand
 * for election. Safe for use by many threads.
 */
final class JoinedMark {

  private static final Logger LOG = LoggerFactory.getLogger(JoinedMark.class);

  /** Thousands may ask at once. */
  private static final Duration NOT_BEFORE = Duration.ofMinutes(1);

  private final Registry registry;
  private final Clock clock;
  private final AtomicReference<Instant> due = new AtomicReference<>(Instant.MIN);

  JoinedMark(Registry registry, Clock clock) {
    this.registry = registry;
    this.clock = clock;
  }

  /** There is such a machine; noted beside, and again if somebody took the mark away since. */
  void seen() {
    Instant now = clock.instant();
    Instant last = due.get();
    if (!now.isBefore(last) && due.compareAndSet(last, now.plus(NOT_BEFORE))) {
      Thread.ofVirtual().name("joined-mark").start(this::note);
    }
  }

  private void note() {
    try {
      registry.commit(
          Transaction.when()
              .absent(Keys.JOINED)
              .put(Keys.JOINED, new JoinedRecord(clock.instant()).json())
              .build());
    } catch (RegistryException e) {
      // The machine asks again.
      due.set(Instant.MIN);
      LOG.debug("that machines have joined is not noted yet", e);
    }
  }

  /**
   * Whether there was ever one.
   *
   * @throws RegistryException if the registry does not answer
   */
  boolean isThere() {
    return registry.get(Keys.JOINED).isPresent();
  }
}
