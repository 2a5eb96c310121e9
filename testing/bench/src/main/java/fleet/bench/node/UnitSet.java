package fleet.bench.node;

import fleet.testkit.BootedMachine;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Services that sleep, {@code NAME-001.service} and on. Two sets differ in their names alone.
 *
 * @param name what their names begin with
 * @param count how many
 * @param directory where their files are put
 */
public record UnitSet(String name, int count, String directory) {

  private static final String WRITE =
      """
      directory=$1
      shift
      mkdir -p "$directory" && cd "$directory" || exit 1
      for unit; do
        printf '[Unit]\\nDescription=%s\\n\\n[Service]\\nExecStart=/bin/sleep infinity\\n' "$unit" >"$unit"
      done
      """;

  /** Where the system's systemd looks for unit files, gone with the boot. */
  public static final String SYSTEMD_DIRECTORY = "/run/systemd/system";

  public List<String> units() {
    return IntStream.rangeClosed(1, count)
        .mapToObj(number -> "%s-%03d.service".formatted(name, number))
        .toList();
  }

  /** The paths of their files. */
  public List<String> files() {
    return units().stream().map(unit -> directory + "/" + unit).toList();
  }

  /** A command followed by the names of all of them. */
  public String[] command(String... command) {
    return join(List.of(command), units());
  }

  /** A command followed by the paths of all of their files. */
  public String[] commandOnFiles(String... command) {
    return join(List.of(command), files());
  }

  public void writeFiles(BootedMachine machine) {
    machine.run(command("sh", "-c", WRITE, "sh", directory)).orThrow();
  }

  public void deleteFiles(BootedMachine machine) {
    machine.run(commandOnFiles("rm", "-f", "--")).orThrow();
  }

  /** How many of them systemd calls active. */
  public int active(BootedMachine machine) {
    return listed(machine, "--state=active");
  }

  /** How many of them systemd has in memory. */
  public int known(BootedMachine machine) {
    return listed(machine, "--all");
  }

  private int listed(BootedMachine machine, String which) {
    String table =
        machine.succeed("systemctl", "list-units", which, "--plain", "--no-legend", glob());
    return (int) table.lines().filter(line -> line.startsWith(name)).count();
  }

  /** Matches their names. */
  String glob() {
    return name + "-*.service";
  }

  private static String[] join(List<String> command, List<String> arguments) {
    return Stream.of(command, arguments).flatMap(List::stream).toArray(String[]::new);
  }
}
