package fleet.cluster.rpc;

import static fleet.cluster.rpc.PlayedCluster.file;
import static fleet.cluster.rpc.PlayedCluster.state;
import static fleet.cluster.rpc.PlayedCluster.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.Absences;
import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.DrainProgress;
import fleet.cluster.Event;
import fleet.cluster.Event.Command;
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
import fleet.cluster.Tally;
import fleet.cluster.UnitPut;
import fleet.cluster.UnitView;
import fleet.core.machine.Drain;
import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.machine.Resources;
import fleet.core.operation.Evenness;
import fleet.core.operation.Rebalance;
import fleet.core.operation.Rollout;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What everybody who passes a cluster on must pass on unchanged. */
@Timeout(60)
abstract class ClusterContract {

  static final UnitName WEB = UnitName.of("web.service");
  static final Caller ROOT = new Caller("user root");
  static final UnitFile SLEEP = file("[Service]\nExecStart=/bin/sleep \\\n  1000 # ü\n");
  static final Duration LONG = Duration.ofSeconds(20);

  final PlayedCluster played = new PlayedCluster("e1");

  /** The way to {@link #played}. */
  abstract Cluster cluster();

  @Test
  void whatMayBeOldIsToldAsSuchToThoseWhoDoNotMind() {
    played.units.put(WEB, view("web.service", SLEEP));
    List<Instant> told = new ArrayList<>();
    assertThat(cluster().evenIfStale(told::add).units()).hasSize(1);
    assertThat(told).isEmpty();
    Instant since = Instant.parse("2026-01-01T00:00:00Z");
    played.stale(since);
    assertThat(cluster().evenIfStale(told::add).units()).hasSize(1);
    assertThat(told).containsExactly(since);
  }

  @Test
  void unitsComeAsTheyAre() {
    played.units.put(WEB, view("web.service", SLEEP));
    var global =
        new UnitView(
            view("log@x.service", SLEEP).unit(),
            Optional.empty(),
            Optional.empty(),
            true,
            "it waits",
            true);
    played.units.put(global.unit().name(), global);
    assertThat(cluster().units()).containsExactlyElementsOf(played.units.values());
    assertThat(cluster().unit(WEB)).contains(view("web.service", SLEEP));
    assertThat(cluster().unit(UnitName.of("no.service"))).isEmpty();
    assertThat(cluster().units(Set.of(WEB, UnitName.of("no.service"))))
        .containsExactly(view("web.service", SLEEP));
    assertThat(cluster().units(Set.of())).isEmpty();
  }

  @Test
  void manyUnitsOfFewFilesComeInOrder() {
    UnitFile other = file("[Service]\nExecStart=/bin/true\n" + "#\n".repeat(50_000));
    UnitFile large = file("[Service]\nExecStart=" + "x".repeat(400_000) + "\n");
    for (int i = 0; i < 5_000; i++) {
      String name = "u%05d.service".formatted(i);
      played.units.put(
          UnitName.of(name), view(name, i % 1000 == 7 ? large : i % 2 == 0 ? SLEEP : other));
    }
    assertThat(cluster().units()).containsExactlyElementsOf(played.units.values());
  }

  @Test
  void statesComeAsTheyAre() {
    for (int i = 0; i < 3_000; i++) {
      played.states.add(state("u%04d.service".formatted(i / 2), "m" + i % 2));
    }
    played.unreported.put("m2", 7);
    assertThat(cluster().states().reported()).containsExactlyElementsOf(played.states);
    assertThat(cluster().states().unreported()).containsExactly(Map.entry("m2", 7));
    assertThat(cluster().states(UnitName.of("u0003.service")))
        .containsExactly(state("u0003.service", "m0"), state("u0003.service", "m1"));
    assertThat(cluster().states(Set.of())).isEmpty();
  }

  @Test
  void machinesComeAsTheyAre() {
    played.machines.add(
        new MachineView(
            new Machine(
                "m1",
                "boot",
                "10.0.0.1",
                PlayedCluster.metadata(),
                "2.0.0",
                Isolation.STOP,
                new Resources(4_000, 1L << 34, 1L << 40, 32_768),
                new Resources(500, 1L << 30, 1, 2)),
            new Resources(3_500, 1L << 33, 1, 2),
            new Resources(1, 2, 3, 4),
            true,
            Optional.of(new Drain(3, "user a"))));
    played.machines.add(MachineView.of(new Machine("m2", "boot2", "", Map.of(), "")));
    assertThat(cluster().machines()).containsExactlyElementsOf(played.machines);
  }

  @Test
  void reasonsComeAsTheyAre() {
    assertThat(cluster().why(WEB)).isEmpty();
    for (Reasons.Standing standing : Reasons.Standing.values()) {
      Reasons waits =
          new Reasons(
              WEB,
              standing,
              Optional.empty(),
              "2 of 3 machines lack region=eu",
              3,
              List.of(
                  new Reasons.Obstacle(
                      "MachineMetadata",
                      "2 of 3 machines lack region=eu",
                      new TreeMap<>(Map.of("m1", "lacks region=eu", "m2", "lacks region=eu")))),
              Optional.of(
                  new Reasons.Miss(
                      "m1",
                      List.of("lacks region=eu", "is cordoned"),
                      "machine m1 gets region=eu")),
              List.of());
      played.reasons = Optional.of(waits);
      assertThat(cluster().why(WEB)).contains(waits);
    }
    Reasons placed =
        new Reasons(
            WEB,
            Reasons.Standing.PLACED,
            Optional.of("m1"),
            "least loaded",
            3,
            List.of(),
            Optional.empty(),
            List.of(
                new Reasons.Contender("m1", "least loaded"),
                new Reasons.Contender("m2", "has 1 unit, and m1 no unit")),
            List.of("MachineMetadata=region=eu"));
    played.reasons = Optional.of(placed);
    assertThat(cluster().why(WEB)).contains(placed);
  }

  @Test
  void settingsComeAsTheyAreAndAreSetOrRefused() {
    played.settings.add(new Setting("scheduler.strategy", "binpack", "least-loaded", "user root"));
    played.settings.add(new Setting("scheduler.overcommit.memory", "1", "1", ""));
    assertThat(cluster().settings()).containsExactlyElementsOf(played.settings);
    assertThat(cluster().set("scheduler.strategy", "spread", new Caller("user a"))).isEmpty();
    assertThat(cluster().set("scheduler.strategy", "best", new Caller("user a")))
        .contains("there is no best");
    assertThat(played.commands)
        .containsExactly(
            "set scheduler.strategy=spread by user a", "set scheduler.strategy=best by user a");
  }

  @Test
  void machinesAreCordonedAndUncordoned() {
    assertThat(cluster().cordon("m1", true, new Caller("user a"))).isTrue();
    assertThat(cluster().cordon("m1", false, new Caller("user a"))).isFalse();
    assertThat(played.commands).containsExactly("cordon m1 by user a", "uncordon m1 by user a");
  }

  @Test
  void machinesAreDrainedAndSayHowFarThatIs() {
    assertThat(cluster().drain("m1", 2, new Caller("user a"))).isTrue();
    assertThat(played.commands).containsExactly("drain m1 2 by user a");
    assertThat(cluster().drain("m1")).isEmpty();
    List<DrainProgress.OfUnit> units = new ArrayList<>();
    for (DrainProgress.Standing standing : DrainProgress.Standing.values()) {
      units.add(new DrainProgress.OfUnit(WEB, standing, "m2", "why"));
    }
    played.drain = Optional.of(new DrainProgress(new Drain(2, "user a"), units));
    assertThat(cluster().drain("m1")).isEqualTo(played.drain);
    assertThat(cluster().drain("m2")).isEmpty();
  }

  @Test
  void rolloutsAreBegunAndChangedAndComeAsTheyAre() throws Exception {
    NewRollout wanted =
        new NewRollout(
            WEB, UnitFile.parse("[Service]\nExecStart=/bin/true\n"), 2, Duration.ofSeconds(30));
    Caller caller = new Caller("user a");
    assertThat(cluster().rollOut(wanted, caller)).isEqualTo(RolloutResult.UNDER_WAY);
    assertThat(cluster().changeRollout(WEB, RolloutChange.PAUSE, caller)).contains(true);
    assertThat(cluster().changeRollout(WEB, RolloutChange.RESUME, caller)).contains(false);
    assertThat(cluster().changeRollout(WEB, RolloutChange.BACK, caller)).isEmpty();
    assertThat(played.commands)
        .containsExactly(
            "roll out " + wanted + " by user a",
            "rollout web.service PAUSE by user a",
            "rollout web.service RESUME by user a",
            "rollout web.service BACK by user a");
    assertThat(cluster().rollouts()).isEmpty();
    for (Rollout.Stage stage : Rollout.Stage.values()) {
      UnitName name = UnitName.of(stage.text() + "@.service");
      List<RolloutProgress.OfUnit> units = new ArrayList<>();
      for (RolloutProgress.Standing standing : RolloutProgress.Standing.values()) {
        units.add(new RolloutProgress.OfUnit(name.instantiate(standing.text()), standing, "how"));
      }
      played.rollouts.add(
          new RolloutProgress(
              new Rollout(
                  name,
                  "hash",
                  2,
                  Duration.ofSeconds(30),
                  stage,
                  stage == Rollout.Stage.BACK,
                  "user a",
                  "why",
                  Instant.ofEpochMilli(1_234)),
              stage == Rollout.Stage.FORWARD ? "at most 2 may be down" : "",
              stage == Rollout.Stage.DONE ? List.of() : units));
    }
    assertThat(cluster().rollouts())
        .containsExactlyElementsOf(played.rollouts.stream().map(RolloutProgress::rollout).toList());
    for (RolloutProgress one : played.rollouts) {
      assertThat(cluster().rollout(one.rollout().name())).contains(one);
    }
    assertThat(cluster().rollout(WEB)).isEmpty();
  }

  @Test
  void rebalancesAreAskedForAndSayHowFarTheyAre() {
    var wish = new Intent.Rebalance(2, 30, 4);
    for (RebalanceStart.Kind kind : RebalanceStart.Kind.values()) {
      played.started = new RebalanceStart(kind, "why " + kind);
      assertThat(cluster().startRebalance(wish, ROOT)).isEqualTo(played.started);
    }
    assertThat(cluster().stopRebalance(ROOT)).isFalse();
    assertThat(played.commands)
        .hasSize(1 + RebalanceStart.Kind.values().length)
        .contains(wish + " by user root", "stop rebalance by user root");
    assertThat(cluster().rebalance()).isEmpty();
    List<RebalanceProgress.OfUnit> units = new ArrayList<>();
    for (RebalanceProgress.Standing standing : RebalanceProgress.Standing.values()) {
      units.add(new RebalanceProgress.OfUnit(new Rebalance.Move(WEB, "m1", "m2"), standing, "why"));
    }
    played.rebalance =
        Optional.of(
            new RebalanceProgress(
                new Rebalance(2, 4, "user a", "user b", true), new Evenness(3, 7), units));
    assertThat(cluster().rebalance()).isEqualTo(played.rebalance);
    assertThat(cluster().stopRebalance(ROOT)).isTrue();
  }

  @Test
  void plansComeAsTheyAre() throws Exception {
    UnitFile file = UnitFile.parse("[Service]\nExecStart=/bin/true\n");
    List<Intent> intents =
        List.of(
            new Intent.Put(
                List.of(
                    new UnitPut(WEB, Optional.of(file), Optional.of(DesiredState.LAUNCHED)),
                    new UnitPut(
                        UnitName.of("b.service"),
                        Optional.empty(),
                        Optional.of(DesiredState.LOADED),
                        List.of("MachineMetadata=region=eu", "Memory=1G")))),
            new Intent.Destroy(Set.of(WEB, UnitName.of("b.service"))),
            new Intent.Drain("m1", 3),
            new Intent.Lose("m2"),
            new Intent.Rebalance(2, 30, 4));
    List<Plan.Change> changes = new ArrayList<>();
    for (Plan.Kind kind : Plan.Kind.values()) {
      changes.add(new Plan.Change(WEB, kind, "m1", "m2", "why"));
    }
    played.plan = new Plan(changes);
    for (Intent intent : intents) {
      assertThat(cluster().plan(intent)).isEqualTo(played.plan);
    }
    assertThat(played.intents).isEqualTo(intents);
    played.plan =
        new Plan(
            changes,
            Optional.of(new Plan.Evening(new Evenness(0, 7), new Evenness(2, 4), "more")),
            "");
    assertThat(cluster().plan(intents.getLast())).isEqualTo(played.plan);
    played.plan = Plan.refused("there is nothing to even out");
    assertThat(cluster().plan(intents.getLast())).isEqualTo(played.plan);
  }

  @Test
  void theTallyComesAsItIs() {
    played.tally = new Tally(5_000, 100_000, new TreeMap<>(Map.of("active", 99_999, "failed", 1)));
    assertThat(cluster().tally()).isEqualTo(played.tally);
  }

  @Test
  void absencesComeAsTheyAre() {
    assertThat(cluster().absences()).isEqualTo(played.absences);
    Instant since = Instant.parse("2026-01-01T00:00:00.123Z");
    played.absences =
        new Absences(
            List.of(
                new Absences.Absent("m1", 3, Absences.Standing.HELD),
                new Absences.Absent("m2", 0, Absences.Standing.AWAITED)),
            Optional.of(new Absences.Pause(since, since.plusSeconds(300), 3, 5)));
    assertThat(cluster().absences()).isEqualTo(played.absences);
    assertThat(cluster().resume(ROOT)).isTrue();
  }

  @Test
  void commandsArriveWithWhoMakesThemAndTheirResultsComeBack() {
    assertThat(cluster().put(WEB, Optional.of(SLEEP), Optional.of(DesiredState.LAUNCHED), ROOT))
        .isEqualTo(PutResult.CREATED);
    assertThat(cluster().put(WEB, Optional.of(SLEEP), Optional.empty(), ROOT))
        .isEqualTo(PutResult.CREATED);
    assertThat(cluster().put(WEB, Optional.empty(), Optional.of(DesiredState.LOADED), ROOT))
        .isEqualTo(PutResult.NO_CONTENT);
    assertThat(cluster().destroy(WEB, ROOT)).isFalse();
    played.units.put(WEB, view("web.service", SLEEP));
    assertThat(cluster().restart(WEB, ROOT)).isEqualTo(StartResult.ACCEPTED);
    assertThat(cluster().startAgain(WEB, ROOT)).isEqualTo(StartResult.RUNNING);
    assertThat(cluster().destroy(WEB, ROOT)).isTrue();
    assertThat(cluster().resume(ROOT)).isFalse();
    List<MetadataChange> changes =
        List.of(new MetadataChange.Set("m1", "a", ""), new MetadataChange.Remove("m1", "b"));
    cluster().changeMetadata(changes, new Caller("certificate CN=ann, O=ü"));
    assertThat(played.commands)
        .containsExactly(
            "put web.service file " + SLEEP.hash() + " launched by user root",
            "put web.service file " + SLEEP.hash() + " by user root",
            "put web.service loaded by user root",
            "destroy web.service by user root",
            "restart web.service by user root",
            "start web.service by user root",
            "destroy web.service by user root",
            "resume by user root",
            changes + " by certificate CN=ann, O=ü");
  }

  @Test
  void whyTheClusterCannotAnswerIsPassedOn() {
    played.before =
        () -> {
          throw new ClusterUnavailableException("the registry is away: is it reachable?");
        };
    assertUnavailable(() -> cluster().units());
    assertUnavailable(() -> cluster().unit(WEB));
    assertUnavailable(() -> cluster().states());
    assertUnavailable(() -> cluster().machines());
    assertUnavailable(() -> cluster().absences());
    assertUnavailable(() -> cluster().restart(WEB, ROOT));
    assertUnavailable(() -> cluster().ask("m1", new Question.Status(WEB, false)));
    assertUnavailable(() -> cluster().follow(EventsFrom.NOW));
  }

  private static void assertUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(ClusterUnavailableException.class)
        .hasMessage("the registry is away: is it reachable?");
  }

  // ---- questions

  @Test
  void anAnswerComesWithItsExitStatus() throws Exception {
    Question question = new Question.Journal(WEB, 5, true, "json");
    played.answers =
        (machine, asked) ->
            machine.equals("m1") && asked.equals(question)
                ? Optional.of(PlayedAnswer.of("ü".repeat(100_000), 3))
                : Optional.empty();
    try (Answer answer = cluster().ask("m1", question).orElseThrow()) {
      assertThat(new String(answer.body().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo("ü".repeat(100_000));
      assertThat(answer.exitStatus()).isEqualTo(3);
    }
    assertThat(cluster().ask("m2", question)).isEmpty();
  }

  @Test
  void anEmptyAnswerEndsAtOnce() throws Exception {
    played.answers = (_, _) -> Optional.of(PlayedAnswer.of("", 0));
    try (Answer answer = cluster().ask("m1", new Question.Status(WEB, true)).orElseThrow()) {
      assertThat(answer.exitStatus()).isZero();
      assertThat(answer.body().read()).isEqualTo(-1);
    }
  }

  @Test
  void whoClosesAnAnswerEndsTheWorkBehindIt() throws Exception {
    PlayedAnswer endless = PlayedAnswer.endless();
    played.answers = (_, _) -> Optional.of(endless);
    try (Answer answer = cluster().ask("m1", new Question.Status(WEB, true)).orElseThrow()) {
      assertThat(answer.body().readNBytes(10)).hasSize(10);
    }
    assertThat(endless.closed.await(20, TimeUnit.SECONDS)).isTrue();
  }

  // ---- events

  private static List<Event.Body> everyKind() {
    List<Event.Body> kinds =
        List.of(
            new Event.UnitCommanded(
                WEB, Command.CREATED, Optional.of(DesiredState.LAUNCHED), "user root"),
            new Event.UnitCommanded(WEB, Command.DESTROYED, Optional.empty(), ""),
            new Event.MachineCommanded("m1", Command.METADATA, "a=b", "user root"),
            new Event.MachineCommanded("m1", Command.CORDONED, "", "user root"),
            new Event.MachineCommanded("m1", Command.DRAINED, "max-unavailable 2", "user root"),
            new Event.TokenCommanded("t1", Command.TOKEN_CREATED, "for role agent", "user root"),
            new Event.TokenCommanded("t1", Command.TOKEN_REVOKED, "", "user root"),
            new Event.Configured("scheduler.strategy", "binpack", "user root"),
            new Event.RolloutTold(WEB, "is paused", "user root"),
            new Event.Placed(WEB, "m1", "least loaded"),
            new Event.Moved(WEB, "m1", "m2", "m1 is lost"),
            new Event.Leaving(WEB, "m2", "it was destroyed"),
            new Event.Left(WEB, "m2", "it was destroyed"),
            new Event.LeaderChanged(Optional.of("m2"), "token 7"),
            new Event.LeaderChanged(Optional.empty(), "no engine leads"),
            new Event.UnitChanged(view("web.service", SLEEP)),
            new Event.UnitDestroyed(WEB),
            new Event.StateChanged(state("web.service", "m1")),
            new Event.StateGone(WEB, "m1"),
            new Event.MachineChanged(
                new Machine("m1", "b", "10.0.0.1", PlayedCluster.metadata(), "2"), true),
            new Event.MachineGone("m1", "it is silent"),
            new Event.ReschedulingPaused(
                new Absences.Pause(Instant.ofEpochMilli(1), Instant.ofEpochMilli(2), 3, 5)),
            new Event.ReschedulingResumed("user root", "user root asked for it"),
            new Event.RebalanceCommanded(Command.REBALANCE, "3 moves, within 1", "user root"),
            new Event.RebalanceCommanded(Command.REBALANCE_STOPPED, "", "user a"),
            new Event.RebalanceEnded("moves made: 3 of 3"),
            new Event.Gap());
    return kinds;
  }

  @Test
  void everyEventComesAsItIs() throws Exception {
    assertThat(everyKind().stream().map(Object::getClass).distinct().count())
        .isEqualTo(Event.Body.class.getPermittedSubclasses().length);
    try (EventStream stream = cluster().follow(EventsFrom.NOW)) {
      assertThat(stream.start()).isEqualTo(new EventId("e1", 0));
      assertThat(stream.next(Duration.ZERO)).isEmpty();
      everyKind().forEach(played::happen);
      List<Event> told = next(stream, everyKind().size());
      assertThat(told).extracting(Event::body).containsExactlyElementsOf(everyKind());
      assertThat(told.getFirst())
          .isEqualTo(
              new Event(new EventId("e1", 1), 10, PlayedCluster.TIME, everyKind().getFirst()));
    }
    assertThat(played.closedStreams.poll(20, TimeUnit.SECONDS)).isNotNull();
  }

  @Test
  void aStreamBeginsWhereItIsAskedTo() throws Exception {
    everyKind().forEach(played::happen);
    int all = everyKind().size();
    try (EventStream beginning = cluster().follow(EventsFrom.BEGINNING);
        EventStream after = cluster().follow(new EventsFrom.After(new EventId("e1", all - 1)));
        EventStream since = cluster().follow(new EventsFrom.Since(Instant.EPOCH));
        EventStream late = cluster().follow(new EventsFrom.Since(Instant.MAX))) {
      assertThat(beginning.newest()).isEqualTo(new EventId("e1", all));
      assertThat(next(beginning, all)).hasSize(all);
      assertThat(next(after, 1)).hasSize(1);
      assertThat(next(since, all)).hasSize(all);
      assertThat(late.start()).isEqualTo(new EventId("e1", all));
    }
  }

  @Test
  void aStreamThatIsClosedWhileSomebodyWaitsEndsTheWait() throws Exception {
    EventStream stream = cluster().follow(EventsFrom.NOW);
    Thread waiting =
        Thread.ofVirtual()
            .start(() -> {
              try {
                assertThat(stream.next(Duration.ofMillis(100))).isEmpty();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    stream.close();
    waiting.join(LONG);
    assertThat(played.closedStreams.poll(20, TimeUnit.SECONDS)).isNotNull();
  }

  static List<Event> next(EventStream stream, int count) throws InterruptedException {
    List<Event> all = new ArrayList<>();
    long deadline = System.nanoTime() + LONG.toNanos();
    while (all.size() < count && System.nanoTime() < deadline) {
      all.addAll(stream.next(Duration.ofSeconds(1)));
    }
    return all;
  }
}
