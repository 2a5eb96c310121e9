package fleet.coordination.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.EngineCoordination;
import fleet.coordination.EventThread;
import fleet.core.machine.Machine;
import fleet.core.state.AgentReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AdmissionQueueTest {

  private static final int MANY = 1_000;

  /** An engine that takes in what it has been told only when a test says so. */
  private static final class SlowEngine implements EngineCoordination.Listener {
    private final List<String> told = Collections.synchronizedList(new ArrayList<>());
    private final BlockingQueue<Runnable> afterwards = new LinkedBlockingQueue<>();

    @Override
    public void present(Machine machine) {
      told.add(machine.id());
    }

    @Override
    public void reported(String machine, List<AgentReport> reports) {
      told.add(machine + " reports");
    }

    @Override
    public void absent(String machine, String why) {
      told.add(machine + " is absent");
    }

    @Override
    public void left(String machine, boolean emptied, String why) {
      told.add(machine + " has left");
    }

    @Override
    public void takenIn(Runnable then) {
      afterwards.add(then);
    }

    void takeIn() throws InterruptedException {
      afterwards.take().run();
    }
  }

  private static Machine machine(int number) {
    return new Machine("m" + number, "boot", "10.0.0.1", Map.of(), "2.0.0");
  }

  @Test
  void noMoreIsUnderWayThanIsTakenInSoonAndAllOfItComesInOrder() throws Exception {
    var engine = new SlowEngine();
    try (var loop = new EventThread("lead", () -> {})) {
      var intake = new AdmissionQueue(loop, engine);
      boolean _ =
          loop.call(() -> {
            IntStream.range(0, MANY).forEach(i -> intake.present(machine(i)));
            intake.left("m0", true, "it has left");
            return true;
          });
      // The first was alone; what came meanwhile comes in portions.
      assertThat(engine.told).containsExactly("m0");
      int most = 0;
      while (engine.told.size() <= MANY) {
        int before = engine.told.size();
        engine.takeIn();
        int _ = loop.call(() -> 0);
        most = Math.max(most, engine.told.size() - before);
      }
      assertThat(most).isBetween(2, 64);
      assertThat(engine.told.subList(0, MANY))
          .isEqualTo(IntStream.range(0, MANY).mapToObj(i -> "m" + i).toList());
      assertThat(engine.told.getLast()).isEqualTo("m0 has left");
    }
  }

  @Test
  void afterARestTheNextWordIsHandedOnAtOnce() throws Exception {
    var engine = new SlowEngine();
    try (var loop = new EventThread("lead", () -> {})) {
      var intake = new AdmissionQueue(loop, engine);
      for (int i = 0; i < 3; i++) {
        int number = i;
        boolean _ =
            loop.call(() -> {
              intake.present(machine(number));
              return true;
            });
        assertThat(engine.told).hasSize(i + 1);
        engine.takeIn();
        int _ = loop.call(() -> 0);
      }
    }
  }
}
