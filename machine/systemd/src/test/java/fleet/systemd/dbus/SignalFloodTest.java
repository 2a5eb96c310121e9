package fleet.systemd.dbus;

import static fleet.systemd.dbus.DBusSystemdContract.SLEEP;
import static fleet.systemd.dbus.DBusSystemdContract.end;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.state.SystemdState;
import fleet.core.unit.UnitName;
import fleet.systemd.testing.PrivateManager;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Units that are not fleet's may be as busy as they like. */
class SignalFloodTest {

  private static final int UNITS = 2500;
  private static final int SIGNALS = 60_000;

  @RegisterExtension static final PrivateManager manager = new PrivateManager();

  @Test
  void survivesAFloodOfForeignSignals() throws Exception {
    ManagerAddress address = new ManagerAddress.PrivateSocket(manager.privateSocket());
    manager.writeForeign("drop@.target", "[Unit]\nDefaultDependencies=no\nPartOf=flood.target\n");
    String drops =
        IntStream.range(0, UNITS)
            .mapToObj(i -> "drop@" + i + ".target")
            .collect(Collectors.joining(" "));
    manager.writeForeign("flood.target", "[Unit]\nDefaultDependencies=no\nWants=" + drops + "\n");
    Path file = manager.write("dry.service", SLEEP);
    UnitName unit = UnitName.of("dry.service");
    RecordingListener listener = new RecordingListener();
    Counter counter = new Counter();
    try (BusConnection witness = BusConnection.open(address);
        DBusSystemd systemd = DBusSystemd.connect(address, listener)) {
      Thread.ofVirtual().start(() -> witness.read(counter));
      manager.link(file);
      systemd.follow(List.of(unit));

      for (int round = 0; counter.signals.get() < SIGNALS; round++) {
        assertThat(round).isLessThan(10);
        assertThat(end(systemd.start(UnitName.of("flood.target")))).isEqualTo("done");
        assertThat(end(systemd.start(unit))).isEqualTo("done");
        assertThat(end(systemd.stop(UnitName.of("flood.target")))).isEqualTo("done");
      }

      listener.await(unit, SystemdState::isActive);
      assertThat(listener.links()).isEmpty();
      assertThat(listener.changes()).allMatch(change -> change.unit().equals(unit));
    }
  }

  private static final class Counter implements BusConnection.SignalHandler {
    private final AtomicInteger signals = new AtomicInteger();

    @Override
    public void signal(Frame frame) throws IOException {
      signals.incrementAndGet();
    }

    @Override
    public void caughtUp(BusConnection link) {}
  }
}
