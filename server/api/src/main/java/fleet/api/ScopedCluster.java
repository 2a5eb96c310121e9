package fleet.api;

import fleet.cluster.AbsentMachines;
import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.ClusterBackup;
import fleet.cluster.ClusterCounts;
import fleet.cluster.DestroyCondition;
import fleet.cluster.DestroyResult;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.cluster.Intent;
import fleet.cluster.MachineView;
import fleet.cluster.MetadataChange;
import fleet.cluster.NewOperation;
import fleet.cluster.OperationChanged;
import fleet.cluster.OperationProgress;
import fleet.cluster.PlacementReasons;
import fleet.cluster.Plan;
import fleet.cluster.PutResult;
import fleet.cluster.Setting;
import fleet.cluster.StartResult;
import fleet.cluster.UnitPut;
import fleet.cluster.UnitRevision;
import fleet.cluster.UnitStates;
import fleet.cluster.UnitView;
import fleet.core.access.Action;
import fleet.core.access.Target;
import fleet.core.desired.Unit;
import fleet.core.machine.Maintenance;
import fleet.core.operation.OperationChange;
import fleet.core.operation.OperationId;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.store.StoreHealth;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The cluster as seen by a subject whose grant is limited to some units or machines: lists leave
 * out the rest, and a command about the rest is refused as a whole, before anything is done. For
 * one thread.
 */
final class ScopedCluster implements Cluster {

  private final Cluster cluster;
  private final Access access;
  private final Targets targets;

  ScopedCluster(Cluster cluster, Access access) {
    this.cluster = cluster;
    this.access = access;
    this.targets = new Targets(cluster);
  }

  private boolean sees(Target target) {
    return access.allows(Action.LIST, target);
  }

  @Override
  public Cluster evenIfStale(Consumer<Instant> told) {
    return new ScopedCluster(cluster.evenIfStale(told), access);
  }

  // ---- queries

  private List<UnitView> seen(List<UnitView> views) {
    return views.stream().filter(view -> sees(targets.of(view))).toList();
  }

  @Override
  public List<UnitView> units() {
    return seen(cluster.units());
  }

  @Override
  public Optional<UnitView> unit(UnitName name) {
    return cluster.unit(name).filter(view -> sees(targets.of(view)));
  }

  @Override
  public List<UnitView> units(Set<UnitName> names) {
    return seen(cluster.units(names));
  }

  @Override
  public Map<UnitName, Unit> stored(Set<UnitName> names) {
    Map<UnitName, Unit> stored = new HashMap<>(cluster.stored(names));
    stored.keySet().removeIf(name -> !sees(targets.of(name)));
    return stored;
  }

  /** Former contents are for those who may read the present one. */
  @Override
  public List<UnitRevision> history(UnitName unit, Set<Long> texts) {
    access.require(Action.CAT, targets.of(unit));
    return cluster.history(unit, texts);
  }

  @Override
  public Optional<String> text(UnitName unit) {
    access.require(Action.CAT, targets.of(unit));
    return cluster.text(unit);
  }

  @Override
  public Optional<PlacementReasons> why(UnitName unit) {
    return unit(unit).flatMap(_ -> cluster.why(unit));
  }

  @Override
  public List<String> runsOn(UnitName unit) {
    return cluster.runsOn(unit).stream().filter(machine -> sees(targets.machine(machine))).toList();
  }

  @Override
  public UnitStates states() {
    UnitStates states = cluster.states();
    SortedMap<String, Integer> unreported = new TreeMap<>(states.unreported());
    unreported.keySet().removeIf(machine -> !sees(targets.machine(machine)));
    return new UnitStates(seenStates(states.reported()), unreported);
  }

  @Override
  public List<UnitState> reportedStates() {
    return seenStates(cluster.reportedStates());
  }

  private List<UnitState> seenStates(List<UnitState> states) {
    return states.stream().filter(state -> sees(targets.of(state))).toList();
  }

  @Override
  public List<UnitState> states(Set<UnitName> units) {
    return seenStates(cluster.states(units));
  }

  @Override
  public Map<UnitName, String> unreported(Set<UnitName> units) {
    Map<UnitName, String> unreported = new HashMap<>(cluster.unreported(units));
    unreported.entrySet().removeIf(of -> !sees(targets.on(of.getKey(), of.getValue())));
    return unreported;
  }

  @Override
  public List<MachineView> machines() {
    return cluster.machines().stream().filter(view -> sees(Targets.of(view))).toList();
  }

  @Override
  public Set<String> servers() {
    Set<String> servers = new TreeSet<>(cluster.servers());
    servers.removeIf(server -> !sees(targets.machine(server)));
    return servers;
  }

  @Override
  public ClusterCounts tally() {
    SortedMap<String, Integer> states = new TreeMap<>();
    reportedStates().forEach(state -> states.merge(state.systemd().active(), 1, Integer::sum));
    return new ClusterCounts(machines().size(), units().size(), states);
  }

  @Override
  public AbsentMachines absences() {
    AbsentMachines absences = cluster.absences();
    return new AbsentMachines(
        absences.machines().stream()
            .filter(absent -> sees(targets.machine(absent.machine())))
            .toList(),
        absences.pause(),
        absences.departed().stream().filter(gone -> sees(Targets.of(gone.machine()))).toList());
  }

  @Override
  public Optional<StoreHealth> storeHealth() {
    return sees(Target.CLUSTER) ? cluster.storeHealth() : Optional.empty();
  }

  @Override
  public Optional<Instant> leadsSince() {
    return cluster.leadsSince();
  }

  @Override
  public List<OperationProgress> operations() {
    return cluster.operations().stream().flatMap(progress -> seen(progress).stream()).toList();
  }

  @Override
  public Optional<OperationProgress> operation(OperationId id) {
    return cluster.operation(id).flatMap(this::seen);
  }

  /**
   * A rollout or restart is shown as a whole or not at all; a drain without the units that the
   * subject may not see.
   */
  private Optional<OperationProgress> seen(OperationProgress progress) {
    OperationId id = progress.operation().id();
    return switch (id.kind().scope()) {
      case MACHINE ->
          Optional.of(progress)
              .filter(_ -> sees(targets.machine(id.subject())))
              .map(drain ->
                  new OperationProgress(
                      drain.operation(),
                      drain.details(),
                      drain.steps().stream()
                          .filter(step -> sees(targets.on(step.unit(), id.subject())))
                          .toList()));
      case UNITS ->
          Optional.of(progress).filter(_ -> changedUnits(id.unit()).stream().allMatch(this::sees));
      case CLUSTER -> Optional.of(progress).filter(_ -> sees(Target.CLUSTER));
    };
  }

  @Override
  public Plan plan(Intent intent) {
    switch (intent) {
      case Intent.Put(List<UnitPut> puts) -> puts.forEach(put -> require(Action.PLAN, put));
      case Intent.Destroy(Set<UnitName> units) ->
          units.forEach(unit -> access.require(Action.PLAN, targets.of(unit)));
      case Intent.Drain _, Intent.Rebalance _, Intent.Lose _ ->
          access.require(Action.PLAN, Target.CLUSTER);
    }
    Plan plan = cluster.plan(intent);
    return new Plan(
        plan.changes().stream().filter(change -> sees(targets.of(change.unit()))).toList(),
        plan.evening(),
        plan.refusal());
  }

  @Override
  public List<Setting> settings() {
    return cluster.settings();
  }

  @Override
  public ClusterBackup backup() {
    access.require(Action.BACKUP, Target.CLUSTER);
    return cluster.backup();
  }

  /**
   * Answers as for a machine that does not have what the subject may not see there. An order that
   * the subject may not give is refused.
   */
  @Override
  public Optional<Answer> ask(String machine, Question question) {
    boolean allowed =
        switch (question) {
          case Question.Status status ->
              access.allows(Action.STATUS, targets.on(status.unit(), machine));
          case Question.Journal journal ->
              access.allows(Action.JOURNAL, targets.on(journal.unit(), machine));
          case Question.JournalEntries entries -> allowed(entries, machine);
          case Question.FilteredEntries filtered -> allowed(filtered.entries(), machine);
          case Question.Audit _ -> access.allows(Action.AUDIT, Target.CLUSTER);
          case Question.Usage _ -> sees(targets.machine(machine));
          case Question.Systemctl call -> {
            access.require(Action.RESTART, targets.on(call.unit(), machine));
            yield true;
          }
          case Question.Exec _, Question.ExecInput _, Question.ExecWindow _ -> {
            access.require(Action.EXEC, targets.machine(machine));
            yield true;
          }
        };
    return allowed ? cluster.ask(machine, scoped(question)) : Optional.empty();
  }

  private boolean allowed(Question.JournalEntries entries, String machine) {
    return !entries.units().isEmpty()
        && entries.units().stream()
            .allMatch(unit -> access.allows(Action.JOURNAL, targets.on(unit, machine)));
  }

  /** The units of a machine come without a name to judge them by. */
  private Question scoped(Question question) {
    return question instanceof Question.Usage usage && !access.seesAllUnits()
        ? new Question.Usage(false, usage.interval(), usage.samples())
        : question;
  }

  /** Passes on everything: {@link EventFilter} leaves out what the subject may not see. */
  @Override
  public EventStream follow(EventsFrom from) {
    return cluster.follow(from);
  }

  // ---- commands

  @Override
  public List<PutResult> put(List<UnitPut> puts, Caller caller) {
    puts.forEach(put -> require(action(put), put));
    return cluster.put(puts, caller);
  }

  private static Action action(UnitPut put) {
    if (put.file().isPresent() || put.set().isPresent()) {
      return Action.SUBMIT;
    }
    return put.desired().filter(state -> state == DesiredState.LAUNCHED).isPresent()
        ? Action.START
        : Action.STOP;
  }

  /** Both the present and the new unit must be within the limits. */
  private void require(Action action, UnitPut put) {
    access.require(action, targets.of(put));
    cluster.unit(put.name()).ifPresent(view -> access.require(action, targets.of(view)));
  }

  @Override
  public DestroyResult destroy(UnitName name, DestroyCondition condition, Caller caller) {
    access.require(Action.DESTROY, targets.of(name));
    return cluster.destroy(name, condition, caller);
  }

  @Override
  public StartResult restart(UnitName name, Caller caller) {
    access.require(Action.RESTART, targets.of(name));
    return cluster.restart(name, caller);
  }

  @Override
  public StartResult startAgain(UnitName name, Caller caller) {
    access.require(Action.START, targets.of(name));
    return cluster.startAgain(name, caller);
  }

  @Override
  public void changeMetadata(List<MetadataChange> changes, Caller caller) {
    changes.forEach(change -> access.require(Action.MACHINES, targets.machine(change.machine())));
    cluster.changeMetadata(changes, caller);
  }

  @Override
  public boolean cordon(String machine, boolean cordoned, Caller caller) {
    access.require(Action.MACHINES, targets.machine(machine));
    return cluster.cordon(machine, cordoned, caller);
  }

  @Override
  public Maintenance maintain(String machine, Duration time, Caller caller) {
    access.require(Action.MACHINES, targets.machine(machine));
    return cluster.maintain(machine, time, caller);
  }

  @Override
  public boolean endMaintenance(String machine, Caller caller) {
    access.require(Action.MACHINES, targets.machine(machine));
    return cluster.endMaintenance(machine, caller);
  }

  @Override
  public boolean drain(String machine, int maxUnavailable, Caller caller) {
    access.require(Action.DRAIN, targets.machine(machine));
    return cluster.drain(machine, maxUnavailable, caller);
  }

  @Override
  public <R> R begin(NewOperation<R> wanted, Caller caller) {
    Action action = Action.of(wanted.id().kind());
    wanted.puts().forEach(put -> access.require(action, targets.of(put)));
    require(wanted.id());
    return cluster.begin(wanted, caller);
  }

  /** All units that a rollout or restart changes. */
  private List<Target.OfUnit> changedUnits(UnitName name) {
    List<UnitView> units =
        name.isTemplate()
            ? cluster.units().stream()
                .filter(view -> view.unit().name().template().filter(name::equals).isPresent())
                .toList()
            : cluster.unit(name).stream().toList();
    return units.isEmpty()
        ? List.of(new Target.OfUnit(name, List.of()))
        : units.stream().map(targets::of).toList();
  }

  @Override
  public OperationChanged change(OperationId id, OperationChange change, Caller caller) {
    require(id);
    return cluster.change(id, change, caller);
  }

  private void require(OperationId id) {
    Action action = Action.of(id.kind());
    switch (id.kind().scope()) {
      case CLUSTER -> access.require(action, Target.CLUSTER);
      case MACHINE -> access.require(action, targets.machine(id.subject()));
      case UNITS -> changedUnits(id.unit()).forEach(unit -> access.require(action, unit));
    }
  }

  @Override
  public boolean forget(String machine, boolean maybePresent, Caller caller) {
    access.require(Action.MACHINES, Target.CLUSTER);
    return cluster.forget(machine, maybePresent, caller);
  }

  @Override
  public boolean resume(Caller caller) {
    access.require(Action.MACHINES, Target.CLUSTER);
    return cluster.resume(caller);
  }

  @Override
  public Optional<String> set(String setting, String value, Caller caller) {
    access.require(Action.CONFIG, Target.CLUSTER);
    return cluster.set(setting, value, caller);
  }

  @Override
  public Optional<String> unset(String setting, Caller caller) {
    access.require(Action.CONFIG, Target.CLUSTER);
    return cluster.unset(setting, caller);
  }
}
