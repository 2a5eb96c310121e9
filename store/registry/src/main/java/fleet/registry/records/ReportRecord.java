package fleet.registry.records;

import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;

/**
 * The value of {@code state/<machine>/<unit>}: the last that the machine reported of the unit. It
 * is deleted if there is nothing more to say, which also takes a refusal back.
 */
public record ReportRecord(AgentReport report, UnknownFields unknown) {

  private static final String STATED = "stated";
  private static final String GONE = "gone";
  private static final String REFUSED = "refused";

  public ReportRecord(AgentReport report) {
    this(report, UnknownFields.NONE);
  }

  public static ReportRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    UnitName unit = Keys.unitOf(entry.key());
    Incarnation incarnation = new Incarnation(fields.text("incarnation"));
    String kind = fields.text("kind");
    AgentReport report =
        switch (kind) {
          case STATED ->
              new AgentReport.Stated(
                  stated(fields, unit, Keys.machineOf(entry.key()), incarnation));
          case GONE ->
              new AgentReport.Gone(
                  unit, incarnation, fields.number("revision"), fields.isTrue("ended"));
          case REFUSED ->
              new AgentReport.Refused(
                  unit, incarnation, fields.number("revision"), fields.text("why"));
          default -> throw fields.wrong("kind", "has the unknown value " + kind);
        };
    return new ReportRecord(report, fields.rest());
  }

  private static UnitState stated(
      FieldReader fields, UnitName unit, String machine, Incarnation incarnation) {
    return new UnitState(
        unit,
        machine,
        incarnation,
        fields.text("hash"),
        fields.meaning("performed", DesiredState::ofText),
        fields.number("restartCounter"),
        new SystemdState(
            fields.text("load"),
            fields.text("active"),
            fields.text("sub"),
            fields.text("result"),
            fields.text("invocation"),
            fields.number("restarts"),
            fields.instant("since"),
            fields.count("exitCode", 0),
            fields.count("exitSignal", 0)),
        fields.text("problem"));
  }

  /**
   * The value to store.
   *
   * @throws IllegalArgumentException for a {@link AgentReport.Freed}, which is told by deleting
   */
  public String json() {
    return switch (report) {
      case AgentReport.Stated stated -> stated(stated.state()).render(unknown);
      case AgentReport.Gone gone ->
          fields(GONE, gone.incarnation())
              .put("revision", gone.revision())
              .putIfTrue("ended", gone.ended())
              .render(unknown);
      case AgentReport.Refused refused ->
          fields(REFUSED, refused.incarnation())
              .put("revision", refused.revision())
              .put("why", refused.why())
              .render(unknown);
      case AgentReport.Freed _ ->
          throw new IllegalArgumentException("told by deleting the record: " + report);
    };
  }

  private static FieldWriter fields(String kind, Incarnation incarnation) {
    return new FieldWriter().put("kind", kind).put("incarnation", incarnation.id());
  }

  private static FieldWriter stated(UnitState state) {
    SystemdState systemd = state.systemd();
    return fields(STATED, state.incarnation())
        .put("hash", state.hash())
        .put("performed", state.performed().text())
        .put("restartCounter", state.restartCounter())
        .put("load", systemd.load())
        .put("active", systemd.active())
        .put("sub", systemd.sub())
        .put("result", systemd.result())
        .put("invocation", systemd.invocation())
        .put("restarts", systemd.restarts())
        .put("since", systemd.since())
        .put("problem", state.problem())
        // Not written at all by earlier versions.
        .putIfAny("exitCode", systemd.exitCode())
        .putIfAny("exitSignal", systemd.exitSignal());
  }
}
