package fleet.chaos;

import fleet.testkit.MachineTransport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;

/** The command line of {@code ./dev chaos}. */
public final class Main {

  private static final String USAGE =
      """
      Usage: ./dev chaos [--minutes N] [--transport rpc|store] [--keep] [--seed S] [--report FOLDER]

      Five machines and three etcds, for N minutes (10): people give commands, and fleetd, systemd,
      machines, networks, disks and etcd fail. Then systemd's journals are held against what was
      acknowledged: nothing lost, nothing done twice, no unit on two machines.

        --transport how machines and leader speak to each other (rpc)
        --keep      machines that are cut off keep their units (on_isolation=keep), which may run
                    elsewhere too then
        --report    where chaos.html, with a timeline, and the machines' journals go (target/chaos)

      Exit code: 0 if all held, 1 if not, 2 for wrong usage.
      """;

  private Main() {}

  /** Exits with 0 only if all held that fleet promises. */
  public static void main(String[] arguments) {
    Path root = Path.of(System.getProperty("fleet.root", "")).toAbsolutePath().normalize();
    if (List.of(arguments).contains("--help")) {
      System.out.print(USAGE);
      System.exit(0);
    }
    try {
      ChaosSettings settings = settings(root, new ArrayDeque<>(List.of(arguments)));
      boolean held = new ChaosRun(root.resolve("target/fleet"), settings, System.out).run();
      System.exit(held ? 0 : 1);
    } catch (IllegalArgumentException | NoSuchElementException e) {
      System.err.println("chaos: " + e.getMessage() + "\n\n" + USAGE);
      System.exit(2);
    }
  }

  private static ChaosSettings settings(Path root, Deque<String> words) {
    long minutes = 10;
    MachineTransport transport = MachineTransport.RPC;
    boolean stops = true;
    long seed = System.currentTimeMillis() % 100_000;
    Path report = root.resolve("target/chaos");
    while (!words.isEmpty()) {
      String word = words.remove();
      switch (word) {
        case "--minutes" -> minutes = Long.parseLong(value(word, words));
        case "--transport" ->
            transport = MachineTransport.valueOf(value(word, words).toUpperCase(Locale.ROOT));
        case "--keep" -> stops = false;
        case "--seed" -> seed = Long.parseLong(value(word, words));
        case "--report" -> report = Path.of(value(word, words)).toAbsolutePath();
        default -> throw new IllegalArgumentException("there is no option " + word);
      }
    }
    return new ChaosSettings(Duration.ofMinutes(minutes), transport, stops, seed, report);
  }

  private static String value(String option, Deque<String> words) {
    if (words.isEmpty()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return words.remove();
  }
}
