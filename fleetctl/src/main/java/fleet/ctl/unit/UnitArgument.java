package fleet.ctl.unit;

import fleet.core.unit.UnitType;
import java.nio.file.Path;

/**
 * A unit as it was named on the command line.
 *
 * @param name without directories, with a type: {@code .service} where none was given
 * @param path the same as a file, relative to the working directory
 */
public record UnitArgument(String name, Path path) {

  public static UnitArgument of(String given, Path directory) {
    String completed = hasType(given) ? given : given + ".service";
    int slash = completed.lastIndexOf('/');
    return new UnitArgument(completed.substring(slash + 1), directory.resolve(completed));
  }

  private static boolean hasType(String text) {
    int dot = text.lastIndexOf('.');
    return dot >= 0 && UnitType.ofSuffix(text.substring(dot + 1)).isPresent();
  }
}
