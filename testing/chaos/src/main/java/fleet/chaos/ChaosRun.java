package fleet.chaos;

import fleet.testkit.BackgroundTasks;
import fleet.testkit.EtcdSettings;
import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** Five machines and three etcds, people who give commands, and faults, for some minutes. */
final class ChaosRun {

  private static final int MACHINES = 5;
  private static final int MEMBERS = 3;
  private static final int PEOPLE = 3;

  private final Path fleet;
  private final ChaosSettings settings;
  private final PrintStream out;
  private final History history = new History();

  ChaosRun(Path fleet, ChaosSettings settings, PrintStream out) {
    this.fleet = fleet;
    this.settings = settings;
    this.out = out;
  }

  /** Returns whether all held that fleet promises. */
  boolean run() {
    try (Machines machines = Machines.create(Optional.of(fleet))) {
      var etcd = machines.etcd(EtcdSettings.plain().withMembers(MEMBERS));
      FleetCluster cluster =
          FleetCluster.prepare(
              machines,
              etcd,
              MACHINES,
              settings.transport().setting(),
              "agent_ttl=9s",
              "on_isolation=" + (settings.stopsIsolated() ? "stop" : "keep"));
      cluster.install();
      cluster.machines().forEach(ChaosUser::prepare);
      say("%d machines, %s, for %s".formatted(MACHINES, settings, settings.duration()));
      return live(cluster);
    }
  }

  private boolean live(FleetCluster cluster) {
    long end = System.nanoTime() + settings.duration().toNanos();
    BooleanSupplier goesOn = () -> System.nanoTime() < end;
    List<ChaosUser> people = new ArrayList<>();
    List<CompletableFuture<Boolean>> beside = new ArrayList<>();
    for (int number = 1; number <= PEOPLE; number++) {
      ChaosUser one = new ChaosUser(cluster.machines(), number, history, settings.seed());
      people.add(one);
      beside.add(
          BackgroundTasks.the(() -> {
            one.run(goesOn);
            return true;
          }));
    }
    var faults = new FaultInjection(cluster, history, settings.seed(), this::say);
    faults.run(goesOn);
    beside.forEach(CompletableFuture::join);
    List<String> units = people.stream().flatMap(one -> one.units().stream()).toList();
    say(
        "%d commands, %d faults; all is mended"
            .formatted(history.requests().size(), history.disturbances().size()));
    cluster.heal();
    settle(cluster, units);
    return report(cluster, UnitRun.all(cluster.runs(units)));
  }

  private void settle(FleetCluster cluster, List<String> units) {
    try {
      cluster.await(
          "all is as it was asked to be",
          () -> judge(UnitRun.all(cluster.runs(units))).isSettled());
    } catch (AssertionError e) {
      say("it does not settle: " + e);
    }
  }

  private HistoryChecker judge(List<UnitRun> runs) {
    return new HistoryChecker(history, runs, settings.stopsIsolated());
  }

  private boolean report(FleetCluster cluster, List<UnitRun> runs) {
    List<Breach> violations = judge(runs).violations();
    violations.forEach(one -> say(one.unit() + ": " + one.text()));
    try {
      Files.createDirectories(settings.report());
      Path page = settings.report().resolve("chaos.html");
      Files.writeString(page, new Timeline(history, runs, violations).page(settings.toString()));
      Files.write(
          settings.report().resolve("requests.txt"),
          history.requests().stream().map(Request::line).toList());
      for (FleetMachine one : cluster.machines()) {
        Files.writeString(
            settings.report().resolve(one.machine().name() + ".log"), one.machine().journal());
      }
      long acknowledged = history.requests().stream().filter(Request::acknowledged).count();
      say(
          "%d of %d commands were acknowledged, %d violations; see %s"
              .formatted(acknowledged, history.requests().size(), violations.size(), page));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return violations.isEmpty();
  }

  private void say(String line) {
    out.println("chaos: " + line);
  }
}
