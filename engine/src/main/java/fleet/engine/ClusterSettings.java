package fleet.engine;

import fleet.cluster.Setting;
import fleet.core.machine.Overcommit;
import fleet.registry.records.ConfigRecord;
import fleet.scheduler.Scheduler;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The settings of the whole cluster that there are, and what they may be. What the registry has and
 * this does not know, or cannot use, does not count: a newer fleet may have set it.
 */
final class ClusterSettings {

  private static final String STRATEGY = "scheduler.strategy";
  private static final String CORES = "scheduler.overcommit.cores";
  private static final String MEMORY = "scheduler.overcommit.memory";
  private static final String FACTOR =
      "a number above 0 and at most 100, where 1 promises what the machines have";

  private static final Scheduler USUAL = new Scheduler();

  private static final Map<String, Kind> KINDS =
      new TreeMap<>(
          Map.of(
              STRATEGY,
              new Kind(
                  USUAL.strategy().name(),
                  "one of " + String.join(", ", USUAL.strategies()),
                  USUAL.strategies()::contains),
              CORES,
              new Kind("1", FACTOR, text -> factor(text).isPresent()),
              MEMORY,
              new Kind("1", FACTOR, text -> factor(text).isPresent())));

  /**
   * A setting that there is.
   *
   * @param expected completes "expected ..." in a message
   */
  private record Kind(String usual, String expected, Function<String, Boolean> allows) {}

  private ClusterSettings() {}

  private static Optional<Double> factor(String text) {
    try {
      double factor = Double.parseDouble(text);
      return Optional.of(new Overcommit(factor, factor).cores());
    } catch (IllegalArgumentException none) {
      return Optional.empty();
    }
  }

  /** Why a setting cannot be this; empty where it can. */
  static Optional<String> fault(String name, String value) {
    Kind kind = KINDS.get(name);
    if (kind == null) {
      return Optional.of(
          "there is no setting \"%s\": there are %s"
              .formatted(name, String.join(", ", KINDS.keySet())));
    }
    return kind.allows().apply(value)
        ? Optional.empty()
        : Optional.of("%s cannot be \"%s\": expected %s".formatted(name, value, kind.expected()));
  }

  /** All that there are, sorted by name. */
  static List<Setting> all(Map<String, ConfigRecord> stored) {
    return KINDS.entrySet().stream()
        .map(known -> setting(known.getKey(), known.getValue(), stored))
        .toList();
  }

  private static Setting setting(String name, Kind kind, Map<String, ConfigRecord> stored) {
    return usable(name, stored)
        .map(record -> new Setting(name, record.value(), kind.usual(), record.by()))
        .orElseGet(() -> new Setting(name, kind.usual(), kind.usual(), ""));
  }

  private static Optional<ConfigRecord> usable(String name, Map<String, ConfigRecord> stored) {
    return Optional.ofNullable(stored.get(name))
        .filter(record -> fault(name, record.value()).isEmpty());
  }

  static String strategy(Map<String, ConfigRecord> stored) {
    return usable(STRATEGY, stored).map(ConfigRecord::value).orElse(USUAL.strategy().name());
  }

  static Overcommit overcommit(Map<String, ConfigRecord> stored) {
    return new Overcommit(factor(CORES, stored), factor(MEMORY, stored));
  }

  private static double factor(String name, Map<String, ConfigRecord> stored) {
    return usable(name, stored).flatMap(record -> factor(record.value())).orElse(1.0);
  }
}
