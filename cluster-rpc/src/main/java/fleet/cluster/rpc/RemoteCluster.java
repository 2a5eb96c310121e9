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
import fleet.core.machine.Drain;
import fleet.core.operation.Evenness;
import fleet.core.operation.Rebalance;
import fleet.core.operation.Rollout;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.rpc.RpcChannels;
import fleet.rpc.message.MachineMessages;
import fleet.rpc.message.MalformedMessageException;
import fleet.rpc.v1.Command;
import fleet.rpc.v1.CommandDone;
import fleet.rpc.v1.Found;
import fleet.rpc.v1.FoundAbsence;
import fleet.rpc.v1.FoundChange;
import fleet.rpc.v1.FoundDrainedUnit;
import fleet.rpc.v1.FoundMove;
import fleet.rpc.v1.FoundPromise;
import fleet.rpc.v1.FoundRollout;
import fleet.rpc.v1.FoundState;
import fleet.rpc.v1.FoundUnit;
import fleet.rpc.v1.FoundUnreported;
import fleet.rpc.v1.Query;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster as its leader serves it, wherever that is. Where the leader changes, the next one is
 * asked, also for a question that was under way; a command is repeated only where doing it twice is
 * doing it once, or where it is certain that nothing was done. Safe for use by many threads.
 */
public final class RemoteCluster implements Cluster, AutoCloseable {

  /** The registry may take its time to make a command durable. */
  private static final long TELL_SECONDS = 20;

  /** A picture may have to come to a revision first. */
  private static final long FIRST_PART_SECONDS = 8;

  private static final long NEXT_PART_SECONDS = 30;

  /**
   * For how long one who does not mind old news looks for somebody who has others: the leader that
   * was asked last may be cut off from the store while another leads.
   */
  private static final Duration NEWS = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(RemoteCluster.class);

  private final LeaderCalls calls;
  private final LongSupplier written;

  /** Who hears that an answer may be old; empty where such are not asked for. */
  private final Optional<Consumer<Instant>> stale;

  /**
   * Asks through channels that are opened for it.
   *
   * @param written the newest revision of the store that this fleetd has written itself, which
   *     queries are to see; 0 for none
   * @param patience for how long a leader is looked for
   */
  public RemoteCluster(
      Leaders leaders, RpcChannels channels, LongSupplier written, Duration patience) {
    this(new LeaderCalls(leaders, channels, patience), written, Optional.empty());
  }

  private RemoteCluster(
      LeaderCalls calls, LongSupplier written, Optional<Consumer<Instant>> stale) {
    this.calls = calls;
    this.written = written;
    this.stale = stale;
  }

  @Override
  public Cluster evenIfStale(Consumer<Instant> told) {
    return new RemoteCluster(calls, written, Optional.of(told));
  }

  @Override
  public void close() {
    calls.close();
  }

  // ---- queries

  @Override
  public List<UnitView> units() {
    return units(Query.Units.newBuilder().setAll(true).build());
  }

  @Override
  public List<UnitView> units(Set<UnitName> names) {
    return names.isEmpty() ? List.of() : units(named(names));
  }

  @Override
  public Optional<UnitView> unit(UnitName name) {
    return units(Set.of(name)).stream().findFirst();
  }

  private List<UnitView> units(Query.Units asked) {
    return List.copyOf(look(query().setUnits(asked), UnitsRead::new).units);
  }

  /** Gathers units. */
  private static final class UnitsRead implements Reading {
    private final List<UnitView> units = new ArrayList<>();
    private final UnitFiles.Received files = new UnitFiles.Received();

    @Override
    public void read(Found part) throws MalformedMessageException {
      for (String file : part.getFilesList()) {
        files.add(file);
      }
      for (FoundUnit unit : part.getUnitsList()) {
        units.add(ViewMessages.view(unit, files));
      }
    }
  }

  @Override
  public Optional<DrainProgress> drain(String machine) {
    DrainRead read = look(query().setDrain(machine), DrainRead::new);
    return read.drain.map(drain -> new DrainProgress(drain, read.units));
  }

  /** Gathers what is still on a machine that is drained. */
  private static final class DrainRead implements Reading {
    private Optional<Drain> drain = Optional.empty();
    private final List<DrainProgress.OfUnit> units = new ArrayList<>();

    @Override
    public void read(Found part) throws MalformedMessageException {
      if (part.hasDrain()) {
        drain = Optional.of(DrainMessages.drain(part.getDrain()));
      }
      for (FoundDrainedUnit unit : part.getDrainedUnitsList()) {
        units.add(DrainMessages.unit(unit));
      }
    }
  }

  @Override
  public List<Rollout> rollouts() {
    Query.Rollouts all = Query.Rollouts.getDefaultInstance();
    return List.copyOf(look(query().setRollouts(all), RolloutsRead::new).rollouts);
  }

  /** Gathers rollouts. */
  private static final class RolloutsRead implements Reading {
    private final List<Rollout> rollouts = new ArrayList<>();

    @Override
    public void read(Found part) throws MalformedMessageException {
      for (FoundRollout rollout : part.getRolloutsList()) {
        rollouts.add(RolloutMessages.rollout(rollout));
      }
    }
  }

  @Override
  public Optional<RolloutProgress> rollout(UnitName name) {
    Query.Rollouts one = Query.Rollouts.newBuilder().setName(name.value()).build();
    return look(query().setRollouts(one), RolloutRead::new).rollout.progress();
  }

  /** Gathers how far a rollout is. */
  private static final class RolloutRead implements Reading {
    private final RolloutMessages.Received rollout = new RolloutMessages.Received();

    @Override
    public void read(Found part) throws MalformedMessageException {
      for (FoundRollout message : part.getRolloutsList()) {
        rollout.add(message);
      }
    }
  }

  @Override
  public Optional<RebalanceProgress> rebalance() {
    Query.Rebalance last = Query.Rebalance.getDefaultInstance();
    RebalanceRead read = look(query().setRebalance(last), RebalanceRead::new);
    return read.rebalance.map(rebalance -> new RebalanceProgress(rebalance, read.now, read.units));
  }

  /** Gathers what becomes of the units of a rebalance. */
  private static final class RebalanceRead implements Reading {
    private Optional<Rebalance> rebalance = Optional.empty();
    private Evenness now = new Evenness(0, 0);
    private final List<RebalanceProgress.OfUnit> units = new ArrayList<>();

    @Override
    public void read(Found part) throws MalformedMessageException {
      if (part.hasRebalance()) {
        rebalance = Optional.of(RebalanceMessages.rebalance(part.getRebalance()));
        now = RebalanceMessages.evenness(part.getRebalance().getNow());
      }
      for (FoundMove move : part.getMovesList()) {
        units.add(RebalanceMessages.unit(move));
      }
    }
  }

  @Override
  public Plan plan(Intent intent) {
    PlanRead read = look(query().setPlan(PlanMessages.message(intent)), PlanRead::new);
    return new Plan(read.changes, read.evening, read.refusal);
  }

  /** Gathers what would follow. */
  private static final class PlanRead implements Reading {
    private final List<Plan.Change> changes = new ArrayList<>();
    private Optional<Plan.Evening> evening = Optional.empty();
    private String refusal = "";

    @Override
    public void read(Found part) throws MalformedMessageException {
      if (part.hasEvening()) {
        evening = Optional.of(RebalanceMessages.evening(part.getEvening()));
      }
      refusal += part.getRefusal();
      for (FoundChange change : part.getChangesList()) {
        changes.add(PlanMessages.change(change));
      }
    }
  }

  @Override
  public Optional<Reasons> why(UnitName unit) {
    return look(query().setWhy(unit.value()), ReasonsRead::new).reasons;
  }

  /** Takes what there is to say of one unit. */
  private static final class ReasonsRead implements Reading {
    private Optional<Reasons> reasons = Optional.empty();

    @Override
    public void read(Found part) throws MalformedMessageException {
      if (part.hasReasons()) {
        reasons = Optional.of(ReasonMessages.reasons(part.getReasons()));
      }
    }
  }

  @Override
  public States states() {
    StatesRead read = states(Query.Units.newBuilder().setAll(true).build());
    return new States(read.reported, read.unreported);
  }

  @Override
  public List<UnitState> states(Set<UnitName> units) {
    return units.isEmpty() ? List.of() : List.copyOf(states(named(units)).reported);
  }

  private StatesRead states(Query.Units asked) {
    return look(query().setStates(asked), StatesRead::new);
  }

  /** Gathers states, and how many are missing. */
  private static final class StatesRead implements Reading {
    private final List<UnitState> reported = new ArrayList<>();
    private final SortedMap<String, Integer> unreported = new TreeMap<>();

    @Override
    public void read(Found part) throws MalformedMessageException {
      for (FoundState state : part.getStatesList()) {
        reported.add(ViewMessages.state(state));
      }
      for (FoundUnreported machine : part.getUnreportedList()) {
        unreported.put(machine.getMachine(), machine.getUnits());
      }
    }
  }

  @Override
  public List<MachineView> machines() {
    Query.Machines all = Query.Machines.getDefaultInstance();
    return List.copyOf(look(query().setMachines(all), MachinesRead::new).machines);
  }

  /** Gathers machines. */
  private static final class MachinesRead implements Reading {
    private final List<MachineView> machines = new ArrayList<>();

    @Override
    public void read(Found part) throws MalformedMessageException {
      Map<String, FoundPromise> promises = new HashMap<>();
      for (FoundPromise promise : part.getPromisesList()) {
        promises.put(promise.getMachine(), promise);
      }
      for (fleet.rpc.v1.Machine machine : part.getMachinesList()) {
        machines.add(
            ViewMessages.machine(MachineMessages.machine(machine), promises.get(machine.getId())));
      }
    }
  }

  @Override
  public Tally tally() {
    return look(query().setTally(Query.Tally.getDefaultInstance()), TallyRead::new).tally;
  }

  /** Takes how many there are. */
  private static final class TallyRead implements Reading {
    private Tally tally = new Tally(0, 0, Collections.emptySortedMap());

    @Override
    public void read(Found part) {
      if (part.hasTally()) {
        tally = ViewMessages.tally(part.getTally());
      }
    }
  }

  @Override
  public Absences absences() {
    Query.Absent all = Query.Absent.getDefaultInstance();
    AbsencesRead read = look(query().setAbsent(all), AbsencesRead::new);
    return new Absences(read.machines, read.pause);
  }

  /** Gathers machines that are not there. */
  private static final class AbsencesRead implements Reading {
    private final List<Absences.Absent> machines = new ArrayList<>();
    private Optional<Absences.Pause> pause = Optional.empty();

    @Override
    public void read(Found part) throws MalformedMessageException {
      for (FoundAbsence absence : part.getAbsencesList()) {
        machines.add(ViewMessages.absent(absence));
      }
      if (part.hasPause()) {
        pause = Optional.of(ViewMessages.pause(part.getPause()));
      }
    }
  }

  @Override
  public List<Setting> settings() {
    Query.Settings all = Query.Settings.getDefaultInstance();
    return List.copyOf(look(query().setSettings(all), SettingsRead::new).settings);
  }

  /** Gathers settings. */
  private static final class SettingsRead implements Reading {
    private final List<Setting> settings = new ArrayList<>();

    @Override
    public void read(Found part) {
      part.getSettingsList().forEach(setting -> settings.add(ViewMessages.setting(setting)));
    }
  }

  private static Query.Units named(Set<UnitName> names) {
    Query.Units.Builder asked = Query.Units.newBuilder();
    names.forEach(name -> asked.addNames(name.value()));
    return asked.build();
  }

  private Query.Builder query() {
    return Query.newBuilder().setAtLeast(written.getAsLong());
  }

  /** Gathers the parts of one answer. */
  private interface Reading {
    void read(Found part) throws MalformedMessageException;
  }

  /**
   * Asks, perhaps several times.
   *
   * @param begins makes a reading for each attempt
   */
  private <R extends Reading> R look(Query.Builder query, Supplier<R> begins) {
    if (stale.isEmpty()) {
      return calls.repeat(looking(query.build(), begins)).reading();
    }
    try {
      return calls.repeatWithin(NEWS, looking(query.build(), begins)).reading();
    } catch (ClusterUnavailableException e) {
      log.debug("asking for what was known: {}", e.getMessage());
      return lookEvenIfStale(query.setEvenIfStale(true).build(), begins, stale.get());
    }
  }

  private <R extends Reading> R lookEvenIfStale(
      Query query, Supplier<R> begins, Consumer<Instant> told) {
    Whole<R> whole = calls.repeat(looking(query, begins));
    // Not what a leader said whose answer broke off: the next one may know better.
    whole.staleSince().ifPresent(told);
    return whole.reading();
  }

  /**
   * An answer that has come to its end.
   *
   * @param staleSince since when it may be old; empty where it is not
   */
  private record Whole<R>(R reading, Optional<Instant> staleSince) {}

  private static <R extends Reading> LeaderCalls.Call<Whole<R>> looking(
      Query query, Supplier<R> begins) {
    return (channel, options) -> {
      BlockingClientCall<Query, Found> call =
          ClientCalls.blockingV2ServerStreamingCall(channel, ClusterMethods.LOOK, options, query);
      try {
        R reading = begins.get();
        Optional<Instant> staleSince = Optional.empty();
        Found part = call.read(FIRST_PART_SECONDS, TimeUnit.SECONDS);
        while (part != null) {
          reading.read(part);
          if (part.getStaleSince() > 0) {
            staleSince = Optional.of(Instant.ofEpochMilli(part.getStaleSince()));
          }
          part = call.read(NEXT_PART_SECONDS, TimeUnit.SECONDS);
        }
        return new Whole<>(reading, staleSince);
      } finally {
        call.cancel("done", null);
      }
    };
  }

  // ---- commands

  @Override
  public List<PutResult> put(List<UnitPut> puts, Caller caller) {
    Command command = by(caller).setPuts(PutMessages.message(puts)).build();
    // Without a desired state, the second time would be refused.
    return puts.stream().allMatch(put -> put.desired().isPresent())
        ? calls.repeat(telling(command, RemoteCluster::results))
        : calls.once(telling(command, RemoteCluster::results));
  }

  private static List<PutResult> results(CommandDone done) {
    return done.getResultsList().stream().map(PutResult::valueOf).toList();
  }

  @Override
  public boolean destroy(UnitName name, Caller caller) {
    return truth(by(caller).setDestroy(name.value()).build());
  }

  @Override
  public StartResult restart(UnitName name, Caller caller) {
    Command command = by(caller).setRestart(name.value()).build();
    return calls.once(telling(command, done -> StartResult.valueOf(done.getResult())));
  }

  @Override
  public StartResult startAgain(UnitName name, Caller caller) {
    Command command = by(caller).setStartAgain(name.value()).build();
    return calls.repeat(telling(command, done -> StartResult.valueOf(done.getResult())));
  }

  @Override
  public void changeMetadata(List<MetadataChange> changes, Caller caller) {
    Command.Metadata.Builder metadata = Command.Metadata.newBuilder();
    for (MetadataChange change : changes) {
      Command.Change.Builder one =
          Command.Change.newBuilder().setMachine(change.machine()).setKey(change.key());
      switch (change) {
        case MetadataChange.Set set -> one.setValue(set.value());
        case MetadataChange.Remove _ -> {
          // Said by the value that is not there.
        }
      }
      metadata.addChanges(one);
    }
    String _ =
        calls.repeat(telling(by(caller).setMetadata(metadata).build(), CommandDone::getResult));
  }

  @Override
  public boolean cordon(String machine, boolean cordoned, Caller caller) {
    Command.Cordon cordon =
        Command.Cordon.newBuilder().setMachine(machine).setCordoned(cordoned).build();
    return truth(by(caller).setCordon(cordon).build());
  }

  @Override
  public boolean drain(String machine, int maxUnavailable, Caller caller) {
    Command.Drain drain =
        Command.Drain.newBuilder().setMachine(machine).setMaxUnavailable(maxUnavailable).build();
    return truth(by(caller).setDrain(drain).build());
  }

  /** The second time it would be told that the first one goes on. */
  @Override
  public RolloutResult rollOut(NewRollout rollout, Caller caller) {
    Command command =
        by(caller).setRollOut(RolloutMessages.message(rollout, written.getAsLong())).build();
    return calls.once(telling(command, done -> RolloutResult.valueOf(done.getResult())));
  }

  @Override
  public Optional<Boolean> changeRollout(UnitName rollout, RolloutChange change, Caller caller) {
    Command command = by(caller).setChangeRollout(RolloutMessages.message(rollout, change)).build();
    LeaderCalls.Repeated<String> done =
        calls.repeatKnowingly(telling(command, CommandDone::getResult));
    return Optional.of(done.result())
        .filter(result -> !result.isEmpty())
        .map(result -> Boolean.parseBoolean(result) || done.perhapsDoneBefore());
  }

  /** Where the first attempt may have begun it, the second finds it under way. */
  @Override
  public RebalanceStart startRebalance(Intent.Rebalance wish, Caller caller) {
    Command command = by(caller).setRebalance(RebalanceMessages.message(wish)).build();
    LeaderCalls.Repeated<RebalanceStart> done =
        calls.repeatKnowingly(telling(command, RebalanceMessages::start));
    return done.perhapsDoneBefore() && done.result().kind() == RebalanceStart.Kind.UNDER_WAY
        ? new RebalanceStart(RebalanceStart.Kind.BEGUN, "")
        : done.result();
  }

  @Override
  public boolean stopRebalance(Caller caller) {
    return truth(by(caller).setStopRebalance(Command.StopRebalance.getDefaultInstance()).build());
  }

  @Override
  public boolean resume(Caller caller) {
    return truth(by(caller).setResume(Command.Resume.getDefaultInstance()).build());
  }

  @Override
  public Optional<String> set(String setting, String value, Caller caller) {
    Command.Setting set = Command.Setting.newBuilder().setName(setting).setValue(value).build();
    String refusal = calls.repeat(telling(by(caller).setSet(set).build(), CommandDone::getResult));
    return Optional.of(refusal).filter(why -> !why.isEmpty());
  }

  /** Where the first attempt may have done it, the second finds nothing to do. */
  private boolean truth(Command command) {
    LeaderCalls.Repeated<Boolean> done =
        calls.repeatKnowingly(telling(command, answer -> Boolean.parseBoolean(answer.getResult())));
    return done.result() || done.perhapsDoneBefore();
  }

  private static Command.Builder by(Caller caller) {
    return Command.newBuilder().setCaller(caller.name());
  }

  private interface Meaning<T> {
    T of(CommandDone done);
  }

  private static <T> LeaderCalls.Call<T> telling(Command command, Meaning<T> meaning) {
    return (channel, options) -> {
      CommandDone done =
          ClientCalls.blockingV2UnaryCall(
              channel,
              ClusterMethods.TELL,
              options.withDeadlineAfter(TELL_SECONDS, TimeUnit.SECONDS),
              command);
      try {
        return meaning.of(done);
      } catch (IllegalArgumentException e) {
        throw new ClusterUnavailableException(
            "it is done, but with a result that this fleetd is too old to know: "
                + done.getResult()
                + done.getResultsList(),
            e);
      }
    };
  }

  // ---- streams

  @Override
  public Optional<Answer> ask(String machine, Question question) {
    return RemoteAnswer.ask(calls, machine, question);
  }

  @Override
  public EventStream follow(EventsFrom from) {
    return RemoteEvents.open(calls, from);
  }
}
