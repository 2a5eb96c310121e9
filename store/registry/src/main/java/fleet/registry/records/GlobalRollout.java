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
 * @param turn the new content, and the machines that have it; kept in {@code global/<unit>} as well
 * @param provenUpTo id of the machine up to which all have done well; empty for none
 */
public record GlobalRollout(
    Incarnation base, long baseCounter, GlobalTurn turn, String provenUpTo) {

  private static final String NAME = "global";
  private static final String TURN = "turn";

  /** The same with another bound. */
  public GlobalRollout withUpTo(String machine) {
    return new GlobalRollout(base, baseCounter, turn.withUpTo(machine), provenUpTo);
  }

  /** The same once machines have done well. */
  public GlobalRollout withProvenUpTo(String machine) {
    return new GlobalRollout(base, baseCounter, turn, machine);
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
        .put(TURN, new TreeMap<>(turn.fields()));
  }

  static Optional<GlobalRollout> read(FieldReader fields) {
    if (!fields.has(NAME)) {
      return Optional.empty();
    }
    Map<String, String> texts = fields.textsByName(NAME);
    return GlobalTurn.read(fields, TURN)
        .map(turn ->
            new GlobalRollout(
                new Incarnation(GlobalTurn.text(fields, NAME, texts, "base")),
                GlobalTurn.number(fields, NAME, texts, "baseCounter"),
                turn,
                GlobalTurn.text(fields, NAME, texts, "provenUpTo")));
  }
}
