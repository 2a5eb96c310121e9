package fleet.agent.place;

import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.Specifiers;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.systemd.Systemd;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What {@code [Install]} sections ask for, until the next boot: aliases, and links by which other
 * units want or require a unit. fleet makes and removes them itself, because systemd's calls go on
 * to the units that {@code Also=} names: removing a service took away the link of an
 * administrator's socket.
 */
final class InstallLinks {

  /** By option, what the directory of the links is called behind the other unit's name. */
  private static final Map<String, String> DIRECTORIES =
      Map.of("WantedBy", ".wants", "RequiredBy", ".requires", "UpheldBy", ".upholds");

  private final Systemd systemd;
  private final UnitDirectory directory;

  InstallLinks(Systemd systemd, UnitDirectory directory) {
    this.systemd = systemd;
    this.directory = directory;
  }

  /**
   * Makes the links, as far as they are not there. A file or link of somebody else is left alone.
   *
   * @throws IOException where the section names what is no unit, or a link cannot be made
   */
  void make(UnitName unit, UnitFile file) throws IOException {
    for (Path link : links(unit, file)) {
      if (!isOurs(link, unit)) {
        Files.createDirectories(parentOf(link));
        try {
          Files.createSymbolicLink(link, directory.file(unit));
        } catch (FileAlreadyExistsException e) {
          throw new IOException(link + " is there and is not fleet's", e);
        }
      }
    }
  }

  /** Removes all links of these units, whatever asked for them. */
  void remove(Collection<UnitName> units) throws IOException {
    Set<Path> files = units.stream().map(directory::file).collect(Collectors.toSet());
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(systemd.runtimeDirectory())) {
      for (Path entry : entries) {
        if (holdsLinks(entry)) {
          removeFrom(entry, units);
        } else if (isAliasOfOneOf(files, entry)) {
          Files.delete(entry);
        }
      }
    } catch (NoSuchFileException e) {
      // Where there is no such directory there are no links.
    }
  }

  private static boolean holdsLinks(Path entry) {
    String name = entry.getFileName().toString();
    return DIRECTORIES.values().stream().anyMatch(name::endsWith)
        && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
  }

  private void removeFrom(Path parent, Collection<UnitName> units) throws IOException {
    boolean removed = false;
    for (UnitName unit : units) {
      Path link = parent.resolve(unit.value());
      if (isOurs(link, unit)) {
        Files.delete(link);
        removed = true;
      }
    }
    if (removed) {
      try {
        Files.delete(parent);
      } catch (DirectoryNotEmptyException others) {
        // They keep it.
      }
    }
  }

  /** The link by which systemd finds the unit itself has the name of its file. */
  private static boolean isAliasOfOneOf(Set<Path> files, Path entry) throws IOException {
    if (!Files.isSymbolicLink(entry)) {
      return false;
    }
    Path target = Files.readSymbolicLink(entry);
    return files.contains(target) && !target.endsWith(entry.getFileName());
  }

  private static Path parentOf(Path link) {
    return Objects.requireNonNull(link.getParent());
  }

  private boolean isOurs(Path link, UnitName unit) throws IOException {
    return Files.isSymbolicLink(link) && Files.readSymbolicLink(link).equals(directory.file(unit));
  }

  private Set<Path> links(UnitName unit, UnitFile file) throws IOException {
    Path runtime = systemd.runtimeDirectory();
    Set<Path> links = new LinkedHashSet<>();
    for (UnitName alias : names(unit, file, "Alias")) {
      if (alias.type() != unit.type()) {
        throw new IOException("Alias=%s is no name for %s".formatted(alias, unit));
      }
      if (!alias.equals(unit)) {
        links.add(runtime.resolve(alias.value()));
      }
    }
    for (var entry : DIRECTORIES.entrySet()) {
      for (UnitName other : names(unit, file, entry.getKey())) {
        links.add(runtime.resolve(other.value() + entry.getValue()).resolve(unit.value()));
      }
    }
    return links;
  }

  private static Set<UnitName> names(UnitName unit, UnitFile file, String option)
      throws IOException {
    Set<UnitName> names = new LinkedHashSet<>();
    for (String name : file.words("Install", option)) {
      try {
        names.add(UnitName.of(Specifiers.expand(unit, name)));
      } catch (InvalidUnitNameException e) {
        throw new IOException("%s=%s is no unit: %s".formatted(option, name, e.getMessage()), e);
      }
    }
    return names;
  }
}
