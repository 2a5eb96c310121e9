package fleet.agent.place;

import fleet.core.unit.UnitName;
import fleet.systemd.Systemd;
import fleet.systemd.Systemd.KnownUnit;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the names that systemd knows from elsewhere, without making it load anything: by a look at
 * its unit path, and by asking for what it holds in memory.
 */
public final class ForeignUnits {

  private final Systemd systemd;
  private final UnitDirectory directory;

  public ForeignUnits(Systemd systemd, UnitDirectory directory) {
    this.systemd = systemd;
    this.directory = directory;
  }

  /** Of these names those that are taken, with where they are taken. */
  public Map<UnitName, String> among(Collection<UnitName> names) {
    Map<UnitName, String> taken = new HashMap<>();
    List<Path> unitPath = systemd.unitPath();
    for (UnitName name : names) {
      foreignFile(name, unitPath).ifPresent(path -> taken.put(name, path.toString()));
    }
    for (KnownUnit known : systemd.known(names)) {
      if (isForeign(known)) {
        taken.putIfAbsent(known.unit(), whereabouts(known));
      }
    }
    return taken;
  }

  private Optional<Path> foreignFile(UnitName name, List<Path> unitPath) {
    if (directory.exists(name)) {
      return Optional.of(directory.file(name));
    }
    for (Path searched : unitPath) {
      Optional<Path> found =
          foreignFile(searched, name)
              .or(() -> name.template().flatMap(t -> foreignFile(searched, t)));
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private Optional<Path> foreignFile(Path searched, UnitName name) {
    Path file = searched.resolve(name.value());
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !directory.holds(file)
        ? Optional.of(file)
        : Optional.empty();
  }

  private boolean isForeign(KnownUnit known) {
    if (known.fragment().isEmpty()) {
      return !known.load().equals("not-found");
    }
    return !directory.holds(Path.of(known.fragment()));
  }

  private static String whereabouts(KnownUnit known) {
    return known.fragment().isEmpty() ? "a unit without a file" : known.fragment();
  }
}
