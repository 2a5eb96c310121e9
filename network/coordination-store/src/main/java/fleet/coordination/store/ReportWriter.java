package fleet.coordination.store;

import fleet.coordination.EventLoop;
import fleet.coordination.LatestReports;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.ReportRecord;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the agent's reports to the store: the last of each unit, in batches, without what the
 * store has already. Belongs to its loop.
 */
final class ReportWriter {

  private static final Logger log = LoggerFactory.getLogger(ReportWriter.class);

  /** etcd takes 128 operations in a transaction, which others may share. */
  private static final int BATCH = 60;

  /**
   * How long a new agent may take to report its units. Reports of an earlier one about other units
   * are then forgotten.
   */
  private static final Duration TAKING_STOCK = Duration.ofSeconds(10);

  /** Stands for a value that must be written again, as it is on another lease. */
  private static final String OUTDATED = "";

  private final EventLoop loop;
  private final StoreWork work;
  private final Registry registry;
  private final String machine;
  private final Predicate<UnitName> scheduled;
  private final Consumer<MachineLease> doubtful;
  private final LatestReports latest;
  private final Map<UnitName, String> stored = new HashMap<>();
  private final Set<UnitName> inherited = new HashSet<>();
  private @Nullable MachineLease membership;
  private boolean scheduleKnown;
  private boolean writing;

  /**
   * @param scheduled whether the schedule has an entry of the unit
   * @param doubtful told when the store does not know the membership any more
   */
  ReportWriter(
      EventLoop loop,
      StoreWork work,
      Registry registry,
      String machine,
      Predicate<UnitName> scheduled,
      Consumer<MachineLease> doubtful) {
    this.loop = loop;
    this.work = work;
    this.registry = registry;
    this.machine = machine;
    this.scheduled = scheduled;
    this.latest = new LatestReports(scheduled);
    this.doubtful = doubtful;
  }

  void report(Collection<AgentReport> reports) {
    latest.report(reports);
    reports.forEach(report -> inherited.remove(report.unit()));
    write();
  }

  /**
   * Units have come into the schedule, or left it. The store may still have a report that only
   * answered an entry, or one of an earlier agent.
   */
  void scheduleChanged(Collection<UnitName> units) {
    latest.scheduleChanged(units);
    latest.tellAgain(
        units.stream()
            .filter(unit -> !scheduled.test(unit) && latest.last(unit).isEmpty())
            .toList());
    if (!scheduleKnown) {
      scheduleKnown = true;
      loop.postAfter(TAKING_STOCK, this::forgetInherited);
    }
    write();
  }

  private void forgetInherited() {
    inherited.removeIf(scheduled);
    latest.tellAgain(inherited);
    inherited.clear();
    write();
  }

  void joined(MachineLease begun) {
    membership = begun;
    stored.clear();
    for (Entry entry : begun.states()) {
      remember(entry, entry.lease() == begun.lease().id());
    }
    latest.tellAllAgain();
    write();
  }

  private void remember(Entry entry, boolean current) {
    try {
      UnitName unit = Keys.unitOf(entry.key());
      stored.put(unit, current ? entry.value() : OUTDATED);
      if (latest.last(unit).isEmpty()) {
        inherited.add(unit);
      }
    } catch (RegistryException e) {
      log.warn("coordination: {}; it is left alone", e.getMessage());
    }
  }

  void lost() {
    membership = null;
    stored.clear();
  }

  private void write() {
    MachineLease current = membership;
    if (writing || current == null || !scheduleKnown) {
      return;
    }
    Map<UnitName, Optional<String>> batch = takeBatch();
    if (batch.isEmpty()) {
      return;
    }
    writing = true;
    Transaction transaction = transaction(current, batch);
    work.begin(
        "reporting units",
        () -> registry.commit(transaction),
        outcome -> written(current, batch, outcome));
  }

  /** The values to write; empty for a report that is over, and so taken away. */
  private Map<UnitName, Optional<String>> takeBatch() {
    Map<UnitName, Optional<String>> batch = new LinkedHashMap<>();
    while (batch.isEmpty() && latest.due() > 0) {
      List<UnitName> units = latest.take(BATCH);
      latest.sent(units);
      for (UnitName unit : units) {
        Optional<String> value = latest.last(unit).map(report -> new ReportRecord(report).json());
        if (!value.equals(Optional.ofNullable(stored.get(unit)))) {
          batch.put(unit, value);
        }
      }
    }
    return batch;
  }

  private Transaction transaction(MachineLease current, Map<UnitName, Optional<String>> batch) {
    Transaction.Builder transaction =
        Transaction.when().createdAt(Keys.machine(machine), current.created());
    batch.forEach((unit, value) -> {
      String key = Keys.state(machine, unit);
      value.ifPresentOrElse(
          json -> transaction.put(key, json, current.lease()), () -> transaction.delete(key));
    });
    return transaction.build();
  }

  private void written(MachineLease of, Map<UnitName, Optional<String>> batch, Outcome outcome) {
    writing = false;
    if (!of.is(membership) || outcome instanceof Outcome.Refused) {
      latest.tellAgain(batch.keySet());
    } else {
      batch.forEach((unit, value) ->
          value.ifPresentOrElse(json -> stored.put(unit, json), () -> stored.remove(unit)));
    }
    if (of.is(membership) && outcome instanceof Outcome.Refused) {
      doubtful.accept(of);
    }
    write();
  }
}
