package fleet.fleetctl.unit;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The units of a command line that may name them one by one, by directories, and by {@code -} for
 * standard input. For one command.
 */
public final class UnitSources {

  /** More than all units of a cluster have in practice; the stream is read whole. */
  private static final int MOST_BYTES = 64 << 20;

  private final Path directory;
  private final InputStream input;
  private final String nameOfInput;
  private final Map<String, UnitArgument> arguments = new LinkedHashMap<>();

  /**
   * @param directory the one that file names are relative to
   * @param input for {@code -}
   * @param nameOfInput the unit whose text alone the input is; empty if it names its units
   */
  public UnitSources(Path directory, InputStream input, String nameOfInput) {
    this.directory = directory;
    this.input = input;
    this.nameOfInput = nameOfInput;
  }

  /**
   * Reads directories and standard input; the files themselves are read later.
   *
   * @return each unit once, in the order of the words
   * @throws UnitProblemException if there is nothing in one, or two have the same unit
   */
  public List<UnitArgument> read(List<String> words) throws UnitProblemException {
    if (!nameOfInput.isEmpty() && !words.contains("-")) {
      throw new UnitProblemException("--name goes with -, which is standard input");
    }
    for (String word : words.stream().distinct().toList()) {
      if (word.equals("-")) {
        addInput();
      } else if (isDirectory(word)) {
        addDirectory(word);
      } else if (word.endsWith("/")) {
        throw new UnitProblemException("there is no directory " + word);
      } else {
        add(UnitArgument.of(word, directory));
      }
    }
    return new ArrayList<>(arguments.values());
  }

  private void add(UnitArgument argument) throws UnitProblemException {
    UnitArgument before = arguments.putIfAbsent(argument.name(), argument);
    if (before != null
        && (before.isCollected() || argument.isCollected())
        && !before.path().normalize().equals(argument.path().normalize())) {
      throw new UnitProblemException(
          "%s is there twice: %s and %s"
              .formatted(argument.name(), before.path(), argument.path()));
    }
  }

  // ---- standard input

  private void addInput() throws UnitProblemException {
    String text = inputText();
    if (text.isBlank()) {
      throw new UnitProblemException("standard input is empty");
    }
    boolean several = UnitStream.isSeveral(text);
    if (!nameOfInput.isEmpty()) {
      if (several) {
        throw new UnitProblemException(
            "standard input names its units, in lines \"# unit: NAME\": leave --name out");
      }
      add(UnitArgument.of(new UnitDocument(completed(nameOfInput), 0, text)));
      return;
    }
    if (!several) {
      throw new UnitProblemException(
          "standard input does not say which unit it is: begin each with a line \"# unit: NAME\", or add --name NAME for one");
    }
    for (UnitDocument document : UnitStream.read(text)) {
      add(UnitArgument.of(document));
    }
  }

  private static String completed(String name) {
    return UnitArgument.hasType(name) ? name : name + ".service";
  }

  private String inputText() throws UnitProblemException {
    try {
      byte[] bytes = input.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new UnitProblemException(
            "standard input is too long: more than %d MiB".formatted(MOST_BYTES >> 20));
      }
      return UnitFile.decode(bytes);
    } catch (IOException e) {
      throw new UnitProblemException("cannot read standard input: " + e.getMessage(), e);
    }
  }

  // ---- directories

  /** A word without a slash is a unit, whatever lies in the working directory. */
  private boolean isDirectory(String word) {
    boolean path = word.contains("/") || word.equals(".") || word.equals("..");
    return path
        && Files.isDirectory(directory.resolve(word))
        && (word.endsWith("/") || !Files.isRegularFile(UnitArgument.of(word, directory).path()));
  }

  private void addDirectory(String word) throws UnitProblemException {
    List<String> names = unitFiles(word);
    if (names.isEmpty()) {
      throw new UnitProblemException(
          "%s has no unit files: their names end in %s; directories in it are not searched"
              .formatted(
                  word,
                  Arrays.stream(UnitType.values())
                      .filter(UnitType::canBeStarted)
                      .map(type -> "." + type.suffix())
                      .collect(Collectors.joining(", "))));
    }
    for (String name : names) {
      add(UnitArgument.inDirectory(word, name, directory));
    }
  }

  /** Sorted. Editors keep copies beside a file, whose names begin with a dot or end otherwise. */
  private List<String> unitFiles(String parent) throws UnitProblemException {
    try (Stream<Path> files = Files.list(directory.resolve(parent))) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> !name.startsWith(".") && UnitArgument.hasType(name))
          .sorted()
          .toList();
    } catch (AccessDeniedException e) {
      throw new UnitProblemException("not permitted to read " + parent, e);
    } catch (IOException e) {
      throw new UnitProblemException("cannot read " + parent + ": " + e.getMessage(), e);
    }
  }
}
