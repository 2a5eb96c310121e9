package fleet.agent.mark;

import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entries of the schedule that this machine has refused, a small file for the last one of each
 * unit. They are written before the leader learns of them, which may then give the unit to another
 * machine: a fleetd killed in between must not start it, even if the name is free by now.
 *
 * <p>They live beside the marks and end with the boot; each names the boot that it is of. Safe for
 * use by many threads.
 */
public final class Refusals {

  private static final int LINES = 4;

  private final Path directory;
  private final String boot;

  /** Those that have a file; mostly there is none, and nothing to look for. Read when needed. */
  private @Nullable Set<String> noted;

  Refusals(Path directory, String boot) {
    this.directory = directory;
    this.boot = boot;
  }

  /**
   * Notes that an entry is refused.
   *
   * @param where the name comes from that is in the way
   */
  public synchronized void note(ScheduleEntry entry, String where) throws IOException {
    Files.createDirectories(directory);
    noted().add(entry.unit().value());
    WholeFile.write(
        file(entry.unit()),
        String.join(
            "\n",
            boot,
            entry.incarnation().id(),
            Long.toString(entry.revision()),
            where.replace('\n', ' ')));
  }

  /**
   * The origin of the name that was in the way when just this entry was refused; empty if it was
   * not refused.
   *
   * @throws IOException if that cannot be known
   */
  public synchronized Optional<String> where(ScheduleEntry entry) throws IOException {
    if (!noted().contains(entry.unit().value()) || !Files.exists(file(entry.unit()))) {
      return Optional.empty();
    }
    List<String> lines = Files.readAllLines(file(entry.unit()));
    boolean just =
        lines.size() == LINES
            && lines.get(0).equals(boot)
            && lines.get(1).equals(entry.incarnation().id())
            && lines.get(2).equals(Long.toString(entry.revision()));
    return just ? Optional.of(lines.getLast()) : Optional.empty();
  }

  /** Forgets what was refused of a unit. */
  public synchronized void forget(UnitName unit) throws IOException {
    if (noted().contains(unit.value())) {
      Files.deleteIfExists(file(unit));
      noted().remove(unit.value());
    }
  }

  private Set<String> noted() throws IOException {
    Set<String> known = noted;
    if (known == null) {
      known = read();
      noted = known;
    }
    return known;
  }

  private Set<String> read() throws IOException {
    Set<String> names = new HashSet<>();
    if (Files.exists(directory)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
        files.forEach(file -> names.add(String.valueOf(file.getFileName())));
      }
    }
    return names;
  }

  private Path file(UnitName unit) {
    return directory.resolve(unit.value());
  }
}
