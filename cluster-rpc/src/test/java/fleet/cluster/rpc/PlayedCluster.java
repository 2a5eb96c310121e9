package fleet.cluster.rpc;

import fleet.cluster.Absences;
import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.DrainProgress;
import fleet.cluster.Event;
import fleet.cluster.EventId;
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
import fleet.cluster.UncertainLeadException;
import fleet.cluster.UnitPut;
import fleet.cluster.UnitView;
import fleet.core.desired.Unit;
import fleet.core.operation.Rollout;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** A cluster with which happens what a test says. */
final class PlayedCluster implements Cluster {

  static final Instant TIME = Instant.parse("2026-01-01T00:00:00.123456789Z");

  final Map<UnitName, UnitView> units = new ConcurrentSkipListMap<>();
  final List<UnitState> states = new CopyOnWriteArrayList<>();
  final SortedMap<String, Integer> unreported = new ConcurrentSkipListMap<>();
  final List<Setting> settings = new CopyOnWriteArrayList<>();
  Optional<Reasons> reasons = Optional.empty();
  Optional<DrainProgress> drain = Optional.empty();
  final List<RolloutProgress> rollouts = new CopyOnWriteArrayList<>();
  Optional<RebalanceProgress> rebalance = Optional.empty();
  RebalanceStart started = new RebalanceStart(RebalanceStart.Kind.BEGUN, "");
  final List<Intent> intents = new CopyOnWriteArrayList<>();
  Plan plan = new Plan(List.of());
  final List<MachineView> machines = new CopyOnWriteArrayList<>();
  final List<String> commands = new CopyOnWriteArrayList<>();
  final BlockingQueue<EventStream> closedStreams = new LinkedBlockingQueue<>();

  /** Called before anything is answered. */
  volatile Runnable before = () -> {};

  private volatile Optional<Instant> staleSince = Optional.empty();

  volatile Tally tally = new Tally(0, 0, new TreeMap<>());
  volatile Absences absences = new Absences(List.of(), Optional.empty());
  volatile BiFunction<String, Question, Optional<Answer>> answers = (_, _) -> Optional.empty();

  private final String epoch;
  private final List<Event> events = new ArrayList<>();
  private final List<Stream> streams = new CopyOnWriteArrayList<>();

  PlayedCluster(String epoch) {
    this.epoch = epoch;
  }

  static UnitFile file(String text) {
    try {
      return UnitFile.parse(text);
    } catch (UnitFileSyntaxException e) {
      throw new IllegalArgumentException(e);
    }
  }

  static UnitView view(String name, UnitFile file) {
    Unit unit =
        new Unit(
            UnitName.of(name),
            new Incarnation("i-" + name),
            file,
            DesiredState.LAUNCHED,
            7,
            "user root",
            TIME,
            List.of("MachineMetadata=region=eu", "Memory=1G"));
    return new UnitView(
        unit,
        Optional.of(DesiredState.LOADED),
        Optional.of("m1"),
        false,
        "",
        false,
        "least loaded",
        Optional.of("m2"));
  }

  static UnitState state(String unit, String machine) {
    return new UnitState(
        UnitName.of(unit),
        machine,
        new Incarnation("i-" + unit),
        "hash",
        DesiredState.LAUNCHED,
        7,
        new SystemdState("loaded", "active", "running", "success", "inv", 2, TIME),
        "a problem");
  }

  /** What it knows may be old since then: only who does not mind is told it. */
  void stale(Instant since) {
    staleSince = Optional.of(since);
    before =
        () -> {
          throw new UncertainLeadException("etcd is not reached");
        };
  }

  @Override
  public Cluster evenIfStale(Consumer<Instant> told) {
    if (staleSince.isEmpty()) {
      return this;
    }
    var known = new PlayedCluster(epoch);
    known.units.putAll(units);
    known.before = () -> told.accept(staleSince.get());
    return known;
  }

  @Override
  public List<UnitView> units() {
    before.run();
    return List.copyOf(units.values());
  }

  @Override
  public Optional<UnitView> unit(UnitName name) {
    before.run();
    return Optional.ofNullable(units.get(name));
  }

  @Override
  public List<UnitView> units(Set<UnitName> names) {
    return units().stream().filter(view -> names.contains(view.unit().name())).toList();
  }

  @Override
  public Optional<Reasons> why(UnitName unit) {
    before.run();
    return reasons.filter(known -> known.unit().equals(unit));
  }

  @Override
  public boolean cordon(String machine, boolean cordoned, Caller caller) {
    before.run();
    commands.add((cordoned ? "cordon " : "uncordon ") + machine + " by " + caller);
    return cordoned;
  }

  @Override
  public boolean drain(String machine, int maxUnavailable, Caller caller) {
    before.run();
    commands.add("drain " + machine + " " + maxUnavailable + " by " + caller);
    return true;
  }

  @Override
  public Optional<DrainProgress> drain(String machine) {
    before.run();
    return drain.filter(_ -> machine.equals("m1"));
  }

  @Override
  public List<Rollout> rollouts() {
    before.run();
    return rollouts.stream().map(RolloutProgress::rollout).toList();
  }

  @Override
  public Optional<RolloutProgress> rollout(UnitName name) {
    before.run();
    return rollouts.stream().filter(one -> one.rollout().name().equals(name)).findFirst();
  }

  @Override
  public RolloutResult rollOut(NewRollout wanted, Caller caller) {
    before.run();
    commands.add("roll out " + wanted + " by " + caller);
    return RolloutResult.UNDER_WAY;
  }

  @Override
  public Optional<Boolean> changeRollout(UnitName rollout, RolloutChange change, Caller caller) {
    before.run();
    commands.add("rollout " + rollout + " " + change + " by " + caller);
    return change == RolloutChange.BACK
        ? Optional.empty()
        : Optional.of(change == RolloutChange.PAUSE);
  }

  @Override
  public RebalanceStart startRebalance(Intent.Rebalance wish, Caller caller) {
    before.run();
    commands.add(wish + " by " + caller);
    return started;
  }

  @Override
  public boolean stopRebalance(Caller caller) {
    before.run();
    commands.add("stop rebalance by " + caller);
    return rebalance.isPresent();
  }

  @Override
  public Optional<RebalanceProgress> rebalance() {
    before.run();
    return rebalance;
  }

  @Override
  public Plan plan(Intent intent) {
    before.run();
    intents.add(intent);
    return plan;
  }

  @Override
  public List<Setting> settings() {
    before.run();
    return List.copyOf(settings);
  }

  @Override
  public Optional<String> set(String setting, String value, Caller caller) {
    before.run();
    commands.add("set " + setting + "=" + value + " by " + caller);
    return value.equals("best") ? Optional.of("there is no best") : Optional.empty();
  }

  @Override
  public States states() {
    before.run();
    return new States(states, unreported);
  }

  @Override
  public List<UnitState> states(Set<UnitName> names) {
    return states().reported().stream().filter(state -> names.contains(state.unit())).toList();
  }

  @Override
  public List<MachineView> machines() {
    before.run();
    return List.copyOf(machines);
  }

  @Override
  public Tally tally() {
    before.run();
    return tally;
  }

  @Override
  public Absences absences() {
    before.run();
    return absences;
  }

  @Override
  public List<PutResult> put(List<UnitPut> puts, Caller caller) {
    before.run();
    return puts.stream().map(put -> putOne(put.name(), put.file(), put.desired(), caller)).toList();
  }

  private PutResult putOne(
      UnitName name, Optional<UnitFile> file, Optional<DesiredState> desired, Caller caller) {
    String text = file.map(UnitFile::hash).map(hash -> " file " + hash).orElse("");
    String state = desired.map(wanted -> " " + wanted.text()).orElse("");
    commands.add("put " + name + text + state + " by " + caller);
    return file.isPresent() ? PutResult.CREATED : PutResult.NO_CONTENT;
  }

  @Override
  public boolean destroy(UnitName name, Caller caller) {
    before.run();
    commands.add("destroy " + name + " by " + caller);
    return units.remove(name) != null;
  }

  @Override
  public StartResult restart(UnitName name, Caller caller) {
    before.run();
    commands.add("restart " + name + " by " + caller);
    return units.containsKey(name) ? StartResult.ACCEPTED : StartResult.UNKNOWN;
  }

  @Override
  public StartResult startAgain(UnitName name, Caller caller) {
    before.run();
    commands.add("start " + name + " by " + caller);
    return units.containsKey(name) ? StartResult.RUNNING : StartResult.NOT_LAUNCHED;
  }

  @Override
  public void changeMetadata(List<MetadataChange> changes, Caller caller) {
    before.run();
    commands.add(changes + " by " + caller);
  }

  @Override
  public boolean resume(Caller caller) {
    before.run();
    commands.add("resume by " + caller);
    return absences.pause().isPresent();
  }

  @Override
  public Optional<Answer> ask(String machine, Question question) {
    before.run();
    return answers.apply(machine, question);
  }

  void happen(Event.Body body) {
    happen(List.of(body));
  }

  /** All at once. */
  synchronized void happen(List<Event.Body> bodies) {
    List<Event> news = new ArrayList<>();
    for (Event.Body body : bodies) {
      news.add(new Event(new EventId(epoch, events.size() + 1L), 10 + events.size(), TIME, body));
      events.add(news.getLast());
    }
    streams.forEach(stream -> stream.queue.add(news));
  }

  @Override
  public synchronized EventStream follow(EventsFrom from) {
    before.run();
    boolean gap = from instanceof EventsFrom.After after && !after.position().epoch().equals(epoch);
    int position =
        switch (from) {
          case EventsFrom.Now _ -> events.size();
          case EventsFrom.Beginning _ -> 0;
          case EventsFrom.After after -> gap ? events.size() : (int) after.position().sequence();
          case EventsFrom.Since since ->
              (int) events.stream().filter(e -> e.time().isBefore(since.time())).count();
        };
    var stream = new Stream(new EventId(epoch, position), new EventId(epoch, events.size()));
    if (gap) {
      stream.queue.add(List.of(new Event(stream.start, 0, TIME, new Event.Gap())));
    }
    stream.queue.add(List.copyOf(events.subList(position, events.size())));
    streams.add(stream);
    return stream;
  }

  private final class Stream implements EventStream {
    private final EventId start;
    private final EventId newest;
    private final BlockingQueue<List<Event>> queue = new LinkedBlockingQueue<>();

    Stream(EventId start, EventId newest) {
      this.start = start;
      this.newest = newest;
    }

    @Override
    public EventId start() {
      return start;
    }

    @Override
    public EventId newest() {
      return newest;
    }

    @Override
    public List<Event> next(Duration atMost) throws InterruptedException {
      List<Event> first = queue.poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
      return first == null ? List.of() : first;
    }

    @Override
    public void close() {
      streams.remove(this);
      closedStreams.add(this);
    }
  }

  static Map<String, String> metadata() {
    return new TreeMap<>(Map.of("region", "eu", "disk", "ssd"));
  }
}
