package fleet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** The running machine: a systemd-nspawn process, and the systemd that is its child. */
final class Container {

  /** Joins the control groups given before "--", then becomes the command after it. */
  private static final String JOIN_CGROUPS =
      """
      while [ "$1" != -- ]; do
        mkdir -p "$1" && echo $$ >"$1/cgroup.procs" || exit 1
        shift
      done
      shift
      exec setsid "$@"
      """;

  private final Path directory;
  private final OperatingSystem system;
  private final String name;
  private final MachineNetwork network;
  private final Optional<Path> fleet;
  private final Cgroups cgroups;

  Container(
      Path directory,
      OperatingSystem system,
      String name,
      MachineNetwork network,
      Optional<Path> fleet) {
    this.directory = directory;
    this.system = system;
    this.name = name;
    this.network = network;
    this.fleet = fleet;
    this.cgroups = new Cgroups(name);
  }

  void start(Path root) {
    cgroups.remove();
    try {
      var builder =
          new ProcessBuilder(line(root))
              .redirectErrorStream(true)
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectOutput(log().toFile());
      builder.environment().putAll(system.environment());
      Process nspawn = builder.start();
      Files.writeString(pidFile(), Long.toString(nspawn.pid()));
      awaitBoot(nspawn);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start systemd-nspawn: " + e.getMessage(), e);
    }
  }

  void kill() {
    init().ifPresent(ProcessHandle::destroyForcibly);
    nspawn().ifPresent(Container::awaitEnd);
  }

  /**
   * Shuts the machine down, and waits until it is off. It is asked from outside, by the signal that
   * systemd-nspawn passes on: a command in the machine might be frozen with all that the machine
   * ends.
   */
  void shutDown() {
    nspawn().ifPresent(ProcessHandle::destroy);
    nspawn().ifPresent(Container::awaitEnd);
  }

  boolean isUp() {
    return init().isPresent();
  }

  /** The beginning of a command line that is to run in the machine. */
  List<String> enter() {
    return enter(running());
  }

  /** The beginning of a command line that runs a program of this host on the machine's network. */
  List<String> enterNetwork() {
    return List.of("nsenter", "-t", Long.toString(running().pid()), "-n", "--");
  }

  private ProcessHandle running() {
    return init().orElseThrow(() -> new AssertionError("machine " + name + " is powered off"));
  }

  /** The root of its files, as they are seen from here. */
  Path root() {
    return Path.of("/proc", Long.toString(running().pid()), "root");
  }

  private static List<String> enter(ProcessHandle init) {
    return List.of("nsenter", "-t", Long.toString(init.pid()), "-m", "-u", "-i", "-n", "-p", "--");
  }

  void remove() {
    kill();
    cgroups.remove();
  }

  private List<String> line(Path root) {
    var line = new ArrayList<>(List.of("sh", "-c", JOIN_CGROUPS, "sh"));
    line.addAll(cgroups.paths());
    line.addAll(
        List.of(
            "--",
            "systemd-nspawn",
            "--quiet",
            "--boot",
            "--keep-unit",
            "--register=no",
            "--link-journal=no",
            "--resolv-conf=off",
            "--timezone=off",
            "--capability=all",
            "--kill-signal=SIGRTMIN+3",
            "--directory=" + root,
            "--machine=" + name,
            "--hostname=" + name,
            "--network-bridge=" + network.bridge()));
    if (system == OperatingSystem.HOST) {
      hideJava(line);
    }
    fleet.ifPresent(path -> line.add("--bind-ro=" + path + ":/opt/fleet"));
    return line;
  }

  /** fleet brings its own Java: a machine that had one would not notice if it did not. */
  private static void hideJava(List<String> line) {
    Path usual = Path.of("/usr/lib/jvm");
    Path ours = Path.of(System.getProperty("java.home"));
    for (Path java : ours.startsWith(usual) ? List.of(usual) : List.of(usual, ours)) {
      if (Files.isDirectory(java)) {
        line.add("--tmpfs=" + java + ":ro,mode=0755");
      }
    }
  }

  /**
   * The process itself is asked whether it lives: it has no command line while it becomes another.
   */
  private void awaitBoot(Process nspawn) {
    long end = System.nanoTime() + Hangs.AFTER.toNanos();
    while (!hasBooted()) {
      if (System.nanoTime() > end || !nspawn.isAlive()) {
        throw new AssertionError("machine %s did not boot:%n%s".formatted(name, readLog()));
      }
      sleepBriefly();
    }
  }

  /** Once its systemd can be asked, this waits for the end of the boot by itself. */
  private boolean hasBooted() {
    // systemd-nspawn has a child of its own for a moment, before the one that becomes PID 1.
    Optional<ProcessHandle> init = init();
    if (init.isEmpty()) {
      return false;
    }
    var line = new ArrayList<>(enter(init.get()));
    line.addAll(List.of("systemctl", "is-system-running", "--wait"));
    String state = new Command(line, "").run().stdout();
    return state.equals("running") || state.equals("degraded");
  }

  private Optional<ProcessHandle> nspawn() {
    try {
      long pid = Long.parseLong(Files.readString(pidFile()).strip());
      return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::isOurs);
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Process ids are used again: the one we noted may be anybody's by now. */
  private boolean isOurs(ProcessHandle process) {
    try {
      Path line = Path.of("/proc", Long.toString(process.pid()), "cmdline");
      return Files.readString(line).contains(directory.toString());
    } catch (IOException e) {
      return false;
    }
  }

  private Optional<ProcessHandle> init() {
    return nspawn().flatMap(nspawn -> children(nspawn).filter(this::isInit).findFirst());
  }

  /** The JDK's own way looks at every process there is, and this is asked for each command. */
  private static Stream<ProcessHandle> children(ProcessHandle parent) {
    try {
      String children =
          Files.readString(Path.of("/proc/%1$d/task/%1$d/children".formatted(parent.pid())));
      return Stream.of(children.split(" ", -1))
          .filter(pid -> !pid.isBlank())
          .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream());
    } catch (IOException e) {
      return Stream.empty();
    }
  }

  private boolean isInit(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "comm"))
          .startsWith("systemd");
    } catch (IOException e) {
      return false;
    }
  }

  private static void awaitEnd(ProcessHandle process) {
    try {
      process.onExit().get(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (java.util.concurrent.ExecutionException | TimeoutException e) {
      process.destroyForcibly();
    }
  }

  private static void sleepBriefly() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a machine booted", e);
    }
  }

  private Path pidFile() {
    return directory.resolve("pid");
  }

  private Path log() {
    return directory.resolve("console");
  }

  private String readLog() {
    try {
      return Files.readString(log());
    } catch (IOException e) {
      return "(no console output)";
    }
  }
}
