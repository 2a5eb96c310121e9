package fleet.bench;

import fleet.bench.figure.Report;
import fleet.bench.figure.Samples;
import fleet.bench.node.ProcessUsage;
import fleet.core.machine.HostPort;
import fleet.core.testing.RawHttp2;
import fleet.testkit.FleetMachine;
import fleet.testkit.JoinedCluster;
import fleet.testkit.Machines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * A leader whose port strangers flood with calls that they give up at once: what that costs it, and
 * a machine that has joined and asks it all the while.
 */
final class StrangersBenchmark implements Benchmark {

  private static final int ATTACKERS = 6;
  private static final int CALLS_AT_ONCE = 500;
  private static final int RPC_PORT = 50059;
  private static final Duration LENGTH = Duration.ofSeconds(60);
  private static final String PATH = "/fleet.rpc.v1.Enrolment/Enrol";

  private final Path fleet;

  /**
   * A benchmark to be run.
   *
   * @param fleet the folder {@code target/fleet}
   */
  StrangersBenchmark(Path fleet) {
    this.fleet = fleet;
  }

  @Override
  public String name() {
    return "strangers";
  }

  @Override
  public String summary() {
    return "a leader that %d strangers flood for %d s, and a machine that asks it"
        .formatted(ATTACKERS, LENGTH.toSeconds());
  }

  @Override
  public void run(Report report) {
    try (Machines machines = Machines.create(Optional.of(fleet))) {
      JoinedCluster cluster = JoinedCluster.boot(machines, 1);
      FleetMachine leader = cluster.server();
      FleetMachine member = cluster.joined(1);
      tell("rest", asked(member), report);
      double before = memory(leader);
      Flood flood = new Flood(new HostPort(leader.machine().address(), RPC_PORT));
      Samples asked = flood.during(() -> asked(member));
      tell("flood", asked, report);
      report.add("strangers_calls", (double) flood.calls.sum(), "calls");
      report.add("strangers_connections_cut", (double) flood.cut.sum(), "connections");
      report.add("strangers_leader_memory_before", before, "MB");
      report.add("strangers_leader_memory_after", memory(leader), "MB");
    }
  }

  private static void tell(String when, Samples asked, Report report) {
    report.add("strangers_" + when + "_member_asked", asked.count(), "times");
    report.add("strangers_" + when + "_member_answered", asked.median(), "s");
    report.add("strangers_" + when + "_member_answered_max", asked.max(), "s");
  }

  private static double memory(FleetMachine leader) {
    return ProcessUsage.of(leader.machine(), leader.pid("fleet.service")).rssMegabytes();
  }

  /** How long whole commands take that the leader answers, one after the other. */
  private static Samples asked(FleetMachine member) {
    List<Double> seconds = new ArrayList<>();
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < LENGTH.toNanos()) {
      long start = System.nanoTime();
      member.succeed("list-machines");
      seconds.add((System.nanoTime() - start) / 1e9);
    }
    return Samples.of(seconds, Double::doubleValue);
  }

  /** Begins calls and gives them up, on new connections as the old ones are cut. */
  private static final class Flood {
    private final HostPort to;
    private final AtomicBoolean over = new AtomicBoolean();
    private final LongAdder calls = new LongAdder();
    private final LongAdder cut = new LongAdder();

    private interface Work {
      Samples run();
    }

    Flood(HostPort to) {
      this.to = to;
    }

    Samples during(Work work) {
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < ATTACKERS; i++) {
          var _ = threads.submit(this::attack);
        }
        try {
          return work.run();
        } finally {
          over.set(true);
        }
      }
    }

    private void attack() {
      while (!over.get()) {
        try (RawHttp2 stranger = new RawHttp2(to)) {
          while (!over.get()) {
            stranger.write(calls(stranger));
            calls.add(CALLS_AT_ONCE);
          }
        } catch (IOException | GeneralSecurityException e) {
          cut.increment();
        }
      }
    }

    private static byte[] calls(RawHttp2 stranger) throws IOException {
      var frames = new ByteArrayOutputStream();
      for (int i = 0; i < CALLS_AT_ONCE; i++) {
        frames.write(stranger.reset(PATH));
      }
      return frames.toByteArray();
    }
  }
}
