package fleet.registry.records;

import fleet.core.unit.Incarnation;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The part of a rollout that only one of a global unit has, and of a restart in turns: the machines
 * get the new content, or start, in the order of their ids.
 *
 * @param base the incarnation that the unit had when the operation began; with another one it has
 *     been replaced since
 * @param baseCounter the restart counter that it had
 * @param update the new content, and the machines that have it; kept in {@code global/<unit>} as
 *     well
 * @param provenUpTo id of the machine up to which all have done well; empty for none
 */
public record GlobalRollout(
    Incarnation base, long baseCounter, GlobalUpdate update, String provenUpTo) {

  private static final String NAME = "global";
  private static final String TURN = "turn";

  /** The same with another bound. */
  public GlobalRollout withUpTo(String machine) {
    return new GlobalRollout(base, baseCounter, update.withUpTo(machine), provenUpTo);
  }

  /** The same once machines have done well. */
  public GlobalRollout withProvenUpTo(String machine) {
    return new GlobalRollout(base, baseCounter, update, machine);
  }

  /** Whether a machine has done well. */
  public boolean isProven(String machine) {
    return machine.compareTo(provenUpTo) <= 0;
  }

  void write(FieldWriter fields) {
    fields
        .put(
            NAME,
            new TreeMap<>(
                Map.of(
                    "base", base.id(),
                    "baseCounter", Long.toString(baseCounter),
                    "provenUpTo", provenUpTo)))
        .put(TURN, new TreeMap<>(update.fields()));
  }

  static Optional<GlobalRollout> read(FieldReader fields) {
    if (!fields.has(NAME)) {
      return Optional.empty();
    }
    Map<String, String> texts = fields.textsByName(NAME);
    return GlobalUpdate.read(fields, TURN)
        .map(update ->
            new GlobalRollout(
                new Incarnation(GlobalUpdate.text(fields, NAME, texts, "base")),
                GlobalUpdate.number(fields, NAME, texts, "baseCounter"),
                update,
                GlobalUpdate.text(fields, NAME, texts, "provenUpTo")));
  }
}
