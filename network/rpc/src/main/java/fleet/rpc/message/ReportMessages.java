package fleet.rpc.message;

import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.rpc.v1.Freed;
import fleet.rpc.v1.Gone;
import fleet.rpc.v1.RefusedUnit;
import fleet.rpc.v1.Report;
import fleet.rpc.v1.Stated;
import java.time.Instant;
import java.util.Optional;

/** Reports of agents, as messages. */
public final class ReportMessages {

  private static final int LONGEST_INCARNATION = 200;

  private ReportMessages() {}

  public static Report message(AgentReport report) {
    Report.Builder message = Report.newBuilder().setUnit(report.unit().value());
    switch (report) {
      case AgentReport.Stated(UnitState state) -> message.setStated(stated(state));
      case AgentReport.Gone(UnitName _, Incarnation incarnation, long revision, boolean ended) ->
          message.setGone(
              Gone.newBuilder()
                  .setIncarnation(incarnation.id())
                  .setRevision(revision)
                  .setEnded(ended));
      case AgentReport.Refused(UnitName _, Incarnation incarnation, long revision, String why) ->
          message.setRefused(
              RefusedUnit.newBuilder()
                  .setIncarnation(incarnation.id())
                  .setRevision(revision)
                  .setWhy(why));
      case AgentReport.Freed _ -> message.setFreed(Freed.getDefaultInstance());
    }
    return message.build();
  }

  private static Stated stated(UnitState state) {
    SystemdState systemd = state.systemd();
    Instant since = systemd.since();
    return Stated.newBuilder()
        .setIncarnation(state.incarnation().id())
        .setHash(state.hash())
        .setPerformed(state.performed().text())
        .setRestartCounter(state.restartCounter())
        .setProblem(state.problem())
        .setLoad(systemd.load())
        .setActive(systemd.active())
        .setSub(systemd.sub())
        .setResult(systemd.result())
        .setInvocation(systemd.invocation())
        .setRestarts(systemd.restarts())
        .setSinceSeconds(since.getEpochSecond())
        .setSinceNanos(since.getNano())
        .setExitCode(systemd.exitCode())
        .setExitSignal(systemd.exitSignal())
        .build();
  }

  /**
   * The report in a message; empty if only a later version knows it.
   *
   * @param machine that sent it
   * @throws MalformedMessageException if it is about no unit
   */
  public static Optional<AgentReport> report(String machine, Report message)
      throws MalformedMessageException {
    UnitName unit = UnitNames.of(message.getUnit());
    return switch (message.getSaidCase()) {
      case STATED -> Optional.of(new AgentReport.Stated(state(unit, machine, message.getStated())));
      case GONE ->
          Optional.of(
              new AgentReport.Gone(
                  unit,
                  incarnation(message.getGone().getIncarnation()),
                  message.getGone().getRevision(),
                  message.getGone().getEnded()));
      case REFUSED ->
          Optional.of(
              new AgentReport.Refused(
                  unit,
                  incarnation(message.getRefused().getIncarnation()),
                  message.getRefused().getRevision(),
                  message.getRefused().getWhy()));
      case FREED -> Optional.of(new AgentReport.Freed(unit));
      case SAID_NOT_SET -> Optional.empty();
    };
  }

  private static Incarnation incarnation(String id) throws MalformedMessageException {
    if (id.length() > LONGEST_INCARNATION) {
      throw new MalformedMessageException(
          "an incarnation of more than %d characters".formatted(LONGEST_INCARNATION));
    }
    return new Incarnation(id);
  }

  private static UnitState state(UnitName unit, String machine, Stated message)
      throws MalformedMessageException {
    return new UnitState(
        unit,
        machine,
        incarnation(message.getIncarnation()),
        message.getHash(),
        DesiredState.ofText(message.getPerformed())
            .orElseThrow(() ->
                new MalformedMessageException(
                    "%s is said to be \"%s\"".formatted(unit, message.getPerformed()))),
        message.getRestartCounter(),
        new SystemdState(
            message.getLoad(),
            message.getActive(),
            message.getSub(),
            message.getResult(),
            message.getInvocation(),
            message.getRestarts(),
            Times.of(message.getSinceSeconds(), message.getSinceNanos()),
            message.getExitCode(),
            message.getExitSignal()),
        message.getProblem());
  }
}
