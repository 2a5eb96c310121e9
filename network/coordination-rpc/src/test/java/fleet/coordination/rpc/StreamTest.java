package fleet.coordination.rpc;

import fleet.core.machine.Machine;
import fleet.core.machine.Overcommit;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitOption;
import fleet.rpc.RpcChannels;
import fleet.rpc.RpcSecurity;
import fleet.rpc.message.MachineMessages;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.Hello;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;

/** One machine and what may be on its schedule; what speaks to it is closed after the test. */
abstract class StreamTest {

  static final UnitName WEB = UnitName.of("web.service");
  static final UnitName DB = UnitName.of("db.service");
  static final Machine MACHINE =
      new Machine("m1", "boot-1", "10.0.0.1", Map.of("disk", "ssd"), "test");

  private final List<AutoCloseable> open = new ArrayList<>();
  final BlockingQueue<String> fatal = new LinkedBlockingQueue<>();
  final RpcChannels channels = new RpcChannels(new RpcSecurity.PlainText(false));

  <T extends AutoCloseable> T opened(T part) {
    open.addFirst(part);
    return part;
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable part : open) {
      part.close();
    }
  }

  static ScheduleEntry entry(UnitName unit, long revision) {
    return new ScheduleEntry(
        unit,
        new Incarnation("i-" + unit.value()),
        new UnitFile(List.of(new UnitOption("Service", "ExecStart", "/bin/" + unit.value()))),
        TargetState.LAUNCHED,
        1,
        false,
        revision,
        Overcommit.NONE,
        List.of());
  }

  static FromAgent hello(Machine machine, Duration ttl) {
    return FromAgent.newBuilder()
        .setHello(
            Hello.newBuilder()
                .setVersion(StreamVersion.CURRENT)
                .setOldest(StreamVersion.OLDEST)
                .setMachine(MachineMessages.message(machine))
                .setSession("s1")
                .setTtlMillis(ttl.toMillis()))
        .build();
  }
}
