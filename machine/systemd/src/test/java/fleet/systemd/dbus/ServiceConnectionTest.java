package fleet.systemd.dbus;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.systemd.ServiceJob;
import fleet.systemd.testing.PrivateManager;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceConnectionTest {

  @RegisterExtension static final PrivateManager manager = new PrivateManager();

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir Path directory;

  /** A service whose end hangs until the test says go, so that its job can be looked at. */
  private long hanging(String name) {
    return hanging(name, "");
  }

  private long hanging(String name, String unit) {
    Path go = directory.resolve("go");
    manager.writeForeign(
        name,
        """
        [Unit]
        %s
        [Service]
        ExecStart=/bin/sleep infinity
        ExecStop=/bin/sh -c 'until [ -e %s ]; do sleep 0.05; done'
        """
            .formatted(unit, go));
    manager.systemctl("daemon-reload");
    manager.systemctl("start", name);
    return pid(name);
  }

  private static long pid(String name) {
    return Long.parseLong(manager.systemctl("show", "-P", "MainPID", name).strip());
  }

  private static ManagerAddress here() {
    return new ManagerAddress.PrivateSocket(manager.privateSocket());
  }

  private static ServiceJob jobOf(long pid) {
    return ServiceConnection.jobOf(here(), pid, PATIENCE);
  }

  @ParameterizedTest
  @CsvSource({"stop,stop,true", "restart,restart,false", "try-restart,restart,false"})
  void theJobOfAServiceIsKnown(String command, String type, boolean forGood) throws IOException {
    String name = command + "-job.service";
    long pid = hanging(name);
    assertThat(jobOf(pid)).isEqualTo(new ServiceJob.None(name));

    manager.systemctl("--no-block", command, name);

    ServiceJob job = jobOf(pid);
    Files.createFile(directory.resolve("go"));
    manager.systemctl("stop", name);
    assertThat(job).isEqualTo(new ServiceJob.Pending(name, type));
    assertThat(job.endsForGood()).isEqualTo(forGood);
  }

  @Test
  void aStopThatAStartHasOvertakenIsNotForGood() throws IOException {
    long pid = hanging("back.service");
    manager.systemctl("--no-block", "stop", "back.service");
    manager.systemctl("--no-block", "start", "back.service");

    ServiceJob job = jobOf(pid);

    Files.createFile(directory.resolve("go"));
    manager.systemctl("stop", "back.service");
    assertThat(job.endsForGood()).isFalse();
  }

  @Test
  void theBusKnowsItToo() {
    manager.startBus();
    manager.writeForeign("onbus.service", "[Service]\nExecStart=/bin/sleep infinity\n");
    manager.systemctl("daemon-reload");
    manager.systemctl("start", "onbus.service");

    ServiceJob job =
        ServiceConnection.jobOf(
            new ManagerAddress.Bus(manager.busSocket()), pid("onbus.service"), PATIENCE);

    manager.systemctl("stop", "onbus.service");
    assertThat(job).isEqualTo(new ServiceJob.None("onbus.service"));
  }

  /** A service that its socket would start again, and the process of it. */
  private static long activated(String name) {
    manager.writeForeign(name + ".socket", "[Socket]\nListenStream=%h/" + name + "\n");
    manager.writeForeign(
        name + ".service", "[Unit]\nWants=%p.socket\n[Service]\nExecStart=/bin/sleep infinity\n");
    manager.systemctl("daemon-reload");
    manager.systemctl("start", name + ".socket", name + ".service");
    return pid(name + ".service");
  }

  private static Optional<String> stopSocket(ManagerAddress address, long pid) {
    return ServiceConnection.stopSocket(address, pid, PATIENCE);
  }

  private static String state(String unit) {
    return manager.systemctl("show", "-P", "ActiveState", unit).strip();
  }

  @Test
  void theSocketOfAServiceIsStoppedWhileTheServiceGoesOn() {
    long pid = activated("here");

    assertThat(stopSocket(here(), pid)).contains("here.socket");

    assertThat(state("here.socket")).isEqualTo("inactive");
    assertThat(state("here.service")).isEqualTo("active");
  }

  /** In order, the socket is stopped after the service, which waits for it. */
  @Test
  void itIsStoppedAtOnceIfBothAreBeingStopped() throws IOException {
    manager.writeForeign("both.socket", "[Socket]\nListenStream=%h/both\n");
    long pid = hanging("both.service", "Wants=both.socket");
    manager.systemctl("--no-block", "stop", "both.socket", "both.service");

    assertThat(stopSocket(here(), pid)).contains("both.socket");

    assertThat(state("both.socket")).isEqualTo("inactive");
    Files.createFile(directory.resolve("go"));
  }

  @Test
  void aServiceWithoutASocketHasNoneToStop() {
    manager.writeForeign("alone.service", "[Service]\nExecStart=/bin/sleep infinity\n");
    manager.systemctl("daemon-reload");
    manager.systemctl("start", "alone.service");
    assertThat(stopSocket(here(), pid("alone.service"))).isEmpty();
  }

  @Test
  void aSocketIsStoppedOverTheBusToo() {
    manager.startBus();
    long pid = activated("onbus-too");

    assertThat(stopSocket(new ManagerAddress.Bus(manager.busSocket()), pid))
        .contains("onbus-too.socket");

    assertThat(state("onbus-too.socket")).isEqualTo("inactive");
  }

  @Test
  void aProcessThatIsNotTheMainOneIsNoService() {
    manager.writeForeign(
        "parent.service", "[Service]\nExecStart=/bin/sh -c 'sleep infinity & wait'\n");
    manager.systemctl("daemon-reload");
    manager.systemctl("start", "parent.service");
    ProcessHandle parent = ProcessHandle.of(pid("parent.service")).orElseThrow();
    while (parent.children().findAny().isEmpty()) {
      Thread.onSpinWait();
    }

    ServiceJob job = jobOf(parent.children().findAny().orElseThrow().pid());

    manager.systemctl("stop", "parent.service");
    assertThat(job).isEqualTo(new ServiceJob.NoService());
  }

  @Test
  void aProcessOfNoUnitIsUnknown() {
    assertThat(jobOf(ProcessHandle.current().pid())).isInstanceOf(ServiceJob.Unknown.class);
  }

  @Test
  void aSystemdThatIsNotThereIsUnknown() {
    ServiceJob job =
        ServiceConnection.jobOf(
            new ManagerAddress.PrivateSocket(directory.resolve("nobody")), 1, PATIENCE);
    assertThat(job).isInstanceOf(ServiceJob.Unknown.class);
    assertThat(job.endsForGood()).isFalse();
  }

  @Test
  void aSystemdThatDoesNotAnswerIsNotWaitedFor() throws IOException {
    Path socket = directory.resolve("mute");
    try (var mute = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      mute.bind(UnixDomainSocketAddress.of(socket));
      ServiceJob job =
          ServiceConnection.jobOf(
              new ManagerAddress.PrivateSocket(socket), 1, Duration.ofMillis(300));
      assertThat(job).isInstanceOf(ServiceJob.Unknown.class);
    }
  }
}
