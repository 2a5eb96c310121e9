package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.OptionSpec;

final class CommandNamesTest {

  /** Every beginning that fleet 1.0 understood, of a command that is still there. */
  static List<String> formerBeginnings() {
    Set<String> beginnings = new TreeSet<>();
    for (String name : CommandNames.FORMER) {
      for (int length = 1; length <= name.length(); length++) {
        beginnings.add(name.substring(0, length));
      }
    }
    return beginnings.stream()
        .filter(word -> CommandNames.FORMER.contains(word) || formerMeanings(word).size() == 1)
        .filter(word -> CommandNames.ALL.contains(formerMeaning(word)))
        // A command of its own by now.
        .filter(word -> !word.equals("ca"))
        .toList();
  }

  private static Collection<String> formerMeanings(String word) {
    return CommandNames.FORMER.stream().filter(name -> name.startsWith(word)).toList();
  }

  private static String formerMeaning(String word) {
    return CommandNames.FORMER.contains(word) ? word : formerMeanings(word).iterator().next();
  }

  @ParameterizedTest
  @MethodSource("formerBeginnings")
  void aBeginningMeansWhatItMeantToFleet1(String word) throws CommandException {
    assertThat(CommandNames.resolve(word)).isEqualTo(formerMeaning(word));
  }

  @ParameterizedTest
  @CsvSource({
    "c, cat",
    "d, destroy",
    "r, restart",
    "u, unload",
    "lo, load",
    "log, login",
    "ev, events"
  })
  void aBeginningOfOneCommandMeansIt(String word, String command) throws CommandException {
    assertThat(CommandNames.resolve(word)).isEqualTo(command);
  }

  @ParameterizedTest
  @CsvSource({
    "logs, journal",
    "ps, list-units",
    "ls, list-units",
    "nodes, list-machines",
    "rm, destroy",
    "describe, why",
    "explain, why"
  })
  void anAliasMeansItsCommandAndIsNotShortened(String alias, String command)
      throws CommandException {
    assertThat(CommandNames.resolve(alias)).isEqualTo(command);
    assertThat(CommandNames.ALL).doesNotContain(alias);
    assertThat(CommandNames.aliases(command)).contains(alias);
    assertThatThrownBy(() -> CommandNames.resolve("expl")).isInstanceOf(CommandException.class);
  }

  @ParameterizedTest
  @CsvSource({"lod, load", "stattus, status", "explian, explain", "jurnal, journal"})
  void proposesTheHarmlessCommandThatAWordMayHaveMeant(String word, String command) {
    assertThat(proposed(word)).contains(command);
  }

  @ParameterizedTest
  @ValueSource(strings = {"show", "get", "stp", "lod", "rs", "snap", "relod", "shop"})
  void proposesNothingHarmfulForAWordThatMayHaveBeenHarmless(String word) {
    assertThat(proposed(word))
        .doesNotContain("destroy", "drain", "restart", "rm", "stop", "unload");
  }

  @ParameterizedTest
  @CsvSource({
    "show, cat status",
    "get, list-units list-machines",
    "shwo, ''",
    "inspect, status why"
  })
  void proposesForAWordOfAnotherToolTheCommandsThatComeNextToIt(String word, String commands) {
    assertThat(proposed(word))
        .isEqualTo(commands.isEmpty() ? List.of() : List.of(commands.split(" ")));
  }

  @ParameterizedTest
  @CsvSource({"destory, history", "unlaod, ''", "destry, destroy", "unlod, unload"})
  void proposesAHarmfulCommandOnlyForOneWrongLetter(String word, String command) {
    assertThat(proposed(word)).isEqualTo(command.isEmpty() ? List.of() : List.of(command));
  }

  @Test
  void saysWhyNothingIsEnabled() {
    assertThatThrownBy(() -> CommandNames.resolve("enable"))
        .hasMessageContaining("come back after a reboot");
  }

  @Test
  void aFlagTakesAValueForAllCommandsOrForNone() {
    Set<String> valued = new TreeSet<>();
    Set<String> plain = new TreeSet<>();
    for (String name : CommandNames.ALL) {
      for (OptionSpec option : CommandNames.specOf(name).options()) {
        (ValuedFlags.isValued(option) ? valued : plain).addAll(List.of(option.names()));
      }
    }
    assertThat(valued)
        .contains("--require", "--endpoint")
        .doesNotContainAnyElementsOf(plain)
        .allMatch(ValuedFlags::takesNextWord);
    assertThat(plain).contains("--debug").noneMatch(ValuedFlags::takesNextWord);
  }

  private static List<String> proposed(String word) {
    try {
      return List.of(CommandNames.resolve(word));
    } catch (CommandException e) {
      return String.valueOf(e.getMessage())
          .lines()
          .filter(line -> line.startsWith("\t"))
          .map(String::strip)
          .toList();
    }
  }
}
