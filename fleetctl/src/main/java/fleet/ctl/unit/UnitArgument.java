package fleet.ctl.unit;

import fleet.core.unit.UnitType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A unit as it was named on the command line.
 *
 * @param name without directories, with a type: {@code .service} where none was given
 * @param path the same as a file, relative to the working directory
 * @param hint what to say, besides, where there is no such unit: why the name became another
 */
public record UnitArgument(String name, Path path, String hint) {

  public static UnitArgument of(String given, Path directory) {
    String completed = hasType(given) ? given : given + ".service";
    int slash = completed.lastIndexOf('/');
    return new UnitArgument(
        completed.substring(slash + 1), directory.resolve(completed), hint(given, directory));
  }

  private static String hint(String given, Path directory) {
    if (given.equals("-")) {
      return "; a unit is read from a file, as that has its name, and not from standard input";
    }
    return Files.isRegularFile(directory.resolve(given)) ? hint(given) : "";
  }

  private static String hint(String given) {
    return "; the file "
        + given
        + " is of none of the types of unit: "
        + Arrays.stream(UnitType.values()).map(UnitType::suffix).collect(Collectors.joining(", "));
  }

  private static boolean hasType(String text) {
    int dot = text.lastIndexOf('.');
    return dot >= 0 && UnitType.ofSuffix(text.substring(dot + 1)).isPresent();
  }
}
