package fleet.fleetctl.unit;

import fleet.core.unit.UnitName;
import fleet.core.unit.UnitType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A unit as it was named on the command line.
 *
 * @param name without directories, with a type: {@code .service} if none was given
 * @param path the same as a file, relative to the working directory
 * @param origin how it came to be meant
 * @param hint an addition to the message for a missing unit: why the name was changed
 * @param document its text, if that came from standard input: no file is read then
 */
public record UnitArgument(
    String name, Path path, Origin origin, String hint, Optional<UnitDocument> document) {

  /** How a unit came to be meant. */
  enum Origin {
    /** By a name without a directory: the working directory is searched unasked. */
    NAME,
    /** By the path of its file. */
    PATH,
    /** With others, in a directory or a stream. */
    COLLECTION
  }

  /** How Java reads a byte of an argument that is not UTF-8. */
  private static final char UNREADABLE = '\ufffd';

  /** The types of files from which podman makes services. */
  private static final Set<String> QUADLET =
      Set.of("container", "pod", "volume", "network", "image", "build", "kube");

  /** Such as web.service.d, and a copy that an editor leaves. */
  private static final Pattern BESIDE_UNITS =
      Pattern.compile(
          ".+\\.(?:"
              + Arrays.stream(UnitType.values())
                  .map(UnitType::suffix)
                  .collect(Collectors.joining("|"))
              + ")[.~].*");

  public static UnitArgument of(String given, Path directory) {
    String completed = hasType(given) ? given : given + ".service";
    int slash = completed.lastIndexOf('/');
    return new UnitArgument(
        completed.substring(slash + 1),
        directory.resolve(completed),
        slash < 0 ? Origin.NAME : Origin.PATH,
        hint(given, directory),
        Optional.empty());
  }

  /** A file of a directory. */
  static UnitArgument inDirectory(String parent, String name, Path directory) {
    return new UnitArgument(
        name, directory.resolve(parent).resolve(name), Origin.COLLECTION, "", Optional.empty());
  }

  /** A unit of standard input; its path is for messages. */
  static UnitArgument of(UnitDocument document) {
    return new UnitArgument(
        document.name(),
        Path.of(UnitStream.PLACE, document.name().replace('/', '_')),
        Origin.COLLECTION,
        "",
        Optional.of(document));
  }

  /** The same, as if somebody had named it by its path. */
  public UnitArgument asNamed() {
    return new UnitArgument(name, path, Origin.PATH, hint, document);
  }

  /** Whether nobody named it: it was in a directory or a stream. */
  public boolean isCollected() {
    return origin == Origin.COLLECTION;
  }

  private static String hint(String given, Path directory) {
    if (given.equals("-")) {
      return "; start, load, submit and plan start read units from standard input";
    }
    if (given.indexOf(UNREADABLE) >= 0) {
      return "; a byte of the path is not UTF-8: rename it, or run fleetctl in its directory";
    }
    Path path = directory.resolve(given);
    if (Files.isDirectory(path)) {
      return "; %1$s is a directory: %1$s/ means the unit files in it"
          .formatted(given.endsWith("/") ? given.substring(0, given.length() - 1) : given);
    }
    int dot = given.lastIndexOf('.');
    if (dot > 0 && QUADLET.contains(given.substring(dot + 1))) {
      return "; %s is a Quadlet file of podman, which fleet does not place: write a .service that runs podman"
          .formatted(given.substring(given.lastIndexOf('/') + 1));
    }
    return Files.isRegularFile(path) ? hintOfFile(given) : hintOfType(given);
  }

  private static String hintOfType(String given) {
    String name = given.substring(given.lastIndexOf('/') + 1);
    int dot = name.lastIndexOf('.');
    if (dot < 0) {
      return name.equals(given) ? "" : "; nor is there a directory " + given;
    }
    String named = given.substring(0, given.length() - name.length() + dot + 1);
    return hasType(name)
        ? ""
        : UnitType.nearest(name.substring(dot + 1))
            .map(type -> "; did you mean " + named + type.suffix() + "?")
            .orElse("");
  }

  private static String hintOfFile(String given) {
    return "; the file "
        + given
        + " has none of the unit types: "
        + Arrays.stream(UnitType.values()).map(UnitType::suffix).collect(Collectors.joining(", "));
  }

  /**
   * @return empty if there is none
   * @throws UnitProblemException if there is one that is no unit file, or is not to be trusted
   */
  Optional<LocalFiles.Found> read() throws UnitProblemException {
    return document.isPresent() ? Optional.of(LocalFiles.read(path, document.get())) : read(path);
  }

  /** A unit whose file would be in the same directory. */
  public UnitArgument sibling(UnitName other) {
    return new UnitArgument(
        other.value(), path.resolveSibling(other.value()), origin, "", Optional.empty());
  }

  /** The place of a unit beside this one, in words that follow "nor". */
  public String placeOf(UnitName other) {
    return document.isPresent() ? "in standard input" : "a file " + sibling(other).path();
  }

  /** Reads the file of a template beside it. */
  Optional<LocalFiles.Found> readTemplate(UnitName template) throws UnitProblemException {
    return document.isPresent() ? Optional.empty() : read(path.resolveSibling(template.value()));
  }

  private Optional<LocalFiles.Found> read(Path file) throws UnitProblemException {
    if (origin == Origin.NAME) {
      FileTrust.ofCaller().check(file);
    }
    return LocalFiles.read(file);
  }

  /**
   * Whether this is a file or directory that lies beside a unit's file and is none itself: shells
   * put it where {@code web@1.service*} was written, and no instance of {@code web@.service} is
   * meant.
   */
  boolean isBesideUnits() {
    Path given = path.resolveSibling(name.substring(0, name.lastIndexOf('.')));
    return document.isEmpty()
        && BESIDE_UNITS.matcher(name.substring(0, name.lastIndexOf('.'))).matches()
        && Files.exists(given);
  }

  static boolean hasType(String text) {
    int dot = text.lastIndexOf('.');
    return dot >= 0 && UnitType.ofSuffix(text.substring(dot + 1)).isPresent();
  }
}
