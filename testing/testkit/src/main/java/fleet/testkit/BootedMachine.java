package fleet.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A real machine: systemd as PID 1, D-Bus, a journal, a disk that outlives power failures, and an
 * address on the network that it shares with the other machines of its set. It has no Java; {@code
 * target/fleet} is found in {@code /opt/fleet}, whose programs are on the path.
 *
 * <p>Safe for use by several threads, but for powering on and off.
 */
public final class BootedMachine {

  private static final String PATH =
      "PATH=/opt/fleet/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  /** Polling takes time from the work that it waits for: the processors are shared. */
  private static final long FIRST_PAUSE_MILLIS = 20;

  private static final long LONGEST_PAUSE_MILLIS = 500;

  private final String name;
  private final String address;
  private final Disk disk;
  private final MachineNetwork network;
  private final Container container;

  BootedMachine(
      String name, String address, Disk disk, MachineNetwork network, Container container) {
    this.name = name;
    this.address = address;
    this.disk = disk;
    this.network = network;
    this.container = container;
  }

  /** The host name. */
  public String name() {
    return name;
  }

  /** The machine id, 32 hexadecimal digits, the same at every boot. */
  public String id() {
    return disk.machineId();
  }

  /** The IPv4 address, reachable from here and from the other machines of the set. */
  public String address() {
    return address;
  }

  /**
   * Powers it on, and returns when systemd says that it has booted; one that is on is left alone.
   */
  public BootedMachine boot() {
    if (isUp()) {
      return this;
    }
    disk.mount();
    network.unplug(name);
    container.start(disk.root());
    return this;
  }

  /** Cuts the power: every process is gone at once, what was written to the disk stays. */
  public void powerOff() {
    container.kill();
  }

  /** Shuts it down as an operator does, and returns when it is off. */
  public void shutDown() {
    container.shutDown();
  }

  /** Whether it is powered on. */
  public boolean isUp() {
    return container.isUp();
  }

  /** Loses the network: packets vanish, the interface and its address stay. */
  public void cut() {
    network.cut(name);
  }

  /** Undoes {@link #cut()}. */
  public void join() {
    network.join(name);
  }

  /** Runs a command as root to its end; one that hangs fails the test. */
  public Result run(String... command) {
    return inside("", command).run();
  }

  /** Runs a command that must end with exit code 0, and gives what it wrote. */
  public String succeed(String... command) {
    return run(command).orThrow().stdout();
  }

  /** Writes a file, and the folders that lead to it. */
  public void write(String path, String text) {
    inside(text, "sh", "-c", "mkdir -p \"${1%/*}\" && cat >\"$1\"", "sh", path).run().orThrow();
  }

  /** The text of a file. */
  public String read(String path) {
    return succeed("cat", path);
  }

  /**
   * The path by which a program here reaches a file or socket of the machine.
   *
   * @param path absolute, in the machine
   */
  public Path path(String path) {
    return container.root().resolve(path.substring(1));
  }

  /**
   * Copies a folder of this host into the machine, with the times and rights of its files.
   *
   * @param path absolute, in the machine, where nothing is yet
   */
  public void copyFolder(Path folder, String path) {
    Command.of("cp", "-a", "--no-preserve=ownership", folder.toString(), path(path).toString())
        .run()
        .orThrow();
  }

  /** A property of a unit as systemd shows it: {@code property("x.service", "MainPID")}. */
  public String property(String unit, String property) {
    return succeed("systemctl", "show", "--property", property, "--value", unit);
  }

  /** The units that systemd has active, of those that one of these patterns matches. */
  Set<String> active(Collection<String> globs) {
    var line =
        new ArrayList<>(
            List.of("systemctl", "list-units", "--state=active", "--plain", "--no-legend"));
    line.addAll(globs);
    return succeed(line.toArray(String[]::new))
        .lines()
        .map(unit -> unit.split(" ", -1)[0])
        .collect(Collectors.toSet());
  }

  /** The main process of each active unit that a pattern matches; empty for one that has none. */
  Map<String, String> mainProcesses(String glob) {
    var processes = new TreeMap<String, String>();
    String shown = succeed("systemctl", "show", "--property=Id,MainPID,ActiveState", glob);
    for (String unit : shown.split("\n\n", -1)) {
      Map<String, String> properties =
          unit.lines()
              .map(line -> line.split("=", 2))
              .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
      if ("active".equals(properties.get("ActiveState"))) {
        processes.put(properties.getOrDefault("Id", ""), properties.getOrDefault("MainPID", ""));
      }
    }
    return processes;
  }

  /**
   * Waits until a condition holds that nothing announces.
   *
   * @throws AssertionError naming what was awaited, when it does not hold in good time
   */
  public void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + Hangs.AFTER.toNanos();
    long millis = FIRST_PAUSE_MILLIS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("%s: not within %s: %s".formatted(name, Hangs.AFTER, what));
      }
      pause(millis);
      millis = Math.min(2 * millis, LONGEST_PAUSE_MILLIS);
    }
  }

  /** Waits until a unit's active state is the given one. */
  public void awaitState(String unit, String state) {
    await(unit + " is " + state, () -> property(unit, "ActiveState").equals(state));
  }

  /** Waits until journald has taken in all that was written to it so far. */
  public void syncJournal() {
    succeed("journalctl", "--sync");
  }

  /**
   * Waits for a line of the journal that the expression finds something in, from this boot's first
   * line on, and gives it.
   */
  public String awaitJournal(String regex) {
    Pattern wanted = Pattern.compile(regex);
    String[] follow = {"timeout", Hangs.AFTER.toSeconds() + "", "journalctl", "-b", "-fn", "all"};
    try {
      Process journal = new ProcessBuilder(inside("", follow).line()).start();
      try (BufferedReader lines = journal.inputReader()) {
        return lines
            .lines()
            .filter(line -> wanted.matcher(line).find())
            .findFirst()
            .orElseThrow(() ->
                new AssertionError(
                    "%s: not in the journal within %s: %s".formatted(name, Hangs.AFTER, regex)));
      } finally {
        journal.destroy();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The journal of all boots, also of a machine that is powered off. */
  public String journal() {
    return Command.of(
            "journalctl",
            "--no-pager",
            "--quiet",
            "--output=short-precise",
            "--directory=" + disk.journal())
        .run()
        .stdout();
  }

  /** The entries of all boots about units with one of these message ids, as JSON, one a line. */
  String journal(Collection<String> units, String... messageIds) {
    var line = new ArrayList<>(List.of("journalctl", "--quiet", "--no-pager", "--output=json"));
    line.add("--output-fields=MESSAGE_ID,UNIT,_SOURCE_REALTIME_TIMESTAMP");
    line.add("--directory=" + disk.journal());
    units.forEach(unit -> line.add("UNIT=" + unit));
    for (String id : messageIds) {
      line.add("MESSAGE_ID=" + id);
    }
    return new Command(List.copyOf(line), "").run().stdout();
  }

  /**
   * A process in the machine for a terminal or a stream; the caller ends it and its descendants.
   */
  public ProcessBuilder open(List<String> command) {
    return new ProcessBuilder(inside("", command.toArray(String[]::new)).line());
  }

  /** The beginning of a command line that runs a program of this host on the machine's network. */
  public List<String> enterNetwork() {
    return container.enterNetwork();
  }

  void remove() {
    container.remove();
    disk.remove();
  }

  private Command inside(String stdin, String... command) {
    var line = new ArrayList<>(container.enter());
    line.addAll(List.of("env", "-i", PATH, "HOME=/root", "LANG=C.UTF-8", "TERM=dumb"));
    line.addAll(List.of(command));
    return new Command(List.copyOf(line), stdin);
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting", e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
