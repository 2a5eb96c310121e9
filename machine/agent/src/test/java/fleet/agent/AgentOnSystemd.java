package fleet.agent;

import fleet.coordination.EventLoop;
import fleet.coordination.SkippedTime;
import fleet.core.machine.Machine;
import fleet.core.machine.Overcommit;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.systemd.dbus.DBusSystemd;
import fleet.systemd.dbus.ManagerAddress;
import fleet.systemd.testing.PrivateManager;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An agent above a real systemd, and who plays the engine. */
abstract class AgentOnSystemd {

  @RegisterExtension static final PrivateManager MANAGER = new PrivateManager();

  static final String SLEEP = "[Service]\nExecStart=/bin/sleep 1000\n";

  @TempDir Path directory;
  RecordedCoordination engine;
  final SkippedTime time = new SkippedTime();
  private final WorkBesideLoops work = new WorkBesideLoops();
  Agent agent;

  @BeforeEach
  void start() throws IOException {
    begin(machine("boot"), settings());
  }

  private static Machine machine(String boot) {
    return new Machine("m1", boot, "", Map.of(), "test");
  }

  private AgentSettings settings() {
    return new AgentSettings(
        directory.resolve("units"), directory.resolve("marks"), Duration.ofHours(1));
  }

  void begin(String boot) throws IOException {
    begin(machine(boot), settings());
  }

  final void begin(Machine machine, AgentSettings settings) throws IOException {
    engine = new RecordedCoordination();
    agent =
        new Agent(
            machine,
            settings,
            engine,
            _ -> {
              throw new IllegalStateException("nobody asked");
            },
            listener ->
                DBusSystemd.connect(
                    new ManagerAddress.PrivateSocket(MANAGER.privateSocket()), listener),
            work.counted(this::loop));
    agent.start();
  }

  EventLoop loop(String name, Runnable turnEnd) {
    return time.start(name, turnEnd);
  }

  /** Another agent in the same boot. */
  void restartAgent() throws IOException {
    agent.close();
    begin("boot");
  }

  @AfterEach
  void stop() throws Exception {
    engine.schedule(List.of());
    agent.close();
    work.awaitEnd();
  }

  void forget(ScheduleEntry entry) throws Exception {
    engine.remove(entry.unit());
    engine.awaitGone(entry.unit());
  }

  static boolean isRunning(UnitState state) {
    return state.systemd().active().equals("active");
  }

  static String systemctl(String... arguments) {
    return MANAGER.systemctl(arguments).strip();
  }

  static String shown(ScheduleEntry entry, String property) {
    return shown(entry.unit(), property);
  }

  static String shown(UnitName unit, String property) {
    return MANAGER.systemctl("show", "-P", property, unit.value()).strip();
  }

  static ScheduleEntry launched(String unit, String text, String id, long counter) {
    return entry(unit, text, id, TargetState.LAUNCHED, counter);
  }

  static ScheduleEntry launched(String unit, String text) {
    return launched(unit, text, "i1", 1);
  }

  static ScheduleEntry entry(
      String unit, String text, String id, TargetState target, long counter) {
    return new ScheduleEntry(
        UnitName.of(unit),
        new Incarnation(id),
        file(text),
        target,
        counter,
        false,
        counter,
        Overcommit.NONE,
        List.of());
  }

  static UnitFile file(String text) {
    try {
      return UnitFile.parse(text);
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
