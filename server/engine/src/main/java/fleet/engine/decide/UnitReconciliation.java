package fleet.engine.decide;

import fleet.core.schedule.TargetState;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.ScheduledUnit;
import java.util.Optional;

/**
 * Compares the target of a unit with its entry in the schedule. Pure.
 *
 * <p>A unit leaves a machine in three steps: its entry turns to stopping; the machine reports it
 * gone, or is lost; the entry is replaced. Until then no other machine may run it. A unit whose new
 * content fits where it is does not leave: its entry is replaced at once, and the agent stops the
 * earlier content before it places the new one.
 */
public final class UnitReconciliation {

  private UnitReconciliation() {}

  public static NextStep next(UnitSituation situation) {
    if (situation.placed().isEmpty()) {
      return situation.known().filter(KnownUnit::wantsPlace).isPresent()
          ? new NextStep.Choose()
          : new NextStep.None();
    }
    ScheduledUnit placed = situation.placed().get();
    if (situation.lost()) {
      String why = "machine " + placed.machine() + " is lost";
      if (isToEndThere(situation, placed)) {
        return new NextStep.NoteEnd(why);
      }
      return belongsThere(situation, placed) ? new NextStep.Relocate(why) : new NextStep.Clear(why);
    }
    if (situation.reportedGone()) {
      return isToEndThere(situation, placed)
          ? new NextStep.NoteEnd(
              "it was at its end when machine " + placed.machine() + " gave it up")
          : new NextStep.Clear("machine " + placed.machine() + " does not have it");
    }
    if (placed.record().target() == TargetState.STOPPING) {
      return new NextStep.None();
    }
    return situation
        .inPlace()
        .<NextStep>map(NextStep.ReplaceInPlace::new)
        .or(() -> reasonToLeave(situation, placed).map(NextStep.BeginStopping::new))
        .orElseGet(() -> stay(situation, placed));
  }

  /** Whether the requested start has run to its end there. */
  private static boolean isToEndThere(UnitSituation situation, ScheduledUnit placed) {
    return situation.ended()
        && situation
            .known()
            .filter(known -> known.target() == TargetState.LAUNCHED)
            .filter(known -> known.unit().incarnation().equals(placed.record().incarnation()))
            .filter(known -> known.unit().restartCounter() == placed.record().restartCounter())
            .isPresent();
  }

  private static boolean belongsThere(UnitSituation situation, ScheduledUnit placed) {
    return placed.record().target() != TargetState.STOPPING
        && !situation.reportedGone()
        && situation.known().isPresent()
        && reasonToLeave(situation, placed).isEmpty();
  }

  private static Optional<String> reasonToLeave(UnitSituation situation, ScheduledUnit placed) {
    if (situation.known().isEmpty()) {
      return Optional.of("it was destroyed");
    }
    KnownUnit known = situation.known().get();
    if (!known.unit().incarnation().equals(placed.record().incarnation())) {
      return Optional.of("it was replaced by a new version");
    }
    if (!known.wantsPlace()) {
      return Optional.of("its desired state is inactive");
    }
    if (!known.unit().require().equals(placed.record().require())) {
      // The room reserved for it here is for its earlier requirements.
      return Optional.of("it was started again with other requirements");
    }
    return situation.unfit();
  }

  private static NextStep stay(UnitSituation situation, ScheduledUnit placed) {
    KnownUnit known = situation.known().orElseThrow();
    if (!isAsWanted(situation, placed)) {
      return new NextStep.Retarget(known.target(), known.unit().restartCounter());
    }
    return situation
        .moveReason()
        .<NextStep>map(NextStep.MoveAway::new)
        .orElseGet(NextStep.None::new);
  }

  /** Whether the entry asks for the unit's target. */
  private static boolean isAsWanted(UnitSituation situation, ScheduledUnit placed) {
    return situation
        .known()
        .filter(known -> placed.record().target() == known.target())
        .filter(known -> placed.record().restartCounter() == known.unit().restartCounter())
        .isPresent();
  }
}
