package fleet.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One seed's lives in one way of coordination, each in a directory of its own that is there no
 * longer than it lasts.
 *
 * @param wiring what each fleetd is made of
 */
public record Lives(long seed, Coordination coordination, Wiring.Source wiring) {

  /** Faults and commands; with what follows, ten minutes. */
  static final Duration CHAOS = Duration.ofSeconds(390);

  /** One seed of so many has more machines, so that some are left if others vanish together. */
  private static final int MORE_EACH = 5;

  private static final int FEW = 3;
  private static final int MANY = 7;
  private static final int ATTEMPTS = 400;

  /** In memory, if the machine has such a place: a life writes thousands of small files. */
  private static final Path MEMORY = Path.of("/dev/shm");

  /** How one of them ended. */
  public record End(String checksum, Optional<RuntimeException> fault, String trace) {
    public boolean isGood() {
      return fault.isEmpty();
    }

    /** The fault, or else the checksum, in one line. */
    public String text() {
      return fault.map(Throwable::getMessage).orElse(checksum);
    }
  }

  /** Lives without a planted bug. */
  public static Lives asShipped(long seed, Coordination coordination) {
    return new Lives(seed, coordination, _ -> Wiring.AS_SHIPPED);
  }

  /** The life that the seed has. */
  public End live() {
    return live(story());
  }

  Story story() {
    return Run.story(seed, settings(MEMORY), CHAOS);
  }

  End live(Story story) {
    Path directory = directory();
    try {
      Run run = Run.of(seed, settings(directory), story, CHAOS);
      try {
        return new End(run.live(), Optional.empty(), run.trace());
      } catch (RuntimeException e) {
        return new End("", Optional.of(e), run.trace());
      }
    } finally {
      delete(directory);
    }
  }

  /** The shortest part of the seed's story that breaks the same rule. */
  Story shortest(RuntimeException fault) {
    return new StoryShrinker(
            story -> live(story).fault().filter(other -> isAlike(fault, other)).isPresent(),
            ATTEMPTS)
        .shrink(story());
  }

  private static boolean isAlike(RuntimeException one, RuntimeException other) {
    return (one instanceof Violation first && other instanceof Violation second)
        ? first.rule() == second.rule()
        : one.getClass().equals(other.getClass());
  }

  private World.Settings settings(Path directory) {
    return new World.Settings(
        seed % MORE_EACH == 0 ? MANY : FEW,
        MachineSettings.USUAL.with(coordination).ofSeed(seed),
        directory,
        wiring);
  }

  private static Path directory() {
    try {
      return Files.isWritable(MEMORY)
          ? Files.createTempDirectory(MEMORY, "fleet-simulation")
          : Files.createTempDirectory("fleet-simulation");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
