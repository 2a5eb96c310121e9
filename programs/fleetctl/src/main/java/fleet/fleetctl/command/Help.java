package fleet.fleetctl.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The texts of help. */
final class Help {

  private static final int COLUMN = 26;
  private static final String WRONG_CALL = "usage error: an unknown flag, a missing argument";

  private Help() {}

  /** The help of fleetctl itself, with its commands. */
  static String root() {
    StringBuilder text = new StringBuilder();
    section(text, "NAME:", List.of("fleetctl - systemd for your cluster"));
    section(text, "USAGE:", List.of("fleetctl [global flags] COMMAND [flags] [UNIT...]"));
    section(text, "VERSION:", List.of(FleetctlVersion.read()));
    List<String> commands = new ArrayList<>();
    for (String name : CommandNames.ALL) {
      UsageMessageSpec usage = CommandNames.specOf(name).usageMessage();
      if (!usage.hidden()) {
        commands.add(padded(name, 18) + String.join(" ", usage.header()));
      }
    }
    section(text, "COMMANDS:", commands);
    section(text, "GLOBAL OPTIONS:", options(CommandNames.specOf("version"), true));
    section(
        text,
        "DESCRIPTION:",
        List.of(
            "Global flags can be set in the environment: FLEETCTL_ENDPOINT for --endpoint, and so",
            "on. Commands can be shortened to an unambiguous prefix; those of fleet 1.0 to what was",
            "unambiguous there. Other names: "
                + String.join(", ", CommandNames.ALIASES.keySet())
                + ". UNIT is a name or a file;",
            "the default type is .service. Usage errors exit with 2.",
            "Run \"fleetctl help COMMAND\" for the options, exit codes and examples of a command."));
    return text.toString();
  }

  /** The help of one command. */
  static String of(CommandSpec spec) {
    StringBuilder text = new StringBuilder();
    String header = String.join(" ", spec.usageMessage().header());
    section(text, "NAME:", List.of(spec.name() + " - " + header));
    String synopsis = String.join(" ", spec.usageMessage().customSynopsis());
    section(text, "USAGE:", List.of(("fleetctl " + spec.name() + " " + synopsis).trim()));
    List<String> aliases = CommandNames.aliases(spec.name());
    section(text, "ALSO:", aliases.isEmpty() ? aliases : List.of(String.join(", ", aliases)));
    section(text, "DESCRIPTION:", List.of(spec.usageMessage().description()));
    section(text, "OPTIONS:", options(spec, false));
    section(text, "EXIT CODES:", exitCodes(spec));
    section(text, "EXAMPLES:", List.of(spec.usageMessage().footer()));
    section(text, "GLOBAL OPTIONS:", options(spec, true));
    return text.toString();
  }

  private static void section(StringBuilder text, String title, List<String> lines) {
    if (lines.isEmpty()) {
      return;
    }
    text.append(text.isEmpty() ? "" : "\n").append(title).append('\n');
    for (String line : lines) {
      text.append('\t').append(line).append('\n');
    }
  }

  private static List<String> exitCodes(CommandSpec spec) {
    List<String> lines = new ArrayList<>();
    Map<String, String> codes = spec.usageMessage().exitCodeList();
    for (Map.Entry<String, String> code : codes.entrySet()) {
      lines.addAll(exitCode(code.getKey(), code.getValue()));
      if (code.getKey().equals("1")) {
        lines.add(padded("2", 4) + WRONG_CALL);
      }
    }
    if (!codes.containsKey("1") && !codes.containsKey("2")) {
      lines.add(padded("2", 4) + WRONG_CALL);
    }
    return lines;
  }

  /** The explanation may have several lines. */
  private static List<String> exitCode(String code, String meaning) {
    return (padded(code, 4) + meaning.replace("\n", "\n" + padded("", 4))).lines().toList();
  }

  private static List<String> options(CommandSpec spec, boolean global) {
    List<String> lines = new ArrayList<>();
    for (OptionSpec option : spec.options()) {
      if (!option.hidden() && EnvironmentDefaults.isGlobal(option) == global) {
        lines.add(line(option));
      }
    }
    return lines;
  }

  private static String line(OptionSpec option) {
    List<String> names = new ArrayList<>();
    for (String name : option.names()) {
      // Further long names are there for old scripts.
      if (!name.startsWith("--") || name.equals(firstLong(option))) {
        names.add(name);
      }
    }
    String value = option.arity().max() > 0 ? "=" + option.paramLabel() : "";
    String fallback = option.defaultValue();
    String note = fallback == null || fallback.isEmpty() ? "" : " [" + fallback + "]";
    return padded(String.join(", ", names) + value, COLUMN)
        + String.join(" ", option.description())
        + note;
  }

  private static String firstLong(OptionSpec option) {
    for (String name : option.names()) {
      if (name.startsWith("--")) {
        return name;
      }
    }
    return "";
  }

  private static String padded(String text, int width) {
    return text.length() < width ? text + " ".repeat(width - text.length()) : text + " ";
  }
}
