package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.agent.ReleaseProgress;
import fleet.coordination.EventThread;
import fleet.fleetd.config.Configuration;
import fleet.fleetd.notify.DatagramReceiver;
import fleet.registry.Registry;
import fleet.registry.embedded.EmbeddedRegistry;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process as systemd meets it: a JVM of its own, signals, notifications, exit codes. */
class ProcessTest {
  @TempDir Path directory;
  private final List<Process> started = new ArrayList<>();
  private String address = "";

  @BeforeEach
  void configuration() throws IOException {
    address = directory.resolve("notify").toString();
    configure("");
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void sigtermAndSigintStopInOrderWithExitCodeZero() throws Throwable {
    for (String signal : List.of("TERM", "INT")) {
      Files.deleteIfExists(Path.of(address));
      try (DatagramReceiver systemd = DatagramReceiver.bind(address)) {
        Process process = start(Recording.class);
        assertThat(systemd.receive()).isEqualTo("READY=1\nSTATUS=metadata {}");

        kill(process, signal);

        assertThat(systemd.receive()).startsWith("STOPPING=1\n");
        assertThat(exitCode(process)).isZero();
        assertThat(output()).containsExactly("closed");
        assertThat(errors()).contains("INFO LifeCycle: Gracefully shutting down");
      }
    }
  }

  @Test
  void aSecondSigtermDoesNotHurt() throws Throwable {
    try (DatagramReceiver systemd = DatagramReceiver.bind(address)) {
      Process process = start(SlowToClose.class);
      systemd.receive();

      kill(process, "TERM");
      assertThat(systemd.receive()).startsWith("STOPPING=1\n");
      kill(process, "TERM");
      kill(process, "INT");
      Files.createFile(directory.resolve("go"));

      assertThat(exitCode(process)).isZero();
      assertThat(output()).containsExactly("closed");
    }
  }

  @Test
  void secondOneOnTheSameMachineIsTurnedAwayWithThePidOfTheFirst() throws Throwable {
    try (DatagramReceiver systemd = DatagramReceiver.bind(address)) {
      Process first = start(Recording.class);
      systemd.receive();

      assertThat(exitCode(start(Recording.class))).isEqualTo(1);
      assertThat(lastError())
          .startsWith("fleetd: another fleetd (pid " + first.pid() + ")")
          .contains(directory.resolve("run").toString());
      assertThat(first.isAlive()).isTrue();

      kill(first, "KILL");
      first.waitFor();
      start(Recording.class);
      assertThat(systemd.receive()).startsWith("READY=1\n");
    }
  }

  @Test
  void sighupTakesOnTheNewConfiguration() throws Throwable {
    try (DatagramReceiver systemd = DatagramReceiver.bind(address)) {
      Process process = start(Recording.class);
      systemd.receive();
      configure("metadata=disk=ssd\n");

      kill(process, "HUP");

      assertThat(systemd.receive()).startsWith("RELOADING=1\nMONOTONIC_USEC=");
      assertThat(systemd.receive()).isEqualTo("READY=1\nSTATUS=metadata {disk=ssd}");
    }
  }

  @Test
  void sighupWithABadConfigurationKeepsTheFormerOne() throws Throwable {
    try (DatagramReceiver systemd = DatagramReceiver.bind(address)) {
      Process process = start(Recording.class);
      systemd.receive();
      configure("agent_ttl=30\n");

      kill(process, "HUP");

      assertThat(systemd.receive()).startsWith("RELOADING=1\n");
      assertThat(systemd.receive()).isEqualTo("READY=1\nSTATUS=metadata {}");
      assertThat(errors()).contains("agent_ttl: \"30\" is not valid");
      assertThat(process.isAlive()).isTrue();
    }
  }

  @Test
  void sigusr1DumpsOneLine() throws Throwable {
    try (DatagramReceiver systemd = DatagramReceiver.bind(address)) {
      Process process = start(Recording.class);
      systemd.receive();

      kill(process, "USR1");

      assertThat(systemd.receive()).isEqualTo("STATUS=dumped");
      assertThat(output()).containsExactly("{\"metadata\":0}");
    }
  }

  @Test
  void startThatFailsIsOneLineAndExitCodeOne() throws Exception {
    Process process = start(Failing.class);

    assertThat(exitCode(process)).isEqualTo(1);
    assertThat(lastError()).isEqualTo("fleetd: the disk is full: make room");
  }

  @Test
  void anErrorInALoopEndsItSoThatSystemdStartsAnother() throws Throwable {
    try (DatagramReceiver systemd = DatagramReceiver.bind(address)) {
      Process process = start(OutOfMemory.class);

      assertThat(systemd.receive()).startsWith("READY=1\n");
      Files.createFile(directory.resolve("go"));
      assertThat(exitCode(process)).isEqualTo(1);
      assertThat(errors())
          .contains("ERROR FatalErrorHandler: the loop: java.lang.OutOfMemoryError: of this test")
          .contains("fleetd ends, and systemd starts it again");
    }
  }

  @Test
  void verbositySaysWhereAFailureComesFrom() throws Exception {
    configure("verbosity=1\n");

    assertThat(exitCode(start(Failing.class))).isEqualTo(1);
    assertThat(errors())
        .contains("\nfleetd: the disk is full: make room\n")
        .contains("\n\tat fleet.fleetd.ProcessTest$Failing.start");
  }

  @Test
  void badConfigurationIsOneLineAndExitCodeTwo() throws Exception {
    configure("token_limit=0\n");

    assertThat(exitCode(start(Recording.class))).isEqualTo(2);
    assertThat(errors().lines())
        .containsExactly(
            "fleetd: "
                + directory.resolve("fleet.conf")
                + ":5: token_limit: \"0\" is not valid, expected a whole number from 1 to 65535");
  }

  @Test
  void aTokenThatWillNeverDoIsOneLineAndExitCodeTwo() throws Exception {
    configure("join=127.0.0.1:1\ntoken=FLEET-1-abc\napi_socket=" + directory + "/api.sock\n");

    assertThat(exitCode(start(Main.class))).isEqualTo(2);
    assertThat(lastError())
        .isEqualTo(
            "fleetd: the token is not whole: take all of what \"fleetctl token create\" printed");
  }

  @Test
  void secondOneOnTheSameDataIsTurnedAway() throws Throwable {
    try (DatagramReceiver systemd = DatagramReceiver.bind(address)) {
      start(RegistryOnly.class);
      systemd.receive();

      Process second = start(RegistryOnly.class);

      assertThat(exitCode(second)).isEqualTo(1);
      assertThat(lastError()).startsWith("fleetd: another fleetd (pid ");
    }
  }

  private void configure(String options) throws IOException {
    Files.writeString(
        directory.resolve("fleet.conf"),
        """
        data_directory=%1$s/data
        runtime_directory=%1$s/run
        units_directory=%1$s/run/units
        public_ip=192.0.2.1
        %2$s\
        """
            .formatted(directory, options));
  }

  private Process start(Class<?> main) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            // Java leaves a signal ignored that was ignored before it, as SIGINT is in the
            // background
            // of a shell.
            "env",
            "--default-signal=INT,TERM,HUP",
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName(),
            "-config",
            directory.resolve("fleet.conf").toString());
    builder.environment().clear();
    builder.environment().putAll(Map.of("NOTIFY_SOCKET", address, "PATH", "/usr/bin:/bin"));
    builder.redirectOutput(directory.resolve("out").toFile());
    builder.redirectError(directory.resolve("err").toFile());
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private static void kill(Process process, String signal) throws Exception {
    new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
  }

  private static int exitCode(Process process) throws InterruptedException {
    return process.waitFor();
  }

  private List<String> output() throws IOException {
    return Files.readAllLines(directory.resolve("out"));
  }

  private String errors() throws IOException {
    return Files.readString(directory.resolve("err"));
  }

  private String lastError() throws IOException {
    return errors().lines().toList().getLast();
  }

  /** A program that ends when a file says so. */
  static final class SlowToClose {
    public static void main(String[] arguments) {
      System.exit(
          new Fleetd(System.getenv(), System.out, System.err, SlowToClose::start).run(arguments));
    }

    private static RunningDaemon start(StartupInputs startup) {
      return new Recording(startup) {
        @Override
        public void close() {
          awaitGo(startup);
          super.close();
        }
      };
    }
  }

  private static void awaitGo(StartupInputs startup) {
    Path go = startup.configuration().directories().data().resolveSibling("go");
    while (!Files.exists(go)) {
      Thread.onSpinWait();
    }
  }

  /** A program whose parts tell what they are asked to do. */
  static class Recording implements RunningDaemon {
    private final StartupInputs startup;
    private Map<String, String> metadata;

    private Recording(StartupInputs startup) {
      this.startup = startup;
      this.metadata = startup.configuration().metadata();
    }

    public static void main(String[] arguments) {
      System.exit(
          new Fleetd(System.getenv(), System.out, System.err, Recording::new).run(arguments));
    }

    @Override
    public String status() {
      return "metadata " + metadata;
    }

    @Override
    public void reload(Configuration configuration) {
      metadata = configuration.metadata();
    }

    @Override
    public void dump(PrintStream out) {
      out.println("{\"metadata\":" + metadata.size() + "}");
      startup.notifier().status("dumped");
    }

    @Override
    public Optional<String> trouble() {
      return Optional.empty();
    }

    @Override
    public boolean canRelease() {
      return true;
    }

    @Override
    public Optional<Instant> maintenance() {
      return Optional.empty();
    }

    @Override
    public void release(ReleaseProgress progress) {
      System.out.println("released");
    }

    @Override
    public void close() {
      System.out.println("closed");
    }
  }

  /** A program whose event loop meets an error when a file says so. */
  static final class OutOfMemory {
    public static void main(String[] arguments) {
      System.exit(
          new Fleetd(System.getenv(), System.out, System.err, OutOfMemory::start).run(arguments));
    }

    private static RunningDaemon start(StartupInputs startup) {
      new EventThread("the loop", () -> {})
          .post(() -> {
            awaitGo(startup);
            throw new OutOfMemoryError("of this test");
          });
      return new Recording(startup);
    }
  }

  /** A program whose parts cannot start. */
  static final class Failing {
    public static void main(String[] arguments) {
      System.exit(
          new Fleetd(System.getenv(), System.out, System.err, Failing::start).run(arguments));
    }

    private static RunningDaemon start(StartupInputs startup) throws FatalException {
      throw new FatalException("the disk is full: make room");
    }
  }

  /** A program that holds the registry and nothing else. */
  static final class RegistryOnly implements RunningDaemon {
    private final Registry registry;

    private RegistryOnly(StartupInputs startup) {
      registry = EmbeddedRegistry.open(startup.configuration().directories().data());
    }

    public static void main(String[] arguments) {
      System.exit(
          new Fleetd(System.getenv(), System.out, System.err, RegistryOnly::new).run(arguments));
    }

    @Override
    public String status() {
      return registry.storeId();
    }

    @Override
    public void reload(Configuration configuration) {}

    @Override
    public void dump(PrintStream out) {}

    @Override
    public Optional<String> trouble() {
      return Optional.empty();
    }

    @Override
    public boolean canRelease() {
      return false;
    }

    @Override
    public Optional<Instant> maintenance() {
      return Optional.empty();
    }

    @Override
    public void release(ReleaseProgress progress) {}

    @Override
    public void close() {
      registry.close();
    }
  }
}
