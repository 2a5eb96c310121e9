package fleet.engine;

import fleet.cluster.Setting;
import fleet.core.machine.Overcommit;
import fleet.core.text.DurationText;
import fleet.registry.records.ConfigRecord;
import fleet.scheduler.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The cluster-wide settings, and their valid values. Settings in the registry that are unknown or
 * unusable here are ignored: a newer fleet may have set them.
 */
final class ClusterSettings {

  private static final String STRATEGY = "scheduler.strategy";
  private static final String CORES = "scheduler.overcommit.cores";
  private static final String MEMORY = "scheduler.overcommit.memory";
  private static final String BIDS = "scheduler.bid.count";
  private static final String BID_SECONDS = "scheduler.bid.seconds";
  private static final String BIDDERS = "scheduler.bid.machines";
  private static final String DEPARTED_KEPT = "machines.lost.keep";
  private static final String FOREVER = "forever";
  private static final int MOST_DAYS_KEPT = 3650;
  private static final int MOST_BIDS = 100;
  private static final int LONGEST_BID_SECONDS = 600;
  private static final int MOST_BIDDERS = 10_000;
  private static final String FACTOR =
      "a number above 0 and at most 100, where 1 promises what the machines have";

  private static final Pattern WHOLE = Pattern.compile("[1-9]\\d{0,5}");
  private static final Pattern SECONDS = Pattern.compile("\\d{1,6}(\\.\\d{1,3})?");

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
              new Kind("1", FACTOR, text -> factor(text).isPresent()),
              BIDS,
              whole("3", MOST_BIDS),
              BID_SECONDS,
              new Kind(
                  "1",
                  "a number of seconds above 0 and at most " + LONGEST_BID_SECONDS,
                  text -> seconds(text).isPresent()),
              BIDDERS,
              whole("16", MOST_BIDDERS),
              DEPARTED_KEPT,
              new Kind(
                  "1d",
                  "a duration such as 12h or 7d and at most " + MOST_DAYS_KEPT + "d, 0, or forever",
                  text -> text.equals(FOREVER) || keptFor(text).isPresent())));

  /**
   * One setting.
   *
   * @param expected completes "expected ..." in a message
   */
  private record Kind(String usual, String expected, Function<String, Boolean> allows) {}

  private ClusterSettings() {}

  private static Kind whole(String usual, int most) {
    return new Kind(
        usual,
        "a whole number from 1 to " + most,
        text -> whole(text).filter(number -> number <= most).isPresent());
  }

  private static Optional<Integer> whole(String text) {
    return WHOLE.matcher(text).matches() ? Optional.of(Integer.valueOf(text)) : Optional.empty();
  }

  private static Optional<Duration> seconds(String text) {
    if (!SECONDS.matcher(text).matches()) {
      return Optional.empty();
    }
    Duration time = Duration.ofMillis(Math.round(1000 * Double.parseDouble(text)));
    return time.isPositive() && time.toSeconds() <= LONGEST_BID_SECONDS
        ? Optional.of(time)
        : Optional.empty();
  }

  private static Optional<Duration> keptFor(String text) {
    return text.equals("0")
        ? Optional.of(Duration.ZERO)
        : DurationText.parse(text).filter(time -> time.toDays() <= MOST_DAYS_KEPT);
  }

  private static Optional<Double> factor(String text) {
    try {
      double factor = Double.parseDouble(text);
      return Optional.of(new Overcommit(factor, factor).cores());
    } catch (IllegalArgumentException none) {
      return Optional.empty();
    }
  }

  /** Why a value is not valid for a setting; empty if it is. */
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

  /** The default of a setting; empty if there is no such setting. */
  static Optional<String> usual(String name) {
    return Optional.ofNullable(KINDS.get(name)).map(Kind::usual);
  }

  /** All settings, sorted by name. */
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
    return value(STRATEGY, stored);
  }

  static Overcommit overcommit(Map<String, ConfigRecord> stored) {
    return new Overcommit(factor(CORES, stored), factor(MEMORY, stored));
  }

  /** When bids decide. */
  static OpenOffers.Terms offers(Map<String, ConfigRecord> stored) {
    return new OpenOffers.Terms(
        whole(value(BIDS, stored)).orElseThrow(),
        seconds(value(BID_SECONDS, stored)).orElseThrow(),
        whole(value(BIDDERS, stored)).orElseThrow());
  }

  /** How long machines that are lost or have left stay listed; empty for always. */
  static Optional<Duration> departedKept(Map<String, ConfigRecord> stored) {
    return keptFor(value(DEPARTED_KEPT, stored));
  }

  private static String value(String name, Map<String, ConfigRecord> stored) {
    return usable(name, stored)
        .map(ConfigRecord::value)
        .orElseGet(() -> Objects.requireNonNull(KINDS.get(name)).usual());
  }

  private static double factor(String name, Map<String, ConfigRecord> stored) {
    return usable(name, stored).flatMap(record -> factor(record.value())).orElse(1.0);
  }
}
