package fleet.systemd.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PrivateManagerTest {

  @RegisterExtension static final PrivateManager manager = new PrivateManager();

  @Test
  void runsUnitsOfItsOwn() {
    Path file = manager.write("hello.service", "[Service]\nExecStart=/bin/sleep infinity\n");

    manager.systemctl("link", "--runtime", file.toString());
    manager.systemctl("start", "hello.service");

    assertThat(manager.systemctl("is-active", "hello.service")).isEqualTo("active\n");
    manager.systemctl("stop", "hello.service");
  }

  @Test
  void comesToItsBus() {
    manager.startBus();

    assertThat(manager.busSocket()).exists();
  }

  @Test
  void leavesNothingBehind() throws IOException {
    PrivateManager another = new PrivateManager().start();
    Path file = another.write("rest.service", "[Service]\nExecStart=/bin/sleep infinity\n");
    another.systemctl("link", "--runtime", file.toString());
    another.systemctl("start", "rest.service");
    String main = another.systemctl("show", "-P", "MainPID", "rest.service").strip();
    ProcessHandle process = ProcessHandle.of(Long.parseLong(main)).orElseThrow();
    String group = Files.readString(Path.of("/proc", main, "cgroup"));
    String ours = group.replaceAll("(?s).*(fleet-test-[0-9a-f-]+).*", "$1");
    Path runtime = another.runtimeDirectory();

    another.close();

    process.onExit().join();
    assertThat(runtime).doesNotExist();
    try (Stream<Path> groups = Files.walk(Path.of("/sys/fs/cgroup"), 2)) {
      assertThat(groups.filter(path -> path.endsWith(ours))).isEmpty();
    }
  }
}
