package fleet.systemd.dbus;

import fleet.core.unit.UnitName;
import fleet.core.unit.UnitType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Reads the state of units: one call for the list of all, and of those that are loaded the few
 * properties that the list lacks, many calls at a time. All answers are taken in on the reading
 * thread, so that they fall in line with the signals around them.
 */
final class StateReader {

  private final BusConnection link;

  StateReader(BusConnection link) {
    this.link = link;
  }

  /**
   * Brings records up to date.
   *
   * @param records by unit name
   */
  void read(Map<String, TrackedUnit> records) {
    if (records.isEmpty()) {
      return;
    }
    PendingReplies.await(list(records, TrackedUnit::readByCaller));
    List<TrackedUnit> incomplete =
        records.values().stream().filter(unit -> !unit.isComplete()).toList();
    List<CompletableFuture<Boolean>> properties = new ArrayList<>();
    for (TrackedUnit unit : inMemory(incomplete)) {
      properties.addAll(properties(unit));
    }
    properties.forEach(PendingReplies::await);
    records.values().forEach(TrackedUnit::markComplete);
  }

  /**
   * Those units of which systemd still knows more than the list had. To ask for more of the others
   * would load each of them again, for every property, from its file.
   */
  private List<TrackedUnit> inMemory(List<TrackedUnit> units) {
    return PendingReplies.confirmed(units, this::isInMemory);
  }

  private CompletableFuture<Boolean> isInMemory(TrackedUnit unit) {
    if (!unit.state().active().equals("inactive")) {
      return CompletableFuture.completedFuture(true);
    }
    if (!unit.state().load().equals("loaded")) {
      return CompletableFuture.completedFuture(false);
    }
    return isInMemory(unit.unit());
  }

  private CompletableFuture<Boolean> isInMemory(UnitName unit) {
    return PendingReplies.isThere(
        link.call(MethodCall.ofUnit("look for", "GetUnit", unit), body -> true));
  }

  /** The units among these that systemd has in memory, without loading any. */
  List<UnitName> known(Collection<UnitName> units) {
    return PendingReplies.confirmed(units, this::isInMemory);
  }

  /**
   * Reads only what the list has, with one call, which loads units that are not in memory.
   *
   * @param listed hears of each record, on the reading thread
   */
  CompletableFuture<Boolean> list(Map<String, TrackedUnit> records, Consumer<TrackedUnit> listed) {
    Collection<String> names = records.keySet();
    MethodCall call =
        MethodCall.ofManager(
            "tell the state of " + names.size() + " units",
            "ListUnitsByNames",
            "as",
            List.copyOf(names));
    return link.call(call, body -> take(body, records, listed));
  }

  private static boolean take(
      Unmarshaller body, Map<String, TrackedUnit> records, Consumer<TrackedUnit> listed) {
    int end = body.array(8);
    while (body.isBefore(end)) {
      body.align(8);
      String id = body.string();
      body.string(); // description
      String load = body.string();
      String active = body.string();
      String sub = body.string();
      body.string(); // the unit that this one follows in its state
      body.string(); // path
      body.unsignedInt(); // job
      body.string(); // job type
      body.string(); // job path
      TrackedUnit unit = records.get(id);
      if (unit != null) {
        unit.listed(load, active, sub);
        listed.accept(unit);
      }
    }
    return true;
  }

  private List<CompletableFuture<Boolean>> properties(TrackedUnit unit) {
    UnitType type = unit.unit().type();
    List<CompletableFuture<Boolean>> answers = new ArrayList<>();
    answers.add(property(unit, UnitPaths.UNIT, "InvocationID"));
    String since = TrackedUnit.sinceProperty(unit.state().active());
    answers.add(property(unit, UnitPaths.UNIT, since));
    if (UnitPaths.hasResult(type)) {
      answers.add(property(unit, UnitPaths.type(type), "Result"));
    }
    if (type == UnitType.SERVICE) {
      answers.add(property(unit, UnitPaths.type(type), "NRestarts"));
      if (unit.state().isFailed()) {
        answers.add(property(unit, UnitPaths.type(type), "ExecMainCode"));
        answers.add(property(unit, UnitPaths.type(type), "ExecMainStatus"));
      }
    }
    return answers;
  }

  private CompletableFuture<Boolean> property(TrackedUnit unit, String type, String name) {
    String path = UnitPaths.of(unit.unit());
    MethodCall call =
        MethodCall.ofProperty("tell " + name + " of " + unit.unit(), path, type, name);
    return link.call(
        call,
        body -> {
          unit.got(name, body);
          return true;
        });
  }
}
