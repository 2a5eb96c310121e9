package fleet.simulation.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.coordination.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SimulatedProcessTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Simulation simulation = new Simulation(1);
  private final SimulatedProcess process = new SimulatedProcess(simulation, "p");
  private final List<String> told = new ArrayList<>();

  @Test
  void hoursPassInNoTime() {
    process.spawn(
        "sleeper",
        () -> {
          process.sleep(Duration.ofHours(5));
          told.add("awake");
        });
    simulation.run(Duration.ofHours(4));
    assertThat(told).isEmpty();
    simulation.run(Duration.ofHours(2));
    assertThat(told).containsExactly("awake");
  }

  @Test
  void aThreadThatWaitsForAFutureHoldsUpNobody() {
    var future = new CompletableFuture<String>();
    process.spawn("waiter", () -> told.add(future.join()));
    simulation.after(SECOND, () -> future.complete("done"));
    simulation.run(Duration.ofMillis(999));
    assertThat(told).isEmpty();
    simulation.run(SECOND);
    assertThat(told).containsExactly("done");
  }

  @Test
  void aKilledProcessEndsInTheMiddle() {
    process.spawn(
        "worker",
        () -> {
          told.add("begins");
          process.sleep(SECOND);
          told.add("ends");
        });
    simulation.run(Duration.ofMillis(500));
    process.kill();
    simulation.run(SECOND);
    assertThat(told).containsExactly("begins");
  }

  @Test
  void aFrozenProcessDoesNothingUntilItGoesOn() {
    EventLoop loop = process.loops().start("loop", () -> {});
    loop.postEvery(SECOND, () -> told.add("tick"));
    process.freeze();
    simulation.run(Duration.ofSeconds(10));
    assertThat(told).isEmpty();
    process.thaw();
    simulation.run(Duration.ofMillis(100));
    assertThat(told).containsExactly("tick");
  }

  @Test
  void aLoopDoesItsWorkInOrderAndEndsTheTurnOnce() {
    EventLoop loop = process.loops().start("loop", () -> told.add("end"));
    loop.post(() -> told.add("one"));
    loop.post(() -> told.add("two"));
    simulation.run(SECOND);
    assertThat(told).containsExactly("one", "two", "end");
  }

  @Test
  void aCallWaitsForTheLoop() {
    EventLoop loop = process.loops().start("loop", () -> {});
    process.spawn("caller", () -> told.add(loop.call(() -> "answer")));
    simulation.run(SECOND);
    assertThat(told).containsExactly("answer");
  }

  @Test
  void aFaultOfAThreadEndsTheRun() {
    process.spawn(
        "faulty",
        () -> {
          throw new IllegalStateException("on purpose");
        });
    assertThatThrownBy(() -> simulation.run(SECOND)).hasMessageContaining("on purpose");
  }

  @Test
  void whatWaitsForAHeldMonitorIsNoticed() throws Exception {
    var monitor = new Object();
    process.spawn(
        "holder",
        () -> {
          synchronized (monitor) {
            process.sleep(SECOND);
          }
        });
    process.spawn(
        "contender",
        () -> {
          process.sleep(Duration.ofMillis(500));
          synchronized (monitor) {
            told.add("entered");
          }
        });
    assertThatThrownBy(
            () -> {
              while (true) {
                simulation.run(SECOND);
              }
            })
        .hasMessageContaining("monitor");
    assertThat(told).isEmpty();
  }
}
