package fleet.cluster.rpc;

import fleet.cluster.Absences;
import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.DrainProgress;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.cluster.Intent;
import fleet.cluster.MachineView;
import fleet.cluster.MetadataChange;
import fleet.cluster.NewRollout;
import fleet.cluster.NotLeadingException;
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
import fleet.cluster.UncertainLeadException;
import fleet.cluster.UnitPut;
import fleet.cluster.UnitView;
import fleet.core.operation.Rollout;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The cluster of a fleetd that has the registry and may lead: what is to be written is written
 * here, whoever leads; what is to be read is read here where this fleetd's engine leads, and else
 * where all of it is: with the leader that machines speak to, or in the registry. Safe for use by
 * many threads.
 */
public final class ForwardingCluster implements Cluster {

  /** For how long a leader waits for its store: longer than etcd mostly takes to find its own. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Cluster own;
  private final Supplier<Cluster> elsewhere;
  private final Duration patience;

  /** How each of them is asked. */
  private final UnaryOperator<Cluster> view;

  /**
   * Forwards.
   *
   * @param own throws {@link NotLeadingException} where another engine leads
   * @param elsewhere where all is to be read while another engine leads, asked for at each such
   *     call: the way to the leader, or what the registry shows
   */
  public ForwardingCluster(Cluster own, Supplier<Cluster> elsewhere) {
    this(own, elsewhere, PATIENCE);
  }

  /**
   * As the other.
   *
   * @param patience for how long this engine is asked again that is not certain of its lead
   */
  ForwardingCluster(Cluster own, Supplier<Cluster> elsewhere, Duration patience) {
    this(own, elsewhere, patience, UnaryOperator.identity());
  }

  private ForwardingCluster(
      Cluster own, Supplier<Cluster> elsewhere, Duration patience, UnaryOperator<Cluster> view) {
    this.own = own;
    this.elsewhere = elsewhere;
    this.patience = patience;
    this.view = view;
  }

  @Override
  public Cluster evenIfStale(Consumer<Instant> told) {
    return new ForwardingCluster(own, elsewhere, patience, cluster -> cluster.evenIfStale(told));
  }

  /**
   * A leader that does not reach the store would be told by that who leads now: it is asked again,
   * which waits a moment each time, until it knows or has had its time.
   */
  private <T> T led(Function<Cluster, T> call) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        return ledNow(call);
      } catch (UncertainLeadException e) {
        if (System.nanoTime() - deadline >= 0) {
          throw new ClusterUnavailableException(String.valueOf(e.getMessage()), e);
        }
      }
    }
  }

  private <T> T ledNow(Function<Cluster, T> call) {
    try {
      return call.apply(view.apply(own));
    } catch (UncertainLeadException e) {
      throw e;
    } catch (NotLeadingException e) {
      return led(call, elsewhere.get());
    }
  }

  /** Who leads may have changed meanwhile to one that is asked in another way. */
  private <T> T led(Function<Cluster, T> call, Cluster asked) {
    try {
      return call.apply(view.apply(asked));
    } catch (ClusterUnavailableException e) {
      Cluster now = elsewhere.get();
      if (now.equals(asked)) {
        throw e;
      }
      return call.apply(view.apply(now));
    }
  }

  @Override
  public List<UnitView> units() {
    return led(Cluster::units);
  }

  @Override
  public Optional<UnitView> unit(UnitName name) {
    return led(cluster -> cluster.unit(name));
  }

  @Override
  public List<UnitView> units(Set<UnitName> names) {
    return led(cluster -> cluster.units(names));
  }

  @Override
  public Optional<DrainProgress> drain(String machine) {
    return led(cluster -> cluster.drain(machine));
  }

  @Override
  public List<Rollout> rollouts() {
    return led(Cluster::rollouts);
  }

  @Override
  public Optional<RolloutProgress> rollout(UnitName name) {
    return led(cluster -> cluster.rollout(name));
  }

  /** Which instances there are is to be seen where the picture is. */
  @Override
  public RolloutResult rollOut(NewRollout rollout, Caller caller) {
    return led(cluster -> cluster.rollOut(rollout, caller));
  }

  @Override
  public Optional<Boolean> changeRollout(UnitName rollout, RolloutChange change, Caller caller) {
    return own.changeRollout(rollout, change, caller);
  }

  @Override
  public Optional<RebalanceProgress> rebalance() {
    return led(Cluster::rebalance);
  }

  @Override
  public Plan plan(Intent intent) {
    return led(cluster -> cluster.plan(intent));
  }

  @Override
  public Optional<Reasons> why(UnitName unit) {
    return led(cluster -> cluster.why(unit));
  }

  @Override
  public States states() {
    return led(Cluster::states);
  }

  @Override
  public List<UnitState> states(Set<UnitName> units) {
    return led(cluster -> cluster.states(units));
  }

  @Override
  public List<MachineView> machines() {
    return led(Cluster::machines);
  }

  @Override
  public Tally tally() {
    return led(Cluster::tally);
  }

  @Override
  public Absences absences() {
    return led(Cluster::absences);
  }

  @Override
  public List<PutResult> put(List<UnitPut> puts, Caller caller) {
    return own.put(puts, caller);
  }

  @Override
  public boolean destroy(UnitName name, Caller caller) {
    return own.destroy(name, caller);
  }

  @Override
  public StartResult restart(UnitName name, Caller caller) {
    return own.restart(name, caller);
  }

  /** Whether there is anything to start is to be seen where the states are. */
  @Override
  public StartResult startAgain(UnitName name, Caller caller) {
    return led(cluster -> cluster.startAgain(name, caller));
  }

  @Override
  public void changeMetadata(List<MetadataChange> changes, Caller caller) {
    own.changeMetadata(changes, caller);
  }

  @Override
  public boolean cordon(String machine, boolean cordoned, Caller caller) {
    return own.cordon(machine, cordoned, caller);
  }

  @Override
  public boolean drain(String machine, int maxUnavailable, Caller caller) {
    return own.drain(machine, maxUnavailable, caller);
  }

  /** Which units may move is to be seen where the states are. */
  @Override
  public RebalanceStart startRebalance(Intent.Rebalance wish, Caller caller) {
    return led(cluster -> cluster.startRebalance(wish, caller));
  }

  @Override
  public boolean stopRebalance(Caller caller) {
    return own.stopRebalance(caller);
  }

  @Override
  public boolean resume(Caller caller) {
    return own.resume(caller);
  }

  @Override
  public List<Setting> settings() {
    return led(Cluster::settings);
  }

  @Override
  public Optional<String> set(String setting, String value, Caller caller) {
    return own.set(setting, value, caller);
  }

  @Override
  public Optional<Answer> ask(String machine, Question question) {
    return led(cluster -> cluster.ask(machine, question));
  }

  @Override
  public EventStream follow(EventsFrom from) {
    return led(cluster -> cluster.follow(from));
  }
}
