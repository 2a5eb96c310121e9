package fleet.fleetctl.completion;

import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The words that may stand at the cursor.
 *
 * @param words by themselves
 * @param kinds of the things whose names may stand there
 */
public record WordChoices(Set<String> words, Set<WordKind> kinds) {

  public static final WordChoices NOTHING = new WordChoices(Set.of(), Set.of());

  public static WordChoices of(WordKind... kinds) {
    Set<WordKind> all = EnumSet.noneOf(WordKind.class);
    all.addAll(Set.of(kinds));
    return new WordChoices(Set.of(), all);
  }

  static WordChoices word(Collection<String> words) {
    return new WordChoices(new LinkedHashSet<>(words), Set.of());
  }

  /** One or the other. */
  WordChoices or(WordChoices other) {
    Set<String> allWords = new LinkedHashSet<>(words);
    allWords.addAll(other.words);
    Set<WordKind> allKinds = EnumSet.noneOf(WordKind.class);
    allKinds.addAll(kinds);
    allKinds.addAll(other.kinds);
    return new WordChoices(allWords, allKinds);
  }
}
