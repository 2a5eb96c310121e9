package fleet.fleetctl.command;

import fleet.core.text.DurationText;
import fleet.fleetctl.completion.CommandGrammar;
import fleet.fleetctl.completion.WordChoices;
import fleet.fleetctl.completion.WordKind;
import fleet.fleetctl.reference.CommandPage;
import fleet.fleetctl.reference.Flag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Answers the scripts of {@link Completion}: a candidate a line, a TAB and what it is, and last a
 * line with a colon that says which files fit as well. Words without an answer are no failure: a
 * shell shows nothing then.
 */
final class CompleteCommand {

  /** Not among the commands: nobody types it. */
  static final String NAME = "__complete";

  /**
   * Somebody waits: after this time, files and flags are offered alone. At rest, fleetd takes a few
   * milliseconds; on a busy machine, names that come late are worth more than none.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final String VARIABLE = "FLEETCTL_COMPLETION_TIMEOUT";

  private final CommandEnvironment session;

  /** The words after the command, before the cursor, that are no flags or values of flags. */
  private List<String> names = List.of();

  CompleteCommand(CommandEnvironment session) {
    this.session = session;
  }

  /**
   * @param words those after fleetctl; the last one is at the cursor, and may be empty
   */
  int run(List<String> words) {
    String last = words.isEmpty() ? "" : words.getLast();
    List<String> before = words.isEmpty() ? words : words.subList(0, words.size() - 1);
    int command = Fleetctl.commandPosition(before);
    if (command < 0) {
      beginning(before, last);
    } else {
      page(before.get(command)).ifPresent(page -> of(page, before, command, last));
    }
    return ExitCode.OK;
  }

  private static Optional<CommandPage> page(String word) {
    try {
      return Optional.of(Help.page(CommandNames.specOf(CommandNames.resolve(word))));
    } catch (CommandException none) {
      return Optional.empty();
    }
  }

  /** Nothing but global flags stands there yet. */
  private void beginning(List<String> before, String last) {
    CommandSpec any = CommandNames.specOf("version");
    List<Flag> globals = CommandPage.flags(any, EnvironmentDefaults::isGlobal);
    CommandGrammar grammar = new CommandGrammar(Help.page(any));
    if (!value(grammar, globals, before, last)) {
      if (last.startsWith("-")) {
        flags(globals, last);
      } else {
        print(WordChoices.of(WordKind.COMMAND), before, "", last);
      }
    }
  }

  private void of(CommandPage page, List<String> before, int command, String last) {
    List<Flag> flags = new ArrayList<>(page.flags());
    flags.addAll(CommandPage.flags(CommandNames.specOf("version"), EnvironmentDefaults::isGlobal));
    CommandGrammar grammar = new CommandGrammar(page);
    names = names(flags, before.subList(command + 1, before.size()));
    if (value(grammar, flags, before, last)) {
      return;
    }
    if (last.startsWith("-") && !before.contains("--")) {
      flags(flags, last);
      return;
    }
    print(grammar.after(names), before, "", last);
  }

  private static List<String> names(List<Flag> flags, List<String> words) {
    List<String> names = new ArrayList<>();
    boolean isValue = false;
    for (String word : words) {
      if (!isValue && !word.startsWith("-")) {
        names.add(word);
      }
      isValue = !isValue && takesNextWord(flags, word);
    }
    return names;
  }

  /** Completes the value of a flag, if the cursor is there. */
  private boolean value(
      CommandGrammar grammar, List<Flag> flags, List<String> before, String last) {
    int equals = last.startsWith("--") ? last.indexOf('=') : -1;
    Optional<Flag> flag = Optional.empty();
    List<String> given = before;
    if (equals > 0) {
      flag = named(flags, last.substring(0, equals));
    } else if (!before.isEmpty() && takesNextWord(flags, before.getLast())) {
      flag = named(flags, before.getLast());
      given = before.subList(0, before.size() - 1);
    }
    if (flag.isPresent()) {
      String prefix = last.substring(0, equals + 1);
      print(grammar.value(flag.get()), given, prefix, last.substring(equals + 1));
    }
    return flag.isPresent() || equals > 0;
  }

  private static boolean takesNextWord(List<Flag> flags, String word) {
    return named(flags, word).filter(Flag::needsValue).isPresent();
  }

  private static Optional<Flag> named(List<Flag> flags, String name) {
    return flags.stream().filter(flag -> flag.names().contains(name)).findFirst();
  }

  private void flags(List<Flag> flags, String last) {
    for (Flag flag : flags) {
      flag.names().stream()
          .filter(name -> name.startsWith(last))
          .reduce((_, longer) -> longer)
          .ifPresent(name -> line(name, flag.description()));
    }
  }

  /**
   * @param prefix stands before the part that is completed, in the same word
   */
  private void print(WordChoices choices, List<String> before, String prefix, String begun) {
    Stream.concat(
            choices.words().stream().map(word -> new NameCandidates.Candidate(word, "")),
            named(choices, before, begun).stream())
        .filter(it -> it.name().startsWith(begun) && !before.contains(it.name()))
        .forEach(it -> line(prefix + it.name(), it.description()));
    boolean files = choices.kinds().contains(WordKind.FILE);
    boolean directories = choices.kinds().contains(WordKind.DIRECTORY);
    session.output().line(":" + (files ? "files" : directories ? "directories" : ""));
  }

  private void line(String name, String description) {
    session.output().line(description.isEmpty() ? name : name + "\t" + description);
  }

  /** The names; none if they cannot be had, or not soon. */
  private List<NameCandidates.Candidate> named(
      WordChoices choices, List<String> before, String begun) {
    if (choices.kinds().contains(WordKind.COMMAND)) {
      return NameCandidates.commands();
    }
    FutureTask<List<NameCandidates.Candidate>> asking =
        new FutureTask<>(
            () -> new NameCandidates(session, before, names).of(choices.kinds(), begun));
    Thread.ofPlatform().daemon().name("completion").start(asking);
    try {
      return asking.get(patience().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    } catch (ExecutionException | TimeoutException none) {
      return List.of();
    }
  }

  private Duration patience() {
    return DurationText.parse(session.environment().getOrDefault(VARIABLE, "")).orElse(PATIENCE);
  }
}
