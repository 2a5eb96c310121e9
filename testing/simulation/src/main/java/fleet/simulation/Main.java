package fleet.simulation;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Runs many seeds, one after the other, and says which of them fail: {@code ./dev simulate}. */
public final class Main {

  private static final PrintStream OUT = System.out;

  private Main() {}

  /** Takes the first seed, how many, and in which ways of coordination; all if none is given. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length == 0 || !arguments[0].matches("\\d{1,18}")) {
      System.err.println("Usage: simulate FIRST_SEED [COUNT] [store|rpc|mixed]");
      System.exit(2);
    }
    long first = Long.parseLong(arguments[0]);
    long count = arguments.length > 1 ? Long.parseLong(arguments[1]) : 1;
    List<Coordination> coordinations =
        arguments.length > 2
            ? List.of(Coordination.valueOf(arguments[2].toUpperCase(Locale.ROOT)))
            : List.of(Coordination.values());
    int failed = 0;
    for (long seed = first; seed < first + count; seed++) {
      for (Coordination coordination : coordinations) {
        failed += passes(seed, coordination) ? 0 : 1;
      }
    }
    OUT.println("%d of %d runs failed".formatted(failed, count * coordinations.size()));
    System.exit(failed == 0 ? 0 : 1);
  }

  private static boolean passes(long seed, Coordination coordination) throws IOException {
    Lives lives = Lives.asShipped(seed, coordination);
    Lives.End end = lives.live();
    String name = "seed-%d-%s".formatted(seed, coordination.name().toLowerCase(Locale.ROOT));
    OUT.println("seed %d %s: %s".formatted(seed, coordination, end.text()));
    if (!end.isGood() || Boolean.getBoolean("fleet.trace")) {
      Path trace = Files.writeString(Path.of(name + ".trace"), end.trace());
      OUT.println("  its trace is in " + trace);
    }
    end.fault()
        .filter(_ -> !Boolean.getBoolean("fleet.whole"))
        .ifPresent(fault -> tell(lives, fault));
    return end.isGood();
  }

  /** The few acts that it takes. */
  private static void tell(Lives lives, RuntimeException fault) {
    Story shortest = lives.shortest(fault);
    OUT.println("  " + lives.live(shortest).text());
    OUT.println("  It takes no more than this:");
    shortest.text().lines().forEach(line -> OUT.println("  " + line));
  }
}
