package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.OperatingSystem;
import fleet.testkit.Result;
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

    fleet()
        .machine()
        .await(
            "soft.service to run again",
            () -> !invocation().isEmpty() && !invocation().equals(before));
    fleet().awaitState("soft.service", "active running");
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

  /** Empty while it does not run, or nobody can say. */
  private String invocation() {
    Result shown =
        fleet()
            .machine()
            .run("systemctl", "show", "--property=InvocationID", "--value", "soft.service");
    return shown.ok() ? shown.stdout().strip() : "";
  }
}
