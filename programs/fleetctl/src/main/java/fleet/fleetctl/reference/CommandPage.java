package fleet.fleetctl.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The description of a command.
 *
 * @param summary in one line
 * @param synopses the ways to call it, without fleetctl and its name
 * @param paragraphs its description; an empty one is a gap
 * @param flags without those that every command takes
 * @param exitCodes by number
 */
public record CommandPage(
    String name,
    String summary,
    List<String> aliases,
    List<String> synopses,
    List<String> paragraphs,
    List<Flag> flags,
    Map<Integer, String> exitCodes,
    List<String> examples) {

  private static final int WRONG_CALL = 2;
  private static final String USAGE = "usage error: an unknown flag, a missing argument";

  /** A full line of a description in the sources is at least so long. */
  private static final int FULL = 70;

  /** An action, a setting or a flag that the text explains from here on. */
  private static final Pattern LABEL =
      Pattern.compile("((--)?[a-z][a-z., -]*( \\([a-z ]+\\))?|Fields): .*");

  /**
   * Reads it from its annotations.
   *
   * @param isGlobal whether every command takes an option
   */
  public static CommandPage of(
      CommandSpec spec, List<String> aliases, Predicate<OptionSpec> isGlobal) {
    UsageMessageSpec usage = spec.usageMessage();
    return new CommandPage(
        spec.name(),
        String.join(" ", usage.header()),
        aliases,
        synopses(spec.name(), List.of(usage.customSynopsis())),
        paragraphs(List.of(usage.description())),
        flags(spec, isGlobal.negate()),
        exitCodes(usage.exitCodeList()),
        List.of(usage.footer()));
  }

  /** The options of a command that fit. */
  public static List<Flag> flags(CommandSpec spec, Predicate<OptionSpec> fits) {
    return spec.options().stream()
        .filter(option -> !option.hidden() && fits.test(option))
        .map(Flag::of)
        .toList();
  }

  /** One text may hold several ways, between bars. */
  private static List<String> synopses(String name, List<String> texts) {
    String prefix = "fleetctl " + name + " ";
    List<String> ways =
        texts.size() == 1 ? LineWrap.outside(texts.getFirst(), " | ") : new ArrayList<>(texts);
    return ways.isEmpty()
        ? List.of("")
        : ways.stream()
            .map(way -> way.startsWith(prefix) ? way.substring(prefix.length()) : way)
            .toList();
  }

  private static List<String> paragraphs(List<String> lines) {
    List<String> paragraphs = new ArrayList<>();
    String before = "";
    for (String line : lines) {
      boolean goesOn =
          !before.isEmpty()
              && !line.isEmpty()
              && !(before.endsWith(".")
                  && (before.length() < FULL || LABEL.matcher(line).matches()));
      if (goesOn) {
        paragraphs.set(paragraphs.size() - 1, paragraphs.getLast() + " " + line);
      } else {
        paragraphs.add(line);
      }
      before = line;
    }
    return paragraphs;
  }

  private static Map<Integer, String> exitCodes(Map<String, String> listed) {
    Map<Integer, String> codes = new TreeMap<>();
    listed.forEach(
        (code, meaning) -> codes.put(Integer.valueOf(code.strip()), meaning.replace('\n', ' ')));
    codes.putIfAbsent(WRONG_CALL, USAGE);
    return codes;
  }

  /** The words of a synopsis; what is in brackets is one of them. */
  public static List<String> parts(String synopsis) {
    return LineWrap.outside(synopsis, " ");
  }

  /** A way to call it, as it is typed. */
  public String call(String synopsis) {
    return ("fleetctl " + name + " " + synopsis).strip();
  }
}
