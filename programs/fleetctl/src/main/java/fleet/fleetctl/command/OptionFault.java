package fleet.fleetctl.command;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ParameterException;

/** Says what is wrong with the value of an option, without the names that Java has for numbers. */
final class OptionFault {

  /** As picocli says it: {@code Invalid value for option '--lines': 'x' is not an int}. */
  private static final Pattern OF_TYPE =
      Pattern.compile("(.*)'(.*)' is not an? (int|long|double|boolean)(?: .*)?");

  private static final Map<String, String> EXPECTED =
      Map.of(
          "int", "is not a whole number up to 2147483647",
          "long", "is not a whole number",
          "double", "is not a number",
          "boolean", "is neither true nor false");

  private OptionFault() {}

  /** One line. */
  static String text(ParameterException fault) {
    String message = String.valueOf(fault.getMessage());
    String line = message.lines().findFirst().orElse(message);
    Matcher type = OF_TYPE.matcher(line);
    return type.matches()
        ? "%s'%s' %s".formatted(type.group(1), type.group(2), EXPECTED.get(type.group(3)))
        : line;
  }
}
