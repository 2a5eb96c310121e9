package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.OperatingSystem;
import org.junit.jupiter.api.Test;

/** With Debian 13. */
class Debian13AgentRestartTest extends AgentRestartTest {

  Debian13AgentRestartTest() {
    super(OperatingSystem.DEBIAN_13);
  }

  /** It ends all units as any boot does, while the boot id and {@code /run} stay. */
  @Test
  void unitsRunAgainAfterASoftReboot() {
    fleet().sleeper("soft.service").succeed("start", "soft.service");
    String before = invocation();
    assertThat(before).isNotEmpty();

    keepMounted("opt-fleet.mount");
    fleet().machine().run("systemctl", "soft-reboot");
    awaitEndOfSoftReboot();

    fleet().awaitState("soft.service", "active running");
    assertThat(invocation()).isNotEmpty().isNotEqualTo(before);
  }

  /**
   * Read from outside: a soft reboot freezes each process in the machine before it kills it, and
   * who waits for a frozen one, as nsenter does, freezes too.
   */
  private void awaitEndOfSoftReboot() {
    fleet()
        .machine()
        .await(
            "the soft reboot to end",
            () -> fleet().machine().journal().contains("Soft-reboot finished"));
  }

  /** A test machine's own boot does not mount again the folders that it is given from outside. */
  private void keepMounted(String mount) {
    fleet()
        .machine()
        .write(
            "/run/systemd/system/%s.d/keep.conf".formatted(mount),
            "[Unit]\nDefaultDependencies=no\n");
    fleet().machine().succeed("systemctl", "daemon-reload");
  }

  private String invocation() {
    return fleet().machine().property("soft.service", "InvocationID");
  }
}
