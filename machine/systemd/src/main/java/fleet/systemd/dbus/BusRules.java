package fleet.systemd.dbus;

import fleet.systemd.SystemdException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Tells a bus which signals to pass on: those of each followed unit, or, if a bus would refuse so
 * many rules, those of all units. Private sockets pass on everything and need none.
 *
 * <p>Safe for use by many threads.
 */
final class BusRules {

  /** A bus takes 512 rules of one connection by default; some are for the manager. */
  static final int MOST_UNITS = 480;

  private static final String FROM_SYSTEMD = "type='signal',sender='org.freedesktop.systemd1',";
  private static final String ALL_UNITS =
      FROM_SYSTEMD + "path_namespace='" + UnitPaths.PREFIX + "'";

  private final Set<String> paths = new HashSet<>();
  private @Nullable BusConnection link;
  private boolean everything;

  /** For a signal of the manager itself. */
  static String ofManager(String member) {
    return FROM_SYSTEMD + "path='" + MethodCall.MANAGER_PATH + "',member='" + member + "'";
  }

  /** Sets up a new bus connection, for the units as they are. */
  synchronized void renew(BusConnection bus, Collection<String> units) {
    link = bus;
    everything = false;
    paths.clear();
    List<String> rules = new ArrayList<>();
    rules.add(
        "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='"
            + MethodCall.SYSTEMD
            + "'");
    for (String member : List.of("JobRemoved", "UnitRemoved", "Reloading")) {
      rules.add(ofManager(member));
    }
    change(bus, "AddMatch", rules);
    addUnits(bus, units);
  }

  synchronized void add(Collection<String> units) {
    BusConnection bus = link;
    if (bus != null) {
      quietly(() -> addUnits(bus, units));
    }
  }

  synchronized void remove(Collection<String> units) {
    BusConnection bus = link;
    List<String> gone = units.stream().filter(paths::remove).toList();
    if (bus != null && !everything) {
      quietly(() -> change(bus, "RemoveMatch", gone.stream().map(BusRules::ofUnit).toList()));
    }
  }

  private void addUnits(BusConnection bus, Collection<String> units) {
    List<String> fresh = units.stream().filter(paths::add).toList();
    if (everything) {
      return;
    }
    if (paths.size() <= MOST_UNITS) {
      change(bus, "AddMatch", fresh.stream().map(BusRules::ofUnit).toList());
      return;
    }
    // Not taken back when units get fewer: it would lose signals, or need all rules at once.
    everything = true;
    change(bus, "AddMatch", List.of(ALL_UNITS));
    Set<String> ruled = new HashSet<>(paths);
    fresh.forEach(ruled::remove);
    change(bus, "RemoveMatch", ruled.stream().map(BusRules::ofUnit).toList());
  }

  private static String ofUnit(String path) {
    return FROM_SYSTEMD + "path='" + path + "'";
  }

  private static void change(BusConnection bus, String member, Collection<String> rules) {
    List<CompletableFuture<Boolean>> answers = new ArrayList<>();
    for (String rule : rules) {
      MethodCall call = MethodCall.ofBus("follow units on the bus", member, "s", rule);
      answers.add(bus.call(call, body -> true));
    }
    answers.forEach(PendingReplies::await);
  }

  /** If the connection has just been lost, the next one is set up for these units as well. */
  private static void quietly(Runnable change) {
    try {
      change.run();
    } catch (SystemdException e) {
      if (!e.error().isEmpty()) {
        throw e;
      }
    }
  }
}
