package fleet.machinetests;

import fleet.testkit.BackgroundTasks;
import fleet.testkit.FleetMachine;
import fleet.testkit.Result;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Rounds of commands on one machine, each with a unit of its own, until they are told to end. They
 * are those of the newer fleetctl, in its own folder: one that is replaced while it starts is
 * another matter, and an older one's {@code destroy} may not wait for a machine in maintenance.
 */
final class UpgradeLoad {

  /** Ends at the first command that fails, with all that it printed. */
  private static final String ROUNDS =
      """
      cd /root
      n=0
      rm -f /root/end
      while [ ! -e /root/end ]; do
        n=$((n + 1))
        for command in start restart destroy; do
          /opt/newer/bin/fleetctl $command $1@$n >/root/printed 2>&1 ||
            { echo "$command $1@$n ended with $?:"; cat /root/printed; exit 1; }
        done
        echo $n >/root/ended; mv /root/ended /root/rounds
      done
      """;

  private final FleetMachine machine;
  private final String name;
  private final CompletableFuture<Result> running;

  private UpgradeLoad(FleetMachine machine, String name) {
    this.machine = machine;
    this.name = name;
    machine.machine().write("/root/rounds", "0");
    this.running = BackgroundTasks.the(() -> machine.machine().run("sh", "-c", ROUNDS, "sh", name));
  }

  /** Begins; the name is that of the units' template. */
  static UpgradeLoad begin(FleetMachine machine, String name) {
    machine.sleeper(name + "@.service");
    return new UpgradeLoad(machine, name);
  }

  /** Waits until one more round has begun and ended. */
  void awaitRound() {
    int seen = rounds();
    machine.machine().await("a round of " + name, () -> running.isDone() || rounds() > seen + 1);
    if (running.isDone()) {
      running.join().orThrow();
      throw new AssertionError("the rounds of " + name + " ended by themselves");
    }
  }

  private int rounds() {
    return Integer.parseInt("0" + machine.machine().read("/root/rounds").strip());
  }

  /** Lets the last round end, and gives the units of all rounds. */
  List<String> end() {
    machine.machine().write("/root/end", "");
    running.join().orThrow();
    return IntStream.rangeClosed(1, rounds()).mapToObj(n -> name + "@" + n + ".service").toList();
  }
}
