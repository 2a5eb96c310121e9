package fleet.fleetctl.wait;

import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.entities.UnitOptionEntity;
import java.util.List;
import java.util.Optional;

/** Makes units and states as a daemon of this version tells them. */
final class UnitSnapshots {

  static final String MACHINE = "113f16a7b2c34d5e8f90a1b2c3d4e5f6";
  private static final List<UnitOptionEntity> OPTIONS =
      List.of(new UnitOptionEntity("ExecStart", "Service", "/bin/true"));

  private UnitSnapshots() {}

  static UnitEntity unit(String desired, String machine, long counter) {
    return new UnitEntity(
        "inactive",
        desired,
        machine,
        "a.service",
        OPTIONS,
        "user root",
        null,
        "inc2",
        null,
        counter,
        "",
        "",
        List.of(),
        "",
        List.of(),
        "",
        "");
  }

  /** It stays with {@link #MACHINE}, which is not there. */
  static UnitEntity kept(String desired, String why) {
    return new UnitEntity(
        "inactive",
        desired,
        "",
        "a.service",
        OPTIONS,
        "user root",
        null,
        "inc2",
        null,
        1L,
        why,
        "",
        List.of(),
        MACHINE,
        List.of(),
        "",
        "");
  }

  static UnitEntity waiting(String why, boolean refused) {
    return new UnitEntity(
        "inactive",
        "launched",
        "",
        "a.service",
        OPTIONS,
        "user root",
        null,
        "inc2",
        refused ? true : null,
        1L,
        why,
        "",
        List.of(),
        "",
        List.of(),
        "",
        "");
  }

  static StateEntity state(
      String performed, long counter, String active, String sub, String result) {
    return state("inc2", performed, counter, active, sub, result, "", "i1");
  }

  static StateEntity state(
      String incarnation,
      String performed,
      long counter,
      String active,
      String sub,
      String result,
      String problem,
      String invocation) {
    return new StateEntity(
        "hash",
        MACHINE,
        "a.service",
        active,
        "loaded",
        sub,
        incarnation,
        invocation,
        performed,
        problem,
        counter,
        0L,
        result,
        "");
  }

  /** As fleet 1.0 tells it. */
  static UnitSnapshot old(String desired, String current, String active) {
    UnitEntity unit =
        new UnitEntity(
            current,
            desired,
            MACHINE,
            "a.service",
            List.of(),
            "",
            null,
            "",
            null,
            null,
            "",
            "",
            List.of(),
            "",
            List.of(),
            "",
            "");
    StateEntity state =
        new StateEntity(
            "hash",
            MACHINE,
            "a.service",
            active,
            "loaded",
            "sub",
            "",
            "",
            "",
            "",
            null,
            null,
            "",
            "");
    return new UnitSnapshot(Optional.of(unit), List.of(state));
  }

  static UnitSnapshot snapshot(UnitEntity unit, StateEntity... states) {
    return new UnitSnapshot(Optional.of(unit), List.of(states));
  }

  /** The verdict in one line. */
  static String textOf(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Pending pending -> "pending: " + text(pending.progress());
      case Verdict.Unsure unsure -> "unsure: " + textOf(unsure.likely());
      case Verdict.Reached reached ->
          "reached: "
              + reached.announcement().state()
              + (reached.note().isEmpty() ? "" : " but " + reached.note());
      case Verdict.Failed failed -> "failed: " + text(failed.why());
      case Verdict.FailedOnSome some ->
          "failed on "
              + some.failures().size()
              + " of "
              + some.of()
              + ": "
              + text(some.failures().getFirst().why());
    };
  }

  private static String text(Verdict.Progress progress) {
    return progress.text() + (progress.machine().isEmpty() ? "" : " M") + progress.details();
  }
}
