package fleet.machinetests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.testing.ReadingComparison;
import fleet.core.testing.UnitTexts;
import fleet.testkit.BootedMachine;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.OperatingSystem;
import java.util.Base64;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * fleet reads unit files as the systemd of Debian 13 does. {@code UnitFileReadingTest} compares it
 * with the systemd of the host, and with more files.
 */
@ExtendWith(MachinesExtension.class)
class Debian13ReadingTest {

  private static final long SEED = Long.getLong("fleet.seed", 1);

  /** Bytes go in as one text, since a command takes characters. */
  private static final String REPLACE =
      """
      cd /run/systemd/system
      rm -f "$1"*
      while read -r name text; do printf %s "$text" | base64 -d >"$name"; done </tmp/units
      systemctl daemon-reload
      cut -d ' ' -f 1 /tmp/units | xargs systemctl show --no-pager
      """;

  /**
   * A line for each of the machine's own units, with its name and its bytes. Names on the bus are
   * taken: systemd would not load a second unit with one.
   */
  private static final String COLLECT =
      """
      cd /usr/lib/systemd/system
      for name in *; do
        [ ! -f "$name" ] || [ ! -s "$name" ] || grep -q ^BusName= "$name" ||
          echo "$name $(base64 -w 0 "$name")"
      done
      """;

  @Test
  void unitFilesAreReadAlike(Machines machines) {
    BootedMachine machine = machines.boot(OperatingSystem.DEBIAN_13, 1).getFirst();
    var comparison = new ReadingComparison(files -> show(machine, files));

    assertThat(machine.succeed("systemctl", "--version")).startsWith("systemd 257");
    SortedMap<String, byte[]> files = UnitTexts.generated(SEED, 300);
    files.putAll(UnitTexts.ofRepository());
    files.putAll(ofMachine(machine));
    assertThat(files).hasSizeGreaterThan(400);
    assertThat(comparison.differences(files)).as("seed %d", SEED).isEmpty();
  }

  private static SortedMap<String, byte[]> ofMachine(BootedMachine machine) {
    SortedMap<String, byte[]> files = new TreeMap<>();
    for (String line : machine.run("sh", "-euc", COLLECT).orThrow().stdout().split("\n", -1)) {
      List<String> words = List.of(line.split(" ", 2));
      files.put(words.getFirst(), Base64.getDecoder().decode(words.getLast()));
    }
    return UnitTexts.renamed(files);
  }

  private static String show(BootedMachine machine, SortedMap<String, byte[]> files) {
    StringBuilder lines = new StringBuilder();
    files.forEach((name, bytes) -> {
      String text = new String(Base64.getEncoder().encode(bytes), UTF_8);
      lines.append(name).append(' ').append(text).append('\n');
    });
    machine.write("/tmp/units", lines.toString());
    return machine.run("sh", "-euc", REPLACE, "sh", UnitTexts.PREFIX).orThrow().stdout();
  }
}
