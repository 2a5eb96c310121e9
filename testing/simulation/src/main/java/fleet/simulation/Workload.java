package fleet.simulation;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.systemd.simulated.UnitFortunes;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** The units that people of a simulated world know, each kind with a requirement of its own. */
final class Workload {

  /** The instances of one template: a family. */
  static final UnitName TEMPLATE = UnitName.of("web@.service");

  /** Its contents are numbered; with the last one no unit ever starts. */
  static final int CONTENTS = 5;

  private static final int BAD = CONTENTS - 1;
  private static final Duration SLOW = Duration.ofSeconds(20);

  /** How many units of each kind there are; the first letters of their names say the kind. */
  private static final List<Kind> KINDS =
      List.of(
          new Kind("a", 6, 8),
          new Kind("near", 2, 2),
          new Kind("once", 3, 4),
          new Kind("web@", 4, 6),
          new Kind("pair", 1, 2),
          new Kind("foe", 2, 2),
          new Kind("slow", 1, 1),
          new Kind("stuck", 1, 1),
          new Kind("bid", 2, 2),
          new Kind("global", 2, 2));

  private record Kind(String prefix, int count, int weight) {
    Kind times(int factor) {
      return new Kind(prefix, count, weight * factor);
    }
  }

  private Workload() {}

  static boolean isGlobal(UnitName unit) {
    return unit.value().startsWith("global");
  }

  /** Chooses units for one story, some kinds more often than others or not at all. */
  static final class Choice {
    private static final int MOST = 3;

    private final Random random;
    private final List<Kind> kinds;

    Choice(Random random) {
      this.random = random;
      List<Kind> some = KINDS.stream().map(kind -> kind.times(random.nextInt(MOST + 1))).toList();
      this.kinds = some.stream().mapToInt(Kind::weight).sum() > 0 ? some : KINDS;
    }

    UnitName any() {
      int left = random.nextInt(kinds.stream().mapToInt(Kind::weight).sum());
      for (Kind kind : kinds) {
        left -= kind.weight();
        if (left < 0) {
          return UnitName.of(kind.prefix() + random.nextInt(kind.count()) + ".service");
        }
      }
      throw new AssertionError();
    }
  }

  /** All instances of the template. */
  static List<UnitName> family() {
    return List.of("web@0", "web@1", "web@2", "web@3").stream()
        .map(name -> UnitName.of(name + ".service"))
        .toList();
  }

  /** A content that people put: seldom a bad one, as they roll that out. */
  static int content(Random random) {
    return random.nextInt(CONTENTS - 1);
  }

  static UnitFile file(UnitName unit, int content) {
    String name = unit.value();
    String memory =
        name.startsWith("a") || name.startsWith("bid") || name.startsWith("pair")
            ? "MemoryMax=%dG\n".formatted(content % 4)
            : "";
    String text =
        "[Service]\nType=%s\nExecStart=/bin/%s %d\n%s%s"
            .formatted(
                name.startsWith("once") ? "oneshot" : "simple",
                content == BAD ? "bad" : "work",
                content,
                memory,
                fleetSection(name));
    try {
      return UnitFile.parse(text);
    } catch (UnitFileSyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String fleetSection(String name) {
    if (name.startsWith("global")) {
      return "[X-Fleet]\nGlobal=true\n";
    }
    if (name.startsWith("near")) {
      return "[X-Fleet]\nMachineMetadata=region=us\n";
    }
    if (name.startsWith("bid")) {
      return "[X-Fleet]\nStrategy=bid\n";
    }
    if (name.startsWith("pair")) {
      return "[X-Fleet]\nMachineOf=a0.service\n";
    }
    if (name.startsWith("foe")) {
      return "[X-Fleet]\nConflicts=foe*.service\n";
    }
    return "";
  }

  /** The fortunes of the processes of a unit, derived from those of most units. */
  static UnitFortunes fortunes(UnitFortunes most, UnitName unit, UnitFile file) {
    if (file.values("Service", "ExecStart").stream().anyMatch(line -> line.contains("/bad "))) {
      return most.neverStarting();
    }
    if (unit.value().startsWith("slow")) {
      return most.withSlowestStart(SLOW);
    }
    if (unit.value().startsWith("stuck")) {
      return most.withSlowestStop(SLOW);
    }
    return most;
  }
}
