package fleet.cluster.rpc;

import fleet.cluster.Absences;
import fleet.cluster.MachineView;
import fleet.cluster.Setting;
import fleet.cluster.Tally;
import fleet.cluster.UnitView;
import fleet.core.desired.Unit;
import fleet.core.machine.Machine;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.rpc.message.MachineMessages;
import fleet.rpc.message.MalformedMessageException;
import fleet.rpc.message.ReportMessages;
import fleet.rpc.message.UnitNames;
import fleet.rpc.v1.FoundAbsence;
import fleet.rpc.v1.FoundPause;
import fleet.rpc.v1.FoundPromise;
import fleet.rpc.v1.FoundSetting;
import fleet.rpc.v1.FoundState;
import fleet.rpc.v1.FoundTally;
import fleet.rpc.v1.FoundUnit;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the cluster shows, as messages. */
final class ViewMessages {

  private ViewMessages() {}

  static FoundUnit message(UnitView view, UnitFiles.Sent files) {
    Unit unit = view.unit();
    Instant created = unit.created();
    FoundUnit.Builder message =
        FoundUnit.newBuilder()
            .setName(unit.name().value())
            .setIncarnation(unit.incarnation().id())
            .setFile(files.number(unit.file()))
            .setDesired(unit.desired().text())
            .setRestartCounter(unit.restartCounter())
            .setBy(unit.by())
            .setCreatedSeconds(created.getEpochSecond())
            .setCreatedNanos(created.getNano())
            .setGlobal(view.global())
            .setWaiting(view.waiting())
            .setRefused(view.refused())
            .setReason(view.reason())
            .addAllRequire(unit.require());
    view.current().ifPresent(current -> message.setCurrent(current.text()));
    view.machine().ifPresent(message::setMachine);
    view.keptOn().ifPresent(message::setKeptOn);
    return message.build();
  }

  static UnitView view(FoundUnit message, UnitFiles.Received files)
      throws MalformedMessageException {
    Unit unit =
        new Unit(
            UnitNames.of(message.getName()),
            new Incarnation(message.getIncarnation()),
            files.get(message.getFile()),
            desired(message.getDesired()),
            message.getRestartCounter(),
            message.getBy(),
            Instant.ofEpochSecond(message.getCreatedSeconds(), message.getCreatedNanos()),
            message.getRequireList());
    return new UnitView(
        unit,
        message.hasCurrent() ? Optional.of(desired(message.getCurrent())) : Optional.empty(),
        message.hasMachine() ? Optional.of(message.getMachine()) : Optional.empty(),
        message.getGlobal(),
        message.getWaiting(),
        message.getRefused(),
        message.getReason(),
        message.hasKeptOn() ? Optional.of(message.getKeptOn()) : Optional.empty());
  }

  static DesiredState desired(String text) throws MalformedMessageException {
    return DesiredState.ofText(text)
        .orElseThrow(() -> new MalformedMessageException("\"" + text + "\" is no desired state"));
  }

  static FoundState message(UnitState state) {
    return FoundState.newBuilder()
        .setMachine(state.machine())
        .setReport(ReportMessages.message(new AgentReport.Stated(state)))
        .build();
  }

  static UnitState state(FoundState message) throws MalformedMessageException {
    Optional<AgentReport> report = ReportMessages.report(message.getMachine(), message.getReport());
    if (report.isPresent() && report.get() instanceof AgentReport.Stated stated) {
      return stated.state();
    }
    throw new MalformedMessageException("a state that says nothing");
  }

  static FoundPromise promise(MachineView machine) {
    FoundPromise.Builder message =
        FoundPromise.newBuilder()
            .setMachine(machine.id())
            .setCapacity(MachineMessages.message(machine.capacity()))
            .setReserved(MachineMessages.message(machine.reserved()))
            .setCordoned(machine.cordoned());
    machine.drain().ifPresent(drain -> message.setDrain(DrainMessages.message(drain)));
    return message.build();
  }

  /** Without what is promised, where an older leader does not say so. */
  static MachineView machine(Machine machine, @Nullable FoundPromise promise)
      throws MalformedMessageException {
    return promise == null
        ? MachineView.of(machine)
        : new MachineView(
            machine,
            MachineMessages.resources(promise.getCapacity()),
            MachineMessages.resources(promise.getReserved()),
            promise.getCordoned(),
            promise.hasDrain()
                ? Optional.of(DrainMessages.drain(promise.getDrain()))
                : Optional.empty());
  }

  static FoundSetting message(Setting setting) {
    return FoundSetting.newBuilder()
        .setName(setting.name())
        .setValue(setting.value())
        .setUsual(setting.usual())
        .setBy(setting.by())
        .build();
  }

  static Setting setting(FoundSetting message) {
    return new Setting(message.getName(), message.getValue(), message.getUsual(), message.getBy());
  }

  static FoundTally message(Tally tally) {
    return FoundTally.newBuilder()
        .setMachines(tally.machines())
        .setUnits(tally.units())
        .putAllStates(tally.states())
        .build();
  }

  static Tally tally(FoundTally message) {
    return new Tally(
        message.getMachines(), message.getUnits(), new TreeMap<>(message.getStatesMap()));
  }

  static FoundAbsence message(Absences.Absent absent) {
    return FoundAbsence.newBuilder()
        .setMachine(absent.machine())
        .setUnits(absent.units())
        .setStanding(absent.standing().name().toLowerCase(Locale.ROOT))
        .build();
  }

  static Absences.Absent absent(FoundAbsence message) {
    return new Absences.Absent(
        message.getMachine(), message.getUnits(), standing(message.getStanding()));
  }

  /** What only a later version knows is not lost yet, at least. */
  private static Absences.Standing standing(String text) {
    for (Absences.Standing standing : Absences.Standing.values()) {
      if (standing.name().toLowerCase(Locale.ROOT).equals(text)) {
        return standing;
      }
    }
    return Absences.Standing.AWAITED;
  }

  static FoundPause message(Absences.Pause pause) {
    return FoundPause.newBuilder()
        .setSinceMillis(pause.since().toEpochMilli())
        .setUntilMillis(pause.until().toEpochMilli())
        .setVanished(pause.vanished())
        .setOf(pause.of())
        .build();
  }

  static Absences.Pause pause(FoundPause message) {
    return new Absences.Pause(
        Instant.ofEpochMilli(message.getSinceMillis()),
        Instant.ofEpochMilli(message.getUntilMillis()),
        message.getVanished(),
        message.getOf());
  }
}
