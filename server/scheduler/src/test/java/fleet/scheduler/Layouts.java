package fleet.scheduler;

import fleet.core.machine.Machine;
import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import java.util.Map;
import java.util.TreeMap;

/** Layouts in few words: requirements are written as the lines of {@code [X-Fleet]}. */
final class Layouts {

  private final ClusterLayout layout = new ClusterLayout();

  static Requirements asking(String unit, String... lines) {
    try {
      UnitFile file = UnitFile.parse("[X-Fleet]\n" + String.join("\n", lines));
      return Requirements.of(UnitName.of(unit), file);
    } catch (UnitFileSyntaxException e) {
      throw new IllegalArgumentException(e);
    }
  }

  static Demand demand(String unit, String... lines) {
    return new Demand(UnitName.of(unit), asking(unit, lines));
  }

  /**
   * A machine.
   *
   * @param metadata entries such as {@code region=eu}
   */
  static Machine described(String id, String... metadata) {
    Map<String, String> entries = new TreeMap<>();
    for (String entry : metadata) {
      int equals = entry.indexOf('=');
      entries.put(entry.substring(0, equals), entry.substring(equals + 1));
    }
    return new Machine(id, "boot-" + id, "10.0.0.1", entries, "2.0.0");
  }

  Layouts machine(String id, String... metadata) {
    layout.putMachine(described(id, metadata));
    return this;
  }

  Layouts unit(String machine, String unit, String... lines) {
    layout.place(UnitName.of(unit), asking(unit, lines), machine);
    return this;
  }

  Layouts leaving(String unit) {
    layout.leave(UnitName.of(unit));
    return this;
  }

  Layouts global(String unit, String... lines) {
    layout.putGlobal(UnitName.of(unit), asking(unit, lines));
    return this;
  }

  ClusterLayout layout() {
    return layout;
  }
}
