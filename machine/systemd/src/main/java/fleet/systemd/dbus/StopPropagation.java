package fleet.systemd.dbus;

import fleet.core.unit.UnitName;
import fleet.systemd.SystemdException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Finds the units to which systemd hands on the stop of a unit. It asks systemd, which knows what
 * no unit file says: drop-ins, the links of {@code [Install]}, mounts below a path, slices.
 */
final class StopPropagation {

  /** From the unit that is stopped to those that are stopped with it; the last one is as of 249. */
  private static final List<String> PROPERTIES =
      List.of("RequiredBy", "RequisiteOf", "BoundBy", "ConsistsOf", "PropagatesStopTo");

  private final BusConnection link;

  StopPropagation(BusConnection link) {
    this.link = link;
  }

  /** All units that are stopped with one, in the order found, without that one. */
  Set<UnitName> from(UnitName stopped) {
    Set<UnitName> found = new LinkedHashSet<>();
    found.add(stopped);
    Queue<UnitName> next = new ArrayDeque<>(found);
    while (!next.isEmpty()) {
      for (UnitName unit : directlyFrom(next.remove())) {
        if (found.add(unit)) {
          next.add(unit);
        }
      }
    }
    found.remove(stopped);
    return found;
  }

  private List<UnitName> directlyFrom(UnitName unit) {
    List<CompletableFuture<List<String>>> asked = new ArrayList<>();
    for (String property : PROPERTIES) {
      MethodCall call =
          MethodCall.ofProperty(
              "tell " + property + " of " + unit, UnitPaths.of(unit), UnitPaths.UNIT, property);
      asked.add(link.call(call, Unmarshaller::stringsVariant));
    }
    List<UnitName> units = new ArrayList<>();
    for (CompletableFuture<List<String>> answer : asked) {
      // systemd allows names that fleet does not; no unit of fleet's has one.
      named(answer).forEach(name -> UnitName.parse(name).ifPresent(units::add));
    }
    return units;
  }

  private static List<String> named(CompletableFuture<List<String>> answer) {
    try {
      return PendingReplies.await(answer);
    } catch (SystemdException e) {
      if (e.isConnectionLost()) {
        throw e;
      }
      // An older systemd has no such property, and of a unit that it refuses there is none.
      return List.of();
    }
  }
}
