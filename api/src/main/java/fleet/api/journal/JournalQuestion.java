package fleet.api.journal;

import fleet.core.requirements.Glob;
import fleet.core.unit.UnitName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which journals are wanted, and what of them.
 *
 * @param names of units
 * @param patterns of units' names
 * @param lines how many of the newest entries of each machine to begin with
 * @param since entries before that are left out
 * @param after by machine the cursor of an entry after which to begin; goes before lines and since
 * @param follow whether to go on with what is written from now on
 * @param whole whether entries come with all of their fields
 * @param machine the beginning of the ids of the machines that are asked; empty for all
 */
public record JournalQuestion(
    List<UnitName> names,
    List<Glob> patterns,
    int lines,
    Optional<Instant> since,
    Map<String, String> after,
    boolean follow,
    boolean whole,
    String machine) {

  public JournalQuestion {
    names = List.copyOf(names);
    patterns = List.copyOf(patterns);
    after = Map.copyOf(after);
  }

  boolean wants(UnitName unit) {
    return names.contains(unit) || patterns.stream().anyMatch(glob -> glob.matches(unit.value()));
  }
}
