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
import java.util.Set;

/**
 * Finds the names that systemd knows from elsewhere, without making it load anything: by a look at
 * its unit path, and by asking for what it holds in memory.
 */
public final class ForeignUnits {

  private static final Set<String> INDISPENSABLE = Set.of("-.slice", "system.slice", "-.mount");

  private final Systemd systemd;
  private final UnitDirectory directory;
  private final UnitLinks links;

  public ForeignUnits(Systemd systemd, UnitDirectory directory) {
    this.systemd = systemd;
    this.directory = directory;
    this.links = new UnitLinks(systemd, directory);
  }

  /** The names among these that are taken, each with the place where it is taken. */
  public Map<UnitName, String> among(Collection<UnitName> names) {
    Map<UnitName, String> taken = new HashMap<>();
    List<Path> unitPath = systemd.unitPath();
    for (UnitName name : names) {
      if (name.isReserved()) {
        taken.put(name, "fleet itself");
      }
      foreignFile(name, unitPath).ifPresent(path -> taken.putIfAbsent(name, path.toString()));
    }
    for (KnownUnit known : systemd.known(names)) {
      if (isForeign(known)) {
        taken.putIfAbsent(known.unit(), whereabouts(known));
      }
    }
    return taken;
  }

  /**
   * The foreign file from which systemd has a unit of fleet, if it came later: all calls by the
   * unit's name act on that.
   */
  public Optional<String> replacing(UnitName unit) {
    return systemd.known(List.of(unit)).stream()
        .filter(known -> known.unit().equals(unit) && !known.fragment().isEmpty())
        .filter(this::isForeign)
        .map(KnownUnit::fragment)
        // A file that is gone may have been fleet's.
        .filter(fragment -> Files.exists(Path.of(fragment), LinkOption.NOFOLLOW_LINKS))
        .findFirst();
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
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !links.leadToFleet(file)
        ? Optional.of(file)
        : Optional.empty();
  }

  private boolean isForeign(KnownUnit known) {
    if (known.fragment().isEmpty()) {
      return !known.load().equals("not-found") && !isMadeUp(known.unit());
    }
    return !links.leadToFleet(Path.of(known.fragment()));
  }

  /**
   * Whether systemd generates such a unit, from others or from the kernel's tables: the slice of a
   * unit, a mount. Names that systemd needs must not be taken.
   */
  private static boolean isMadeUp(UnitName unit) {
    return switch (unit.type()) {
      case SLICE, MOUNT, SWAP -> !INDISPENSABLE.contains(unit.value());
      default -> false;
    };
  }

  private static String whereabouts(KnownUnit known) {
    return known.fragment().isEmpty() ? "a unit without a file" : known.fragment();
  }
}
