package fleet.engine;

import fleet.coordination.EngineCoordination;
import fleet.core.offer.Offer;
import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.engine.state.ReportPath;
import fleet.registry.Outcome;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.OfferRecord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells machines what is offered to them: those that speak to the leader itself directly, and those
 * that come through the store by the key {@code offer/<unit>}. Owned by the state thread.
 */
final class OfferDispatch {

  private static final Logger log = LoggerFactory.getLogger(OfferDispatch.class);

  /** A transaction of etcd takes 128 operations, and a request this many bytes of files. */
  private static final int WRITTEN_AT_ONCE = 30;

  private static final int CHARACTERS_AT_ONCE = 256 * 1024;

  private final EngineCoordination coordination;
  private final ClusterState cluster;
  private final OpenOffers offers;
  private final LeaderWrites writes;
  private final Map<UnitName, Told> told = new HashMap<>();

  /** The offers in the store once all pending writes are done: only leaders write them. */
  private final Map<UnitName, String> stored = new HashMap<>();

  private final Set<UnitName> toStore = new LinkedHashSet<>();
  private boolean writing;
  private boolean over;

  /** The offer of a unit, and the machines it was sent to. */
  private record Told(Offer offer, Set<String> machines) {}

  OfferDispatch(
      EngineCoordination coordination,
      ClusterState cluster,
      OpenOffers offers,
      LeaderWrites writes) {
    this.coordination = coordination;
    this.cluster = cluster;
    this.offers = offers;
    this.writes = writes;
  }

  /** Offers of earlier leaders in the store are void. */
  void begin() {
    for (UnitName unit : cluster.offers().units()) {
      cluster.offers().of(unit).ifPresent(record -> stored.put(unit, record.json()));
      toStore.add(unit);
    }
  }

  /** The machine has come, maybe over another transport; what it was told before is void. */
  void greet(String machine) {
    for (UnitName unit : offers.offeredTo(machine)) {
      told.computeIfPresent(
          unit,
          (_, before) -> {
            Set<String> others = new HashSet<>(before.machines);
            others.remove(machine);
            return new Told(before.offer, others);
          });
      dispatch(unit);
    }
  }

  void send() {
    offers.takeChanged().forEach(this::dispatch);
    write();
  }

  private void dispatch(UnitName unit) {
    Optional<OpenOffers.Open> open = offers.of(unit);
    Told before = told.remove(unit);
    Set<String> directly = open.map(this::directly).orElse(Set.of());
    if (before != null) {
      before.machines.stream()
          .filter(machine -> !directly.contains(machine))
          .forEach(machine -> coordination.withdraw(machine, unit));
    }
    open.ifPresent(offered -> {
      for (String machine : directly) {
        if (before == null
            || !before.offer.equals(offered.offer())
            || !before.machines.contains(machine)) {
          coordination.offer(machine, offered.offer());
        }
      }
      told.put(unit, new Told(offered.offer(), directly));
    });
    toStore.add(unit);
  }

  private Set<String> directly(OpenOffers.Open offered) {
    Set<String> machines = new HashSet<>(offered.machines());
    machines.removeIf(machine -> !cluster.machines().isPresent(ReportPath.DIRECT, machine));
    return machines;
  }

  // ---- through the store

  private Optional<String> wanted(UnitName unit) {
    return offers
        .of(unit)
        .flatMap(offered -> {
          Set<String> machines = new TreeSet<>(offered.machines());
          machines.removeIf(machine -> cluster.machines().isPresent(ReportPath.DIRECT, machine));
          return machines.isEmpty()
              ? Optional.empty()
              : Optional.of(new OfferRecord(offered.offer(), machines).json());
        });
  }

  private void write() {
    if (writing || over) {
      return;
    }
    Map<UnitName, Optional<String>> values = new LinkedHashMap<>();
    int characters = 0;
    for (Iterator<UnitName> units = toStore.iterator();
        units.hasNext() && values.size() < WRITTEN_AT_ONCE && characters < CHARACTERS_AT_ONCE; ) {
      UnitName unit = units.next();
      units.remove();
      Optional<String> wanted = wanted(unit);
      if (!wanted.equals(Optional.ofNullable(stored.get(unit)))) {
        values.put(unit, wanted);
        characters += wanted.map(String::length).orElse(0);
      }
    }
    if (!values.isEmpty()) {
      writing = true;
      writes.write(
          "engine-offers",
          transaction(values),
          outcome -> written(outcome, values),
          e -> notWritten(values, e));
    }
  }

  private Transaction transaction(Map<UnitName, Optional<String>> values) {
    var transaction = writes.fenced();
    values.forEach((unit, value) ->
        value.ifPresentOrElse(
            json -> transaction.put(Keys.offer(unit), json),
            () -> transaction.delete(Keys.offer(unit))));
    return transaction.build();
  }

  private void notWritten(Map<UnitName, Optional<String>> values, RuntimeException why) {
    log.warn("cannot write what is offered to machines: {}", why.getMessage());
    writes.later(() -> {
      writing = false;
      toStore.addAll(values.keySet());
    });
  }

  private void written(Outcome outcome, Map<UnitName, Optional<String>> values) {
    writing = false;
    // The write is refused only if this engine no longer leads.
    over = outcome instanceof Outcome.Refused;
    values.forEach((unit, value) ->
        value.ifPresentOrElse(json -> stored.put(unit, json), () -> stored.remove(unit)));
  }
}
