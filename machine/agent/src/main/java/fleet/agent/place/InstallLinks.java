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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The links that {@code [Install]} sections ask for, until the next boot: aliases, and links by
 * which other units want or require a unit. fleet makes and removes them itself, because systemd's
 * calls go on to the units that {@code Also=} names: removing a service took away the link of an
 * administrator's socket.
 *
 * <p>An alias leads to the unit's link in systemd's directory. One that led to the file behind it,
 * which is outside of systemd's unit path, would be another unit to systemd, with a process of its
 * own.
 */
final class InstallLinks {

  /** By option, what the directory of the links is called behind the other unit's name. */
  private static final Map<String, String> DIRECTORIES =
      Map.of("WantedBy", ".wants", "RequiredBy", ".requires", "UpheldBy", ".upholds");

  private final Systemd systemd;
  private final UnitDirectory directory;
  private final UnitLinks own;

  InstallLinks(Systemd systemd, UnitDirectory directory) {
    this.systemd = systemd;
    this.directory = directory;
    this.own = new UnitLinks(systemd, directory);
  }

  /**
   * Makes the links, as far as they are not there. A file or link of somebody else is left alone.
   *
   * @throws IOException if the section names what is no unit, or a link cannot be made
   */
  void make(UnitName unit, UnitFile file) throws IOException {
    for (var wanted : links(unit, file).entrySet()) {
      Path link = wanted.getKey();
      if (!leadsTo(link, wanted.getValue())) {
        Files.createDirectories(parentOf(link));
        try {
          Files.createSymbolicLink(link, wanted.getValue());
        } catch (FileAlreadyExistsException e) {
          throw new IOException(inTheWay(link), e);
        }
      }
    }
  }

  private String inTheWay(Path link) throws IOException {
    return own.leadToFleet(link)
        ? "%s is there already, as a name of %s, which fleet placed as well: change one Alias="
            .formatted(link, Files.readSymbolicLink(link).getFileName())
        : link + " is there and is not fleet's";
  }

  /** Removes all links of these units, whatever asked for them. */
  void remove(Collection<UnitName> units) throws IOException {
    Path runtime = systemd.runtimeDirectory();
    Set<Path> targets =
        units.stream()
            .flatMap(unit -> Stream.of(runtime.resolve(unit.value()), directory.file(unit)))
            .collect(Collectors.toSet());
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(runtime)) {
      for (Path entry : entries) {
        if (holdsLinks(entry)) {
          removeFrom(entry, units);
        } else if (isAliasOfOneOf(targets, entry)) {
          Files.delete(entry);
        }
      }
    } catch (NoSuchFileException e) {
      // If there is no such directory there are no links.
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
      if (leadsTo(link, directory.file(unit))) {
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
  private static boolean isAliasOfOneOf(Set<Path> targets, Path entry) throws IOException {
    if (!Files.isSymbolicLink(entry)) {
      return false;
    }
    Path target = Files.readSymbolicLink(entry);
    return targets.contains(target) && !target.endsWith(entry.getFileName());
  }

  private static Path parentOf(Path link) {
    return Objects.requireNonNull(link.getParent());
  }

  private static boolean leadsTo(Path link, Path target) throws IOException {
    return Files.isSymbolicLink(link) && Files.readSymbolicLink(link).equals(target);
  }

  /** Each link with what it leads to. */
  private Map<Path, Path> links(UnitName unit, UnitFile file) throws IOException {
    Path runtime = systemd.runtimeDirectory();
    Map<Path, Path> links = new LinkedHashMap<>();
    for (UnitName alias : aliases(unit, file)) {
      if (!alias.equals(unit)) {
        links.put(runtime.resolve(alias.value()), runtime.resolve(unit.value()));
      }
    }
    for (var entry : DIRECTORIES.entrySet()) {
      for (UnitName other : names(unit, file, entry.getKey())) {
        links.put(
            runtime.resolve(other.value() + entry.getValue()).resolve(unit.value()),
            directory.file(unit));
      }
    }
    return links;
  }

  private static Set<UnitName> aliases(UnitName unit, UnitFile file) throws IOException {
    Set<UnitName> aliases = new LinkedHashSet<>();
    for (String text : Aliases.texts(unit, file)) {
      UnitName alias;
      try {
        alias = Aliases.alias(unit, text);
      } catch (InvalidUnitNameException e) {
        throw new IOException("Alias=%s is no unit: %s".formatted(text, e.getMessage()), e);
      }
      if (!Aliases.isPossible(alias, unit)) {
        throw new IOException(
            "Alias=%s is no name for %s: systemd takes another name of the same type%s only"
                .formatted(text, unit, unit.isInstance() ? " and instance, such as name@%i" : ""));
      }
      aliases.add(alias);
    }
    return aliases;
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
