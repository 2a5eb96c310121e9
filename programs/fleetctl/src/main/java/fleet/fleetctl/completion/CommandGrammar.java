package fleet.fleetctl.completion;

import fleet.core.state.DesiredState;
import fleet.core.state.SignalNames;
import fleet.fleetctl.reference.CommandPage;
import fleet.fleetctl.reference.Flag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The words that a command takes, read from its synopses: {@code remove MACHINE...}. */
public final class CommandGrammar {

  /** Commands that make units from files. */
  private static final Set<String> FROM_FILES =
      Set.of("load", "plan", "restart", "rollout", "start", "submit");

  private static final Pattern ACTION = Pattern.compile("[a-z][a-z-]*(\\|[a-z][a-z-]*)*");
  private static final Pattern BAR = Pattern.compile(" \\| ");
  private static final Pattern DOTS = Pattern.compile("\\.\\.\\.$");

  /** Those of units that a listing is asked for most. */
  private static final Map<String, List<String>> STATES =
      Map.of(
          "list-units",
          List.of("active", "activating", "deactivating", "failed", "inactive", "reloading"),
          "list-unit-files",
          Stream.of(DesiredState.values()).map(DesiredState::text).toList());

  /** The words that a description offers, maybe behind a colon: {@code cpu, units or name}. */
  private static final Pattern ALTERNATIVES =
      Pattern.compile("(?:[A-Za-z, -]+: )?((?:[a-z-]+, )*[a-z-]+,? or [a-z-]+)(?![a-z ])");

  private static final Pattern BETWEEN = Pattern.compile(",? or |, ");

  private final String command;
  private final List<List<Slot>> ways;

  /**
   * A place for one word, or for any number of words.
   *
   * @param actions the words of which it is one; empty if it names something
   */
  private record Slot(List<String> actions, WordChoices choices, boolean isRepeated) {
    boolean takes(String word) {
      return actions.isEmpty() || actions.contains(word);
    }
  }

  public CommandGrammar(CommandPage page) {
    this.command = page.name();
    this.ways = page.synopses().stream().map(this::slots).toList();
  }

  private List<Slot> slots(String synopsis) {
    List<Slot> slots = new ArrayList<>();
    String action = "";
    for (String part : CommandPage.parts(BAR.matcher(synopsis).replaceAll("|"))) {
      String name = bare(part);
      boolean isRepeated = part.replace("]", "").endsWith("...");
      if (ACTION.matcher(name).matches()) {
        List<String> actions = List.of(name.split("\\|"));
        action = actions.getFirst();
        slots.add(new Slot(actions, WordChoices.word(actions), isRepeated));
      } else if (!name.isEmpty() && !name.equals("OPTIONS")) {
        slots.add(new Slot(List.of(), named(name, action), isRepeated));
      }
    }
    return slots;
  }

  /** A part without brackets and dots; of a choice what is no flag; empty for flags. */
  private static String bare(String part) {
    String inner = DOTS.matcher(part).replaceFirst("");
    if (inner.startsWith("[") && inner.endsWith("]")) {
      inner = DOTS.matcher(inner.substring(1, inner.length() - 1)).replaceFirst("");
    }
    return Stream.of(inner.split("\\|"))
        .map(String::strip)
        .filter(word -> !word.isEmpty() && !word.startsWith("-"))
        .collect(Collectors.joining("|"));
  }

  /** The things that a name in capitals stands for. */
  private WordChoices named(String name, String action) {
    return Stream.of(name.split("\\|"))
        .map(one ->
            switch (one) {
              case "UNIT" ->
                  FROM_FILES.contains(command) && (action.isEmpty() || action.equals("start"))
                      ? WordChoices.of(WordKind.UNIT, WordKind.FILE)
                      : WordChoices.of(WordKind.UNIT);
              case "MACHINE" -> WordChoices.of(WordKind.MACHINE);
              case "COMMAND" ->
                  command.equals("help") ? WordChoices.of(WordKind.COMMAND) : WordChoices.NOTHING;
              case "ID" ->
                  command.equals("operations")
                      ? WordChoices.of(WordKind.OPERATION)
                      : WordChoices.NOTHING;
              case "NAME" ->
                  switch (command) {
                    case "config" -> WordChoices.of(WordKind.SETTING);
                    case "context" -> WordChoices.of(WordKind.CONTEXT);
                    default -> WordChoices.NOTHING;
                  };
              case "REV" -> WordChoices.of(WordKind.REVISION);
              case "FILE", "SOCKET" -> WordChoices.of(WordKind.FILE);
              case "DIRECTORY" -> WordChoices.of(WordKind.DIRECTORY);
              default -> WordChoices.NOTHING;
            })
        .reduce(WordChoices.NOTHING, WordChoices::or);
  }

  /**
   * The choices after some words.
   *
   * @param before the words after the command that are no flags or values of flags
   */
  public WordChoices after(List<String> before) {
    return ways.stream()
        .map(way -> after(way, before))
        .reduce(WordChoices.NOTHING, WordChoices::or);
  }

  private static WordChoices after(List<Slot> way, List<String> before) {
    for (int i = 0; i < before.size(); i++) {
      String word = before.get(i);
      if (slot(way, i).filter(slot -> slot.takes(word)).isEmpty()) {
        return WordChoices.NOTHING;
      }
    }
    return slot(way, before.size()).map(Slot::choices).orElse(WordChoices.NOTHING);
  }

  private static Optional<Slot> slot(List<Slot> way, int index) {
    if (index < way.size()) {
      return Optional.of(way.get(index));
    }
    return way.isEmpty() || !way.getLast().isRepeated()
        ? Optional.empty()
        : Optional.of(way.getLast());
  }

  /** The choices for the value of a flag. */
  public WordChoices value(Flag flag) {
    List<String> offered = alternatives(flag.description());
    return switch (flag.value()) {
      case "FILE" -> WordChoices.of(WordKind.FILE);
      case "DIRECTORY" -> WordChoices.of(WordKind.DIRECTORY);
      case "UNIT" -> WordChoices.of(WordKind.UNIT);
      case "MACHINE" -> WordChoices.of(WordKind.MACHINE);
      case "REV" -> WordChoices.of(WordKind.REVISION);
      case "SIGNAL" -> WordChoices.word(SignalNames.ALL);
      case "NAME" ->
          flag.names().contains("--context")
              ? WordChoices.of(WordKind.CONTEXT)
              : WordChoices.NOTHING;
      default ->
          WordChoices.word(
              flag.names().contains("--state") ? STATES.getOrDefault(command, offered) : offered);
    };
  }

  private static List<String> alternatives(String description) {
    Matcher offered = ALTERNATIVES.matcher(description);
    return offered.lookingAt() ? List.of(BETWEEN.split(offered.group(1))) : List.of();
  }
}
