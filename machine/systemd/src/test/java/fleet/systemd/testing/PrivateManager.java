package fleet.systemd.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.core.testing.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A real {@code systemd --user} of the tests' own, on a machine whatever its PID 1 is.
 *
 * <p>As a JUnit extension in a static field, annotated with {@code @RegisterExtension}, one manager
 * serves all tests of a class; {@link #start} and {@link #close} serve any other use. It has its
 * own cgroups, runtime directory and {@code /run/systemd}, and goes with all its units when the
 * test JVM ends, even if that is killed. Needs root, and Debian's packages systemd and dbus.
 */
public final class PrivateManager implements BeforeAllCallback, AfterAllCallback, AutoCloseable {

  private static final Duration HANGS = Duration.ofMinutes(10);

  private @Nullable Path root;
  private @Nullable Process keeper;
  private long pid;

  @Override
  public void beforeAll(ExtensionContext context) {
    start();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    close();
  }

  /** Starts the manager and returns when it has started its default target. */
  public PrivateManager start() {
    requirements();
    try {
      Path home = Files.createTempDirectory("fleet-systemd-");
      root = home;
      for (String name : List.of("run", "config/systemd/user", "data", "home", "units")) {
        Files.createDirectories(home.resolve(name));
      }
      writeOwnUnits(home.resolve("config/systemd/user"));
      String group = "fleet-test-" + UUID.randomUUID();
      keeper =
          new ProcessBuilder("sh", script().toString(), home.toString(), group)
              .redirectError(home.resolve("keeper.log").toFile())
              .start();
      pid = readPid(keeper);
      awaitDefaultTarget();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** The manager's {@code XDG_RUNTIME_DIR}. */
  public Path runtimeDirectory() {
    return root().resolve("run");
  }

  /** The socket for direct connections, without a bus. */
  public Path privateSocket() {
    return runtimeDirectory().resolve("systemd/private");
  }

  /** The user bus; there after {@link #startBus}. */
  public Path busSocket() {
    return runtimeDirectory().resolve("bus");
  }

  /** An empty directory outside of the unit path, for unit files to link. */
  public Path unitFiles() {
    return root().resolve("units");
  }

  /** A directory of the manager's own unit path, for units that are not fleet's. */
  public Path foreignUnitFiles() {
    return root().resolve("config/systemd/user");
  }

  /** The manager's process; the same after {@code daemon-reexec}. */
  public long pid() {
    return pid;
  }

  /** Writes a unit file into {@link #unitFiles}. */
  public Path write(String name, String text) {
    return writeInto(unitFiles(), name, text);
  }

  /** Links a unit file into the manager's runtime directory, as fleet does. */
  public void link(Path file) {
    try {
      Path runtime = Files.createDirectories(runtimeDirectory().resolve("systemd/user"));
      Files.createSymbolicLink(runtime.resolve(file.getFileName()), file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes the link to a unit's file, if there is one. */
  public void unlink(String unit) {
    try {
      Files.deleteIfExists(runtimeDirectory().resolve("systemd/user").resolve(unit));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a unit file into {@link #foreignUnitFiles}. */
  public Path writeForeign(String name, String text) {
    return writeInto(foreignUnitFiles(), name, text);
  }

  /**
   * Runs {@code systemctl --user} against this manager.
   *
   * @return what it printed
   * @throws IllegalStateException if it exits with something else than 0
   */
  public String systemctl(String... arguments) {
    List<String> command = new ArrayList<>(List.of("systemctl", "--user", "--no-pager"));
    command.addAll(List.of(arguments));
    return run(command);
  }

  /** Runs any program with this manager's environment; see {@link #systemctl}. */
  public String run(List<String> command) {
    try {
      Path output = Files.createTempFile(root(), "output-", ".log");
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.redirectOutput(output.toFile());
      builder.environment().put("XDG_RUNTIME_DIR", runtimeDirectory().toString());
      builder.environment().put("XDG_CONFIG_HOME", root().resolve("config").toString());
      builder.environment().remove("DBUS_SESSION_BUS_ADDRESS");
      Process process = builder.start();
      if (!process.waitFor(HANGS.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(String.join(" ", command) + " did not end. " + log());
      }
      String text = Files.readString(output);
      Files.delete(output);
      if (process.exitValue() != 0) {
        throw new IllegalStateException(
            String.join(" ", command) + " exited with " + process.exitValue() + ": " + text);
      }
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Starts a dbus-daemon as this manager's user bus, and has the manager connect to it. */
  public void startBus() {
    systemctl("start", "dbus.service");
    await(
        () -> run(List.of("busctl", "--user", "list")).contains("org.freedesktop.systemd1 "),
        "systemd did not come to the user bus");
  }

  /** The manager's own log so far, to show when a test fails. */
  public String log() {
    try {
      return Files.readString(root().resolve("manager.log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    Process running = keeper;
    keeper = null;
    if (running == null) {
      return;
    }
    try {
      running.getOutputStream().close();
      if (!running.waitFor(HANGS.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("the private systemd did not end");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void requirements() {
    require("/usr/bin/systemctl", "systemd");
    require("/usr/bin/dbus-daemon", "dbus");
    require("/usr/share/dbus-1/session.conf", "dbus");
    require("/usr/bin/unshare", "util-linux");
    if (!System.getProperty("user.name").equals("root")) {
      throw new IllegalStateException("a private systemd needs root; run the tests as root");
    }
  }

  private static void require(String file, String debianPackage) {
    if (!Files.exists(Path.of(file))) {
      throw missing(debianPackage);
    }
  }

  private static IllegalStateException missing(String debianPackage) {
    return new IllegalStateException(
        "these tests need a real systemd: apt-get install " + debianPackage);
  }

  /** The units that the machine may lack, or have with others drawn in that no test wants. */
  private static void writeOwnUnits(Path directory) {
    writeInto(directory, "default.target", "[Unit]\nDescription=Tests\nDefaultDependencies=no\n");
    writeInto(
        directory,
        "dbus.socket",
        """
        [Unit]
        DefaultDependencies=no
        [Socket]
        ListenStream=%t/bus
        """);
    writeInto(
        directory,
        "dbus.service",
        """
        [Unit]
        DefaultDependencies=no
        Requires=dbus.socket
        After=dbus.socket
        [Service]
        Type=notify
        NotifyAccess=main
        ExecStart=/usr/bin/dbus-daemon --session --address=systemd: --nofork --nopidfile \
        --systemd-activation --syslog-only
        """);
    for (String noise : List.of("gpg-agent", "gpg-agent-ssh", "gpg-agent-extra", "dirmngr")) {
      mask(directory.resolve(noise + ".socket"));
    }
    mask(directory.resolve("gpg-agent-browser.socket"));
    mask(directory.resolve("pk-debconf-helper.socket"));
  }

  private static void mask(Path unit) {
    try {
      Files.createSymbolicLink(unit, Path.of("/dev/null"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path writeInto(Path directory, String name, String text) {
    try {
      return Files.writeString(directory.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same that {@code ./dev up} uses: there is one way to run a private systemd. */
  private static Path script() {
    Path script =
        Path.of(System.getProperty("fleet.root", "../.."), "build/scripts/private-manager");
    if (!Files.isRegularFile(script)) {
      throw new IllegalStateException(
          "no " + script.toAbsolutePath() + ": set the system property fleet.root to the checkout");
    }
    return script.toAbsolutePath();
  }

  private long readPid(Process started) throws IOException {
    String line = started.inputReader(UTF_8).readLine();
    if (line == null) {
      throw new IllegalStateException(
          "no private systemd: " + Files.readString(root().resolve("keeper.log")));
    }
    return Long.parseLong(line.strip());
  }

  private void awaitDefaultTarget() {
    await(() -> listens(privateSocket()), "systemd did not open its socket");
    systemctl("start", "default.target");
  }

  /** The file is there a moment before anybody listens on it. */
  private static boolean listens(Path socket) {
    try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** There is no event to wait for before there is a connection. */
  private void await(BooleanSupplier condition, String otherwise) {
    try {
      Await.until(() -> condition.getAsBoolean() || !isAlive(), () -> otherwise);
      if (!condition.getAsBoolean()) {
        throw new AssertionError(otherwise + ": it has ended");
      }
    } catch (AssertionError e) {
      String log = log();
      close();
      throw new IllegalStateException(e.getMessage() + ". Its log: " + log, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private boolean isAlive() {
    return keeper != null && ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  private Path root() {
    return Objects.requireNonNull(root, "start() comes first");
  }
}
