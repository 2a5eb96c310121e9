package fleet.api.journal;

import fleet.core.question.JournalFilter;
import fleet.core.question.Question;
import fleet.core.question.Question.JournalEntries;
import fleet.core.requirements.Glob;
import fleet.core.unit.UnitName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The wanted journals and entries.
 *
 * @param names of units
 * @param patterns of units' names
 * @param lines how many of the newest entries of each machine to begin with
 * @param since entries before that are left out
 * @param after by machine the cursor of an entry after which to begin; goes before lines and since
 * @param follow whether to go on with what is written from now on
 * @param whole whether entries come with all of their fields
 * @param machine the beginning of the ids of the machines that are asked; empty for all
 * @param filter which of the entries of units
 * @param audit which entries of the audit logs of servers, in place of those of units
 */
public record JournalQuestion(
    List<UnitName> names,
    List<Glob> patterns,
    int lines,
    Optional<Instant> since,
    Map<String, String> after,
    boolean follow,
    boolean whole,
    String machine,
    JournalFilter filter,
    Optional<Audit> audit) {

  /**
   * The subject and the target of the requests in audit logs.
   *
   * @param subject empty for anybody
   * @param target empty for anything
   */
  public record Audit(String subject, String target) {}

  public JournalQuestion {
    names = List.copyOf(names);
    patterns = List.copyOf(patterns);
    after = Map.copyOf(after);
  }

  /**
   * The question to one machine.
   *
   * @throws IllegalArgumentException if no machine can answer it
   */
  public Question asked(JournalEntries entries) {
    return audit
        .<Question>map(of -> new Question.Audit(entries, of.subject(), of.target()))
        .orElseGet(() ->
            filter.equals(JournalFilter.NONE)
                ? entries
                : new Question.FilteredEntries(entries, filter));
  }

  boolean wants(UnitName unit) {
    return names.contains(unit) || patterns.stream().anyMatch(glob -> glob.matches(unit.value()));
  }
}
