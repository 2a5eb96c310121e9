package fleet.systemd.dbus;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.state.SystemdState;
import fleet.core.unit.UnitName;
import fleet.systemd.testing.PrivateManager;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BusTest extends DBusSystemdContract {

  @RegisterExtension static final PrivateManager manager = new PrivateManager();

  @BeforeAll
  static void startBus() {
    manager.startBus();
  }

  @Override
  PrivateManager manager() {
    return manager;
  }

  @Override
  ManagerAddress address() {
    return new ManagerAddress.Bus(manager.busSocket());
  }

  @Test
  void followsMoreUnitsThanABusTakesRules() {
    UnitName early = link("early.service", SLEEP);
    UnitName late = link("late.service", SLEEP);
    List<UnitName> crowd =
        IntStream.range(0, BusRules.MOST_UNITS)
            .mapToObj(i -> UnitName.of("crowd@" + i + ".service"))
            .toList();
    systemd.follow(List.of(early));
    systemd.follow(crowd);
    systemd.follow(List.of(late));

    assertThat(end(systemd.start(early))).isEqualTo("done");
    assertThat(end(systemd.start(late))).isEqualTo("done");

    listener.await(early, SystemdState::isActive);
    listener.await(late, SystemdState::isActive);
    systemd.unfollow(crowd);
  }

  @Test
  void comesBackWhenTheBusDoes() {
    UnitName unit = link("over-the-bus.service", SLEEP);
    systemd.follow(List.of(unit));

    manager.systemctl("restart", "dbus.service");
    listener.awaitReconnected(1);

    assertThat(end(systemd.start(unit))).isEqualTo("done");
    listener.await(unit, SystemdState::isActive);
  }
}
