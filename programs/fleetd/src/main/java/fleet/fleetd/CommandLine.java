package fleet.fleetd;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The command line of fleetd. */
sealed interface CommandLine {
  /** Options that take one, and what it is. */
  Map<String, String> VALUES =
      Map.of("-config", "a file", "-join", "a server", "-token", "a token");

  String USAGE =
      """
      Usage: fleetd [-config FILE] [--join HOST[:PORT],... [--token TOKEN]]
             fleetd restore [-config FILE] [--force] BACKUP

        -config FILE           read this file instead of /etc/fleet/fleet.conf
        --join HOST[:PORT],... become part of the cluster of these servers
        --token TOKEN          let in by this, from "fleetctl token"; needed only once
        -version               print the version
        -help                  print this
        restore BACKUP         make the registry of this machine from a file of
                               "fleetctl backup", while fleetd does not run; --force
                               puts aside what is there

      All else is set in the file, or as FLEET_<OPTION> in the environment.

      Exit codes: 0 stopped as asked; 1 cannot start now, or cannot go on; 2 called or
      configured in a way that cannot work, or with a token that is worth nothing:
      correct it before the next start.
      """;

  /**
   * To run.
   *
   * @param file of {@code -config}
   * @param options of the configuration that were given here, by their keys
   */
  record Run(Optional<Path> file, Map<String, String> options) implements CommandLine {

    private static final Run PLAIN = new Run(Optional.empty(), Map.of());

    public Run {
      options = Map.copyOf(options);
    }

    private Run withFile(String name) {
      return new Run(Optional.of(Path.of(name)), options);
    }

    private Run with(String key, String value) {
      Map<String, String> more = new HashMap<>(options);
      more.put(key, value);
      return new Run(file, more);
    }
  }

  /**
   * To restore a backup.
   *
   * @param config of {@code -config}
   * @param force whether a registry that is there is put aside
   */
  record Restore(Path backup, Optional<Path> config, boolean force) implements CommandLine {}

  record ShowVersion() implements CommandLine {}

  record ShowHelp() implements CommandLine {}

  record Refused(String reason) implements CommandLine {}

  String CONFIG = "-config";

  /** Options may have one dash or two, and their value behind a {@code =} or a blank. */
  static CommandLine parse(String... arguments) {
    List<String> all = List.of(arguments);
    return !all.isEmpty() && all.getFirst().equals("restore")
        ? restore(all.subList(1, all.size()))
        : parse(Run.PLAIN, all);
  }

  private static CommandLine restore(List<String> words) {
    List<String> rest = new ArrayList<>(words);
    boolean force = rest.removeIf(word -> word.equals("--force") || word.equals("-force"));
    Optional<Path> config = takeConfig(rest);
    return rest.size() == 1 && !rest.getFirst().startsWith("-")
        ? new Restore(Path.of(rest.getFirst()), config, force)
        : new Refused("fleetd: expect fleetd restore [-config FILE] [--force] BACKUP");
  }

  /** Takes the option and its value out of the words. */
  private static Optional<Path> takeConfig(List<String> words) {
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i).startsWith("--") ? words.get(i).substring(1) : words.get(i);
      if (word.startsWith(CONFIG + "=") && word.length() > CONFIG.length() + 1) {
        words.remove(i);
        return Optional.of(Path.of(word.substring(CONFIG.length() + 1)));
      }
      if (word.equals(CONFIG) && i + 1 < words.size()) {
        words.remove(i);
        return Optional.of(Path.of(words.remove(i)));
      }
    }
    return Optional.empty();
  }

  private static CommandLine parse(Run so, List<String> arguments) {
    if (arguments.isEmpty()) {
      return so;
    }
    String argument = arguments.getFirst();
    List<String> rest = arguments.subList(1, arguments.size());
    int equals = argument.indexOf('=');
    String option = argument.startsWith("--") ? argument.substring(1) : argument;
    return switch (option) {
      case "version", "-version" -> new ShowVersion();
      case "-h", "-help" -> new ShowHelp();
      case "-" -> rest.isEmpty() ? so : notAnOption();
      case "-config", "-join", "-token" ->
          rest.isEmpty()
              ? new Refused("fleetd: " + argument + " needs " + VALUES.get(option))
              : given(so, option, rest.getFirst(), rest.subList(1, rest.size()));
      case String text when equals > 0 && VALUES.containsKey(name(text)) ->
          given(so, name(text), argument.substring(equals + 1), rest);
      case String text when text.startsWith("-") ->
          new Refused("fleetd: " + argument + " is not an option of fleetd");
      default -> notAnOption();
    };
  }

  private static String name(String option) {
    return option.substring(0, Math.max(0, option.indexOf('=')));
  }

  /** An unset variable of a script must not make a cluster of its own. */
  private static CommandLine given(Run so, String option, String value, List<String> rest) {
    if (option.equals("-join") && value.isBlank()) {
      return new Refused(
          "fleetd: --join is empty: name a server such as 10.0.0.1, or leave it out");
    }
    if (option.equals("-token") && value.isBlank()) {
      return new Refused(
          "fleetd: --token is empty: make one on a server with \"fleetctl token create\", or leave it"
              + " out");
    }
    Run more = option.equals("-config") ? so.withFile(value) : so.with(option.substring(1), value);
    return parse(more, rest);
  }

  private static Refused notAnOption() {
    return new Refused("fleetd takes no arguments. Did you mean to invoke fleetctl instead?");
  }
}
