package fleet.simulation;

import fleet.cluster.Cluster;
import fleet.cluster.Intent;
import fleet.cluster.MetadataChange;
import fleet.cluster.NewRestart;
import fleet.cluster.NewRollout;
import fleet.cluster.UnitPut;
import fleet.core.operation.OperationChange;
import fleet.core.operation.OperationId;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.simulation.Stage.Who;
import fleet.simulation.Story.Act;
import fleet.simulation.Story.Play;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Makes up what happens to a world, out of a seed of its own. */
final class StoryWriter {

  private static final Duration SHORT_PAUSE = Duration.ofSeconds(2);
  private static final int LONGER = 4;
  private static final int MOST = 3;
  private static final int COMMANDS = 40;
  private static final Duration LONGEST_FAULT = Duration.ofSeconds(30);
  private static final Duration LONGEST_LOSS = Duration.ofSeconds(5);
  private static final Duration MIDDLE = Duration.ofMillis(400);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration HEALTHY = Duration.ofSeconds(3);
  private static final UnitName FOREIGN = UnitName.of("a1.service");

  private final Random random;
  private final int machines;
  private final List<Act> acts = new ArrayList<>();
  private final List<Kind> kinds = new ArrayList<>();
  private final Workload.Choice units;
  private final Duration pause;
  private Duration now = Duration.ZERO;

  private record Kind(int weight, Runnable write) {}

  /**
   * @param speaks whether machines speak to the leader, so that a cut between two matters
   */
  StoryWriter(long seed, int machines, boolean speaks) {
    this.random = new Random(~seed);
    this.machines = machines;
    this.units = new Workload.Choice(random);
    this.pause = SHORT_PAUSE.multipliedBy(1 + random.nextInt(LONGER));
    kinds.add(new Kind(COMMANDS, this::command));
    kind(4, () -> about(any(), "%s: fleetd is killed", Stage::kill));
    kind(2, () -> about(any(), "%s: fleetd is restarted", Stage::restart));
    kind(3, () -> fault(any(), "%s: fleetd is frozen", Stage::freeze));
    kind(2, () -> fault(Who.LEADER, "%s: fleetd is frozen", Stage::freeze));
    kind(4, this::freezeInTheMiddle);
    kind(1, () -> about(Who.LEADER, "%s: fleetd is killed", Stage::kill));
    kind(3, () -> fault(any(), "%s loses power", Stage::powerOff));
    kind(3, () -> fault(any(), "%s is cut off", Stage::cut));
    kind(1, () -> fault(Who.LEADER, "%s is cut off", Stage::cut));
    kind(1, this::storm);
    kind(1, () -> ask("resume", cluster -> cluster.resume(Stage.somebody())));
    kind(3, this::drain);
    kind(4, this::rollOut);
    kind(2, this::rebalance);
    kind(
        1,
        () ->
            ask(
                "stop a rebalance",
                cluster ->
                    cluster.change(
                        OperationId.REBALANCE, OperationChange.CANCEL, Stage.somebody())));
    kind(1, this::changeMetadata);
    kind(1, () -> inTime("the store is away", Stage::storeAway));
    kind(1, () -> inTime("the store is full", Stage::storeFull));
    kind(1, () -> fault(any(), "the way from %s is slow", Stage::slow));
    kind(1, () -> write("the store forgets its history", Stage::compact));
    kind(1, this::removeForeign);
    kind(2, this::loseSystemd);
    kind(1, () -> fault(any(), "%s: the disk fails", Stage::failDisk));
    kind(1, this::setClock);
    kind(1, () -> about(any(), "%s leaves the cluster", Stage::leave));
    if (speaks) {
      kind(4, () -> part(any(), Who.LEADER));
      kind(1, () -> part(any(), any()));
    }
  }

  /** Each story has more of some kinds and nothing of others: what is rare in all is found so. */
  private void kind(int weight, Runnable write) {
    kinds.add(new Kind(weight * random.nextInt(MOST + 1), write));
  }

  /** A story that lasts so long. */
  Story write(Duration length) {
    now = upTo(pause);
    while (now.compareTo(length) < 0) {
      choose().write().run();
      now = now.plus(upTo(pause));
    }
    return new Story(acts);
  }

  private Kind choose() {
    int left = random.nextInt(kinds.stream().mapToInt(Kind::weight).sum());
    for (Kind kind : kinds) {
      left -= kind.weight();
      if (left < 0) {
        return kind;
      }
    }
    throw new AssertionError();
  }

  private void write(String text, Play play) {
    write(now, text, play);
  }

  private void write(Duration at, String text, Play play) {
    acts.add(new Act(at, text, play));
  }

  private Who any() {
    return new Who(random.nextInt(machines));
  }

  private Duration upTo(Duration most) {
    return Duration.ofMillis(random.nextLong(most.toMillis() + 1));
  }

  // ---- misfortune

  private interface OnMachine {
    void on(Stage stage, Who who);
  }

  private interface ForAWhile {
    void on(Stage stage, Who who, Duration time);
  }

  private interface InTime {
    void on(Stage stage, Duration time);
  }

  private void about(Who who, String text, OnMachine act) {
    write(text.formatted(who), stage -> act.on(stage, who));
  }

  private void fault(Who who, String text, ForAWhile act) {
    fault(now, who, text, act);
  }

  private void fault(Duration at, Who who, String text, ForAWhile act) {
    Duration time = upTo(LONGEST_FAULT);
    write(at, during(text.formatted(who), time), stage -> act.on(stage, who, time));
  }

  private void inTime(String text, InTime act) {
    Duration time = upTo(LONGEST_FAULT);
    write(during(text, time), stage -> act.on(stage, time));
  }

  private static String during(String text, Duration time) {
    return "%s for %.1f s".formatted(text, time.toMillis() / 1e3);
  }

  /** The leader, while it does what somebody has just asked for. */
  private void freezeInTheMiddle() {
    fault(Who.LEADER, "the way from %s is slow", Stage::slow);
    command(Who.LEADER);
    fault(now.plus(upTo(MIDDLE)), Who.LEADER, "%s: fleetd is frozen", Stage::freeze);
  }

  private void part(Who one, Who other) {
    Duration time = upTo(LONGEST_FAULT);
    write(
        during("%s and %s do not reach each other".formatted(one, other), time),
        stage -> stage.part(one, other, time));
  }

  private void storm() {
    List<Who> all = new ArrayList<>(IntStream.range(0, machines).mapToObj(Who::new).toList());
    Collections.shuffle(all, random);
    List<Who> gone = List.copyOf(all.subList(0, machines / 2 + 1));
    Duration time = upTo(LONGEST_FAULT);
    write(during(gone + " are cut off", time), stage -> stage.storm(gone, time));
  }

  private void removeForeign() {
    Who who = any();
    write(
        who + ": " + FOREIGN + " of somebody else goes",
        stage -> stage.removeForeign(who, FOREIGN));
  }

  private void loseSystemd() {
    Who who = any();
    Duration time = upTo(LONGEST_LOSS);
    write(during(who + ": systemd does not answer", time), stage -> stage.loseSystemd(who, time));
  }

  private void setClock() {
    Who who = any();
    Duration ahead = upTo(HOUR.multipliedBy(2)).minus(HOUR);
    write(
        "%s: the clock is set %d s ahead".formatted(who, ahead.toSeconds()),
        stage -> stage.setClock(who, ahead));
  }

  // ---- people

  private void command() {
    command(any());
  }

  private void command(Who asked) {
    UnitName unit = units.any();
    switch (random.nextInt(20)) {
      case 0, 1, 2, 3, 4, 5 -> put(asked, unit, Optional.of(file(unit)), DesiredState.LAUNCHED);
      case 6 -> put(asked, unit, Optional.of(file(unit)), DesiredState.LOADED);
      case 7 -> put(asked, unit, Optional.empty(), DesiredState.INACTIVE);
      case 8, 9 -> put(asked, unit, Optional.empty(), DesiredState.LAUNCHED);
      case 10 -> put(asked, unit, Optional.empty(), DesiredState.LOADED);
      case 11, 12 -> command(asked, new ClientRequest.Destroy(unit));
      case 13 -> command(asked, new ClientRequest.Restart(unit));
      case 14 -> restart(asked, unit);
      case 15 -> command(asked, new ClientRequest.StartAgain(unit));
      case 16, 17 -> putFamily(asked);
      default -> command(asked, new ClientRequest.Show(unit));
    }
  }

  /** As fleetctl does it. */
  private void restart(Who asked, UnitName unit) {
    if (!Workload.isGlobal(unit)) {
      command(asked, new ClientRequest.Restart(unit));
      return;
    }
    var wanted = new NewRestart(unit, 1 + random.nextInt(2), upTo(HEALTHY));
    command(asked, new ClientRequest.RestartInTurns(wanted));
    change(asked, OperationId.restart(unit), OperationChange.CANCEL);
  }

  private void command(Who asked, ClientRequest command) {
    write(
        "somebody asks %s: %s".formatted(asked, command.text()),
        stage -> stage.command(asked, command));
  }

  private void put(Who asked, UnitName unit, Optional<UnitFile> file, DesiredState desired) {
    List<String> require = desired == DesiredState.LAUNCHED ? require(unit) : List.of();
    command(
        asked,
        new ClientRequest.Put(List.of(new UnitPut(unit, file, Optional.of(desired), require))));
  }

  /** All of a family in one request, as people do. */
  private void putFamily(Who asked) {
    int content = Workload.content(random);
    command(
        asked,
        new ClientRequest.Put(
            Workload.family().stream()
                .map(unit ->
                    new UnitPut(
                        unit,
                        Optional.of(Workload.file(unit, content)),
                        Optional.of(DesiredState.LAUNCHED)))
                .toList()));
  }

  private UnitFile file(UnitName unit) {
    return Workload.file(unit, Workload.content(random));
  }

  /** Requirements of machines beside the file, now and then. */
  private List<String> require(UnitName unit) {
    boolean asks = !Workload.isGlobal(unit) && random.nextInt(8) == 0;
    return asks ? List.of("MachineMetadata=region=us") : List.of();
  }

  private void ask(String what, Function<Cluster, Object> request) {
    Who asked = any();
    write("somebody asks %s: %s".formatted(asked, what), stage -> stage.ask(asked, what, request));
  }

  private void drain() {
    Who asked = any();
    Who undoing = any();
    String machine = any().toString();
    int most = 1 + random.nextInt(2);
    Duration time = upTo(LONGEST_FAULT.multipliedBy(2));
    write(
        during("somebody asks %s: drain %s, %d at a time,".formatted(asked, machine, most), time),
        stage -> stage.drain(asked, machine, most, time, undoing));
    change(asked, OperationId.drain(machine), OperationChange.CANCEL);
  }

  private void rollOut() {
    Who asked = any();
    UnitName name = random.nextInt(3) > 0 ? Workload.TEMPLATE : units.any();
    // As the API has it: an instance is changed by a rollout of its template.
    name = name.template().orElse(name);
    UnitFile file = Workload.file(name, random.nextInt(Workload.CONTENTS));
    command(
        asked,
        new ClientRequest.RollOut(
            new NewRollout(name, file, 1 + random.nextInt(2), upTo(HEALTHY), 0, Set.of())));
    change(asked, OperationId.rollout(name), OperationChange.REVERT);
  }

  /**
   * Now and then somebody changes the course of an operation that has begun.
   *
   * @param usual what people ask for most if they do not want it any more
   */
  private void change(Who asked, OperationId id, OperationChange usual) {
    switch (random.nextInt(7)) {
      case 0 -> change(asked, id, usual, Duration.ZERO);
      case 1 -> change(asked, id, usual, upTo(LONGEST_FAULT));
      case 2 -> change(asked, id, OperationChange.CANCEL, upTo(LONGEST_FAULT));
      case 3 -> {
        Duration paused = upTo(LONGEST_FAULT);
        change(asked, id, OperationChange.PAUSE, paused);
        change(asked, id, OperationChange.RESUME, paused.plus(upTo(LONGEST_FAULT)));
      }
      default -> {
        // It goes its way.
      }
    }
  }

  private void change(Who asked, OperationId id, OperationChange change, Duration after) {
    String what = change.text() + " " + id.text();
    write(
        now.plus(after),
        "somebody asks %s: %s".formatted(asked, what),
        stage -> stage.ask(asked, what, cluster -> cluster.change(id, change, Stage.somebody())));
  }

  private void rebalance() {
    var wish =
        new Intent.Rebalance(1 + random.nextInt(2), 1 + random.nextInt(4), 1 + random.nextInt(2));
    ask(wish.toString(), cluster -> cluster.begin(wish, Stage.somebody()));
    change(any(), OperationId.REBALANCE, OperationChange.CANCEL);
  }

  private void changeMetadata() {
    String machine = any().toString();
    String region = random.nextBoolean() ? "eu" : "us";
    var change = new MetadataChange.Set(machine, "region", region);
    ask(
        "%s has region=%s".formatted(machine, region),
        cluster -> {
          cluster.changeMetadata(List.of(change), Stage.somebody());
          return true;
        });
  }
}
