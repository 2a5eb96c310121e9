package fleet.daemon;

import fleet.cluster.Absences;
import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.DrainProgress;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.cluster.Intent;
import fleet.cluster.MachineView;
import fleet.cluster.MetadataChange;
import fleet.cluster.NewRollout;
import fleet.cluster.Plan;
import fleet.cluster.PutResult;
import fleet.cluster.Reasons;
import fleet.cluster.RebalanceProgress;
import fleet.cluster.RebalanceStart;
import fleet.cluster.RolloutChange;
import fleet.cluster.RolloutProgress;
import fleet.cluster.RolloutResult;
import fleet.cluster.Setting;
import fleet.cluster.StartResult;
import fleet.cluster.States;
import fleet.cluster.Tally;
import fleet.cluster.UnitPut;
import fleet.cluster.UnitView;
import fleet.core.operation.Rollout;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A cluster that is there later than the API that serves it. Safe for use by many threads.
 *
 * @param there asked at each call; throws {@link fleet.cluster.ClusterUnavailableException} as long
 *     as it is not there
 */
record AwaitedCluster(Supplier<Cluster> there) implements Cluster {

  @Override
  public Cluster evenIfStale(Consumer<Instant> told) {
    return new AwaitedCluster(() -> there.get().evenIfStale(told));
  }

  @Override
  public List<UnitView> units() {
    return there.get().units();
  }

  @Override
  public Optional<UnitView> unit(UnitName name) {
    return there.get().unit(name);
  }

  @Override
  public List<UnitView> units(Set<UnitName> names) {
    return there.get().units(names);
  }

  @Override
  public Optional<Reasons> why(UnitName unit) {
    return there.get().why(unit);
  }

  @Override
  public States states() {
    return there.get().states();
  }

  @Override
  public List<UnitState> states(Set<UnitName> units) {
    return there.get().states(units);
  }

  @Override
  public List<MachineView> machines() {
    return there.get().machines();
  }

  @Override
  public Tally tally() {
    return there.get().tally();
  }

  @Override
  public Absences absences() {
    return there.get().absences();
  }

  @Override
  public Optional<DrainProgress> drain(String machine) {
    return there.get().drain(machine);
  }

  @Override
  public List<Rollout> rollouts() {
    return there.get().rollouts();
  }

  @Override
  public Optional<RolloutProgress> rollout(UnitName name) {
    return there.get().rollout(name);
  }

  @Override
  public Optional<RebalanceProgress> rebalance() {
    return there.get().rebalance();
  }

  @Override
  public Plan plan(Intent intent) {
    return there.get().plan(intent);
  }

  @Override
  public List<PutResult> put(List<UnitPut> puts, Caller caller) {
    return there.get().put(puts, caller);
  }

  @Override
  public boolean destroy(UnitName name, Caller caller) {
    return there.get().destroy(name, caller);
  }

  @Override
  public StartResult restart(UnitName name, Caller caller) {
    return there.get().restart(name, caller);
  }

  @Override
  public StartResult startAgain(UnitName name, Caller caller) {
    return there.get().startAgain(name, caller);
  }

  @Override
  public void changeMetadata(List<MetadataChange> changes, Caller caller) {
    there.get().changeMetadata(changes, caller);
  }

  @Override
  public boolean cordon(String machine, boolean cordoned, Caller caller) {
    return there.get().cordon(machine, cordoned, caller);
  }

  @Override
  public boolean drain(String machine, int maxUnavailable, Caller caller) {
    return there.get().drain(machine, maxUnavailable, caller);
  }

  @Override
  public RolloutResult rollOut(NewRollout rollout, Caller caller) {
    return there.get().rollOut(rollout, caller);
  }

  @Override
  public Optional<Boolean> changeRollout(UnitName rollout, RolloutChange change, Caller caller) {
    return there.get().changeRollout(rollout, change, caller);
  }

  @Override
  public RebalanceStart startRebalance(Intent.Rebalance wish, Caller caller) {
    return there.get().startRebalance(wish, caller);
  }

  @Override
  public boolean stopRebalance(Caller caller) {
    return there.get().stopRebalance(caller);
  }

  @Override
  public boolean resume(Caller caller) {
    return there.get().resume(caller);
  }

  @Override
  public List<Setting> settings() {
    return there.get().settings();
  }

  @Override
  public Optional<String> set(String setting, String value, Caller caller) {
    return there.get().set(setting, value, caller);
  }

  @Override
  public Optional<Answer> ask(String machine, Question question) {
    return there.get().ask(machine, question);
  }

  @Override
  public EventStream follow(EventsFrom from) {
    return there.get().follow(from);
  }
}
