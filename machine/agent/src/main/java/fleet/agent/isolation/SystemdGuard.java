package fleet.agent.isolation;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.agent.mark.WholeFile;
import fleet.agent.place.UnitDirectory;
import fleet.agent.place.UnitLinks;
import fleet.core.collection.OrderedCopy;
import fleet.core.unit.UnitName;
import fleet.systemd.JobResult;
import fleet.systemd.Systemd;
import fleet.systemd.SystemdException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A small service beside fleetd that sleeps until a deadline, which fleetd puts off by writing a
 * file. Moving the deadline costs systemd nothing: restarting a timer would cost a job and two
 * lines in the journal, about each second, for ever.
 */
public final class SystemdGuard implements IsolationGuard {

  /** The service; the name is taken on every machine of a cluster that uses it. */
  public static final UnitName SERVICE = UnitName.of("fleet-isolation.service");

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long CENTIS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Systemd systemd;
  private final Path directory;
  private final Path marks;
  private final boolean user;
  private final DeadlineFile deadline;
  private boolean installed;

  /**
   * Does nothing yet.
   *
   * @param directory for its files; ends with the boot
   * @param marks has a file for each unit that fleet placed
   * @param user whether systemd is a user's
   */
  public SystemdGuard(Systemd systemd, Path directory, Path marks, boolean user) {
    this.systemd = systemd;
    this.directory = directory;
    this.marks = marks;
    this.user = user;
    this.deadline = new DeadlineFile(directory);
  }

  @Override
  public void arm(Duration stop, Duration kill) throws IOException {
    boolean first = !installed;
    if (first) {
      install();
    }
    long now = uptime();
    deadline.putOff(now + stop.toNanos() / CENTIS, now + kill.toNanos() / CENTIS);
    if (first) {
      // One of an earlier fleetd may sleep for too long if its time was longer.
      await(systemd.restart(SERVICE));
    } else if (!isAlive()) {
      await(systemd.start(SERVICE));
    }
  }

  /** Hundredths of a second since the boot: a clock that the shell can read as well. */
  private static long uptime() throws IOException {
    String text = Files.readString(Path.of("/proc/uptime"));
    return Long.parseLong(text.substring(0, text.indexOf(' ')).replace(".", ""));
  }

  private void install() throws IOException {
    Files.createDirectories(directory);
    update("guard", script());
    boolean changed = update(SERVICE.value(), unit());
    links().make(SERVICE);
    if (changed && !systemd.known(List.of(SERVICE)).isEmpty()) {
      systemd.reload();
    }
    installed = true;
  }

  private static String script() throws IOException {
    try (InputStream script = SystemdGuard.class.getResourceAsStream("guard.sh")) {
      return new String(Objects.requireNonNull(script).readAllBytes(), UTF_8);
    }
  }

  private String unit() {
    return """
    [Unit]
    Description=Stops fleet's units when the cluster gives this machine up
    StartLimitIntervalSec=0

    [Service]
    Type=exec
    ExecStart=/bin/sh %s %s %s%s
    Restart=on-failure
    RestartSec=100ms
    SyslogIdentifier=fleet-isolation
    %s\
    """
        .formatted(
            quoted(file("guard")),
            quoted(directory),
            quoted(marks),
            user ? " --user" : "",
            user ? "" : "OOMScoreAdjust=-900\n");
  }

  private static String quoted(Path path) {
    String text = path.toString().replace("\\", "\\\\").replace("\"", "\\\"");
    return '"' + text.replace("%", "%%").replace("$", "$$") + '"';
  }

  /** Whether its process is there, which it is until it has stopped units. */
  private boolean isAlive() {
    try {
      String pid = Files.readString(file("pid")).strip();
      return Files.readString(Path.of("/proc", pid, "cmdline")).contains(file("guard").toString());
    } catch (IOException gone) {
      return false;
    }
  }

  @Override
  public boolean hasStopped() {
    return Files.exists(file("stopped"));
  }

  @Override
  public Set<UnitName> takeStopped() throws IOException {
    end();
    if (!hasStopped()) {
      return Set.of();
    }
    Set<UnitName> stopped =
        OrderedCopy.of(Files.readAllLines(file("stopped")).stream().map(UnitName::of).toList());
    // Being killed is no failure of theirs, nor does it count for their StartLimitBurst=.
    stopped.forEach(systemd::resetFailed);
    return stopped;
  }

  private void end() throws IOException {
    try {
      await(systemd.stop(SERVICE));
    } catch (SystemdException e) {
      if (!e.isNoSuchUnit()) {
        throw e;
      }
    }
    Files.deleteIfExists(file("pid"));
  }

  @Override
  public void forgetStopped() throws IOException {
    Files.deleteIfExists(file("stopped"));
  }

  @Override
  public void disarm() throws IOException {
    if (Files.exists(file(SERVICE.value()))) {
      end();
      systemd.resetFailed(SERVICE);
      links().remove(SERVICE);
      deadline.remove();
      Files.deleteIfExists(file("guard"));
      Files.deleteIfExists(file(SERVICE.value()));
    }
    installed = false;
  }

  private UnitLinks links() throws IOException {
    return new UnitLinks(systemd, new UnitDirectory(directory));
  }

  private Path file(String name) {
    return directory.resolve(name);
  }

  /** Returns whether the file was another one before. */
  private boolean update(String name, String text) throws IOException {
    try {
      if (Files.readString(file(name)).equals(text)) {
        return false;
      }
    } catch (NoSuchFileException first) {
      // It is written now.
    }
    WholeFile.write(file(name), text);
    return true;
  }

  private static void await(CompletableFuture<JobResult> job) {
    try {
      JobResult result = job.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      if (!result.isDone()) {
        throw new SystemdException("", "the job of " + SERVICE + " ended with " + result.text());
      }
    } catch (ExecutionException e) {
      throw new SystemdException("", String.valueOf(e.getCause()), e);
    } catch (TimeoutException e) {
      throw new SystemdException("", "the job of " + SERVICE + " does not end", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SystemdException("", "interrupted", e);
    }
  }
}
