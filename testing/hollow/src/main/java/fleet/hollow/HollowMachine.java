package fleet.hollow;

import fleet.agent.Agent;
import fleet.agent.AgentSettings;
import fleet.core.machine.Machine;
import fleet.core.unit.UnitName;
import fleet.systemd.simulated.SimulatedSystemd;
import fleet.systemd.simulated.SystemdObserver;
import fleet.systemd.simulated.UnitFortunes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;

/** A machine that has an agent as it ships, and nothing below it. */
final class HollowMachine {

  private static final Duration SAFETY_PASS = Duration.ofMinutes(5);

  /** How many values there are of each metadata. */
  private static final int ZONES = 10;

  private static final int DISKS = 2;
  private static final int RACKS = 25;

  /** So many share zone, disk and rack, or more. */
  private static final int MACHINES_PER_PLACE = 10;

  private final Machine machine;
  private final HollowProcess process;
  private final Agent agent;

  /**
   * @param number from 0
   * @param machines how many there are
   * @param directory for what it writes
   */
  HollowMachine(
      int number,
      int machines,
      Path directory,
      Duration ttl,
      HollowTransport transport,
      ScheduledExecutorService timer)
      throws IOException {
    this.machine = described(number, machines);
    this.process = new HollowProcess(timer);
    var time = new RealTime(timer, number);
    Path own = directory.resolve(machine.id());
    var systemd =
        new SimulatedSystemd(
            time,
            machine.id(),
            (_, _) -> UnitFortunes.FAIR,
            new Unobserved(),
            own.resolve("systemd"));
    this.agent =
        new Agent(
            machine,
            new AgentSettings(
                own.resolve("units"),
                own.resolve("marks"),
                own.resolve("isolation"),
                SAFETY_PASS,
                ttl,
                false),
            transport.open(machine, process::start),
            question -> {
              throw new IllegalStateException("a hollow machine has no answer: " + question);
            },
            listener -> systemd.connect(time.process(), listener),
            process::start);
  }

  /** The id of the machine with this number. */
  static String id(int number) {
    return String.format(Locale.ROOT, "%032x", 0xf1ee7000000L + number);
  }

  private static Machine described(int number, int machines) {
    int place = number % Math.clamp(machines / MACHINES_PER_PLACE, 1, ZONES * DISKS * RACKS);
    Map<String, String> metadata = new TreeMap<>();
    metadata.put("hollow", "yes");
    metadata.put("zone", "z" + place % ZONES);
    metadata.put("disk", place / ZONES % DISKS == 0 ? "ssd" : "hdd");
    metadata.put("rack", "r" + place / (ZONES * DISKS) % RACKS);
    String id = id(number);
    return new Machine(id, "boot-of-" + id, "", metadata, "hollow");
  }

  /** Begins to join the cluster. */
  void start() throws IOException {
    agent.start();
  }

  /** It falls silent, for good. */
  void losePower() {
    process.kill();
  }

  private static final class Unobserved implements SystemdObserver {
    @Override
    public void starting(UnitName unit) {}

    @Override
    public void stopping(UnitName unit, boolean runs) {}

    @Override
    public void changed(UnitName unit, boolean runs) {}

    @Override
    public void touchedForeign(UnitName unit, String call) {
      throw new IllegalStateException(call + " of " + unit + ", which is not fleet's");
    }
  }
}
