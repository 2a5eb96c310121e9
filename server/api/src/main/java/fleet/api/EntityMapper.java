package fleet.api;

import fleet.cluster.AbsentMachines;
import fleet.cluster.Event;
import fleet.cluster.Event.Payload;
import fleet.cluster.MachineView;
import fleet.cluster.OperationProgress;
import fleet.cluster.PlacementReasons;
import fleet.cluster.Plan;
import fleet.cluster.UnitView;
import fleet.core.desired.Unit;
import fleet.core.machine.Machine;
import fleet.core.machine.Maintenance;
import fleet.core.machine.Resources;
import fleet.core.operation.Evenness;
import fleet.core.operation.Operation;
import fleet.core.operation.OperationId;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.entities.CauseEntity;
import fleet.entities.ContextEntity;
import fleet.entities.DrainEntity;
import fleet.entities.EvennessEntity;
import fleet.entities.EventEntity;
import fleet.entities.MachineEntity;
import fleet.entities.MachineReasonEntity;
import fleet.entities.MaintenanceEntity;
import fleet.entities.NearMissEntity;
import fleet.entities.ObstacleEntity;
import fleet.entities.OperationEntity;
import fleet.entities.PlanEntity;
import fleet.entities.PlannedChangeEntity;
import fleet.entities.PlannedEvennessEntity;
import fleet.entities.ResourcesEntity;
import fleet.entities.StateEntity;
import fleet.entities.StateSummaryEntity;
import fleet.entities.StepEntity;
import fleet.entities.UnitEntity;
import fleet.entities.UnitOptionEntity;
import fleet.entities.UnitSummaryEntity;
import fleet.entities.WhyEntity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes what the cluster knows as entities of the API. */
final class EntityMapper {
  private EntityMapper() {}

  /**
   * Writes a unit.
   *
   * @param options whether with its text
   */
  static UnitEntity unit(UnitView view, boolean options) {
    Unit unit = view.unit();
    return new UnitEntity(
        view.current().map(DesiredState::text).orElse(""),
        unit.desired().text(),
        view.machine().orElse(""),
        unit.name().value(),
        options ? options(unit.file()) : List.of(),
        unit.by(),
        view.global() ? true : null,
        unit.incarnation().id(),
        view.refused() ? true : null,
        unit.restartCounter(),
        view.waiting(),
        view.reason(),
        unit.require(),
        view.keptOn().orElse(""),
        List.of(),
        "",
        view.set());
  }

  static UnitSummaryEntity summary(UnitView view, List<UnitState> states) {
    Unit unit = view.unit();
    return new UnitSummaryEntity(
        unit.desired().text(),
        view.machine().orElse(""),
        unit.name().value(),
        unit.by(),
        view.global() ? true : null,
        unit.restartCounter(),
        view.waiting(),
        unit.require(),
        view.keptOn().orElse(""),
        view.set(),
        summaries(states));
  }

  /** Most units have one, for which a stream would cost more than the rest. */
  private static List<StateSummaryEntity> summaries(List<UnitState> states) {
    List<StateSummaryEntity> summaries = new ArrayList<>(states.size());
    for (UnitState state : states) {
      summaries.add(summary(state));
    }
    return summaries;
  }

  private static StateSummaryEntity summary(UnitState state) {
    SystemdState systemd = state.systemd();
    return new StateSummaryEntity(
        state.machine(),
        systemd.active(),
        systemd.sub(),
        state.problem(),
        systemd.restarts() == 0 ? null : systemd.restarts(),
        systemd.result().equals("success") ? "" : systemd.result(),
        since(systemd),
        systemd.exitCode() == 0 ? null : systemd.exitCode(),
        systemd.exitSignal() == 0 ? null : systemd.exitSignal());
  }

  private static String since(SystemdState systemd) {
    return systemd.since().equals(Instant.EPOCH) ? "" : systemd.since().toString();
  }

  static List<UnitOptionEntity> options(UnitFile file) {
    return file.options().stream()
        .map(o -> new UnitOptionEntity(o.name(), o.section(), o.value()))
        .toList();
  }

  static StateEntity state(UnitState state) {
    SystemdState systemd = state.systemd();
    return new StateEntity(
        state.hash(),
        state.machine(),
        state.unit().value(),
        systemd.active(),
        systemd.load(),
        systemd.sub(),
        state.incarnation().id(),
        systemd.invocation(),
        state.performed().text(),
        state.problem(),
        state.restartCounter(),
        systemd.restarts(),
        systemd.result(),
        since(systemd),
        systemd.exitCode() == 0 ? null : systemd.exitCode(),
        systemd.exitSignal() == 0 ? null : systemd.exitSignal());
  }

  static PlanEntity plan(Plan plan) {
    return new PlanEntity(
        plan.changes().stream()
            .map(change ->
                new PlannedChangeEntity(
                    change.unit().value(),
                    change.kind().text(),
                    change.from(),
                    change.to(),
                    change.why()))
            .toList(),
        plan.evening().map(EntityMapper::evening).orElse(null));
  }

  private static PlannedEvennessEntity evening(Plan.Evening evening) {
    return new PlannedEvennessEntity(
        evenness(evening.before()), evenness(evening.after()), evening.rest());
  }

  private static EvennessEntity evenness(Evenness evenness) {
    return new EvennessEntity(evenness.least(), evenness.most());
  }

  static OperationEntity operation(OperationProgress progress) {
    return operation(
        progress,
        progress.steps().stream()
            .map(step ->
                new StepEntity(
                    step.unit().value(),
                    step.standing().text(),
                    step.from(),
                    step.to(),
                    step.detail()))
            .toList());
  }

  static OperationEntity withoutSteps(OperationProgress progress) {
    return operation(progress, List.of());
  }

  private static OperationEntity operation(OperationProgress progress, List<StepEntity> steps) {
    Operation operation = progress.operation();
    return new OperationEntity(
        operation.id().text(),
        operation.id().kind().text(),
        operation.id().subject(),
        operation.by(),
        operation.started().toString(),
        operation.stage().text(),
        operation.paused() ? true : null,
        operation.reason(),
        progress.waitsFor(),
        operation.maxUnavailable(),
        progress.details(),
        progress.left(),
        steps,
        operation.awaitsPromotion() ? true : null);
  }

  static WhyEntity why(PlacementReasons reasons) {
    return new WhyEntity(
        reasons.unit().value(),
        reasons.standing().text(),
        reasons.machine().orElse(""),
        reasons.reason(),
        reasons.machines(),
        reasons.contenders().stream()
            .map(one -> new MachineReasonEntity(one.machine(), one.reason()))
            .toList(),
        reasons.obstacles().stream().map(EntityMapper::obstacle).toList(),
        reasons
            .nearest()
            .map(miss -> new NearMissEntity(miss.machine(), miss.verdicts(), miss.change()))
            .orElse(null),
        reasons.require());
  }

  private static ObstacleEntity obstacle(PlacementReasons.Obstacle obstacle) {
    return new ObstacleEntity(
        obstacle.rule(),
        obstacle.text(),
        obstacle.machines().entrySet().stream()
            .map(one -> new MachineReasonEntity(one.getKey(), one.getValue()))
            .toList());
  }

  /**
   * Writes an event.
   *
   * @param options whether with the options of a unit's file
   */
  static EventEntity event(Event event, boolean options) {
    Event.Body body = event.body();
    EventEntity bare =
        EventEntity.of(body.kind().text(), event.revision(), event.time().toString())
            .about(context(body.subject()), new CauseEntity(body.cause().by(), body.cause().why()));
    return switch (body.payload()) {
      case Payload.None _ when body.kind() == Event.Kind.STATE_GONE ->
          bare.with(StateEntity.of(name(body.subject()), body.subject().machine()));
      case Payload.None _ ->
          bare.with(bareUnit(body.subject(), Optional.empty()))
              .with(bareMachine(body.subject()))
              .because(body.cause().why());
      case Payload.OfCommand(Event.Command command, Optional<DesiredState> desired) ->
          bare.with(bareUnit(body.subject(), desired))
              .with(bareMachine(body.subject()))
              .commanded(command.text());
      case Payload.OfOperation(OperationId operation) ->
          bare.with(bareUnit(body.subject(), Optional.empty()))
              .with(bareMachine(body.subject()))
              .because(body.cause().why())
              .ofOperation(operation.text());
      case Payload.OfUnit(UnitView unit) -> bare.with(unit(unit, options));
      case Payload.OfState(UnitState state) -> bare.with(state(state));
      case Payload.OfMachine(Machine machine) -> bare.with(ofEvent(machine));
    };
  }

  private static ContextEntity context(Event.Subject subject) {
    return new ContextEntity(name(subject), subject.machine(), subject.from());
  }

  private static String name(Event.Subject subject) {
    return subject.unit().map(UnitName::value).orElse("");
  }

  private static @Nullable MachineEntity bareMachine(Event.Subject subject) {
    return subject.machine().isEmpty() ? null : new MachineEntity(subject.machine(), Map.of(), "");
  }

  private static @Nullable UnitEntity bareUnit(
      Event.Subject subject, Optional<DesiredState> desired) {
    return subject.unit().isEmpty()
        ? null
        : UnitEntity.of(name(subject), desired.map(DesiredState::text).orElse(""), List.of());
  }

  // ---- machines

  static MachineEntity machine(MachineView view) {
    Machine machine = view.machine();
    return new MachineEntity(
        machine.id(),
        machine.metadata(),
        machine.publicIp(),
        resources(view.capacity()),
        view.cordoned() ? true : null,
        view.drain().map(drain -> new DrainEntity(drain.by(), drain.maxUnavailable())).orElse(null),
        resources(view.reserved()),
        resources(machine.total()),
        machine.hostname(),
        machine.architecture(),
        machine.version(),
        view.role().text(),
        view.leads() ? true : null,
        standing(view),
        view.units(),
        "",
        view.maintenance().map(EntityMapper::maintenance).orElse(null));
  }

  static MaintenanceEntity maintenance(Maintenance window) {
    return new MaintenanceEntity(window.by(), window.until().toString());
  }

  static String standing(MachineView view) {
    if (view.maintenance().isPresent()) {
      return "maintenance";
    }
    if (view.drain().isPresent()) {
      return view.drained() ? "drained" : "draining";
    }
    return view.cordoned() ? "cordoned" : "ready";
  }

  /** Events tell of the machine and not of its reservations. */
  static MachineEntity ofEvent(Machine machine) {
    return described(machine, resources(machine.total()), "", "");
  }

  /** A machine that is not there. */
  static MachineEntity departed(AbsentMachines.Departed departed) {
    String state = departed.left() ? "left" : "lost";
    return described(departed.machine(), null, state, departed.since().toString());
  }

  /** A machine without what the cluster has given to it. */
  private static MachineEntity described(
      Machine machine, @Nullable ResourcesEntity total, String state, String since) {
    return new MachineEntity(
        machine.id(),
        machine.metadata(),
        machine.publicIp(),
        null,
        null,
        null,
        null,
        total,
        machine.hostname(),
        machine.architecture(),
        machine.version(),
        "",
        null,
        state,
        null,
        since,
        null);
  }

  private static @Nullable ResourcesEntity resources(Resources resources) {
    return resources.equals(Resources.UNKNOWN)
        ? null
        : new ResourcesEntity(
            unlessZero(resources.cpuMillis()),
            unlessZero(resources.disk()),
            unlessZero(resources.memory()),
            unlessZero(resources.tasks()));
  }

  private static @Nullable Long unlessZero(long number) {
    return number == 0 ? null : number;
  }
}
