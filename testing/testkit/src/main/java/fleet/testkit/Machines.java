package fleet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A set of machines on one network. Closing it removes them, with their disks; what a killed
 * process leaves is removed when the next set is made.
 *
 * <p>As the parameter of a test with {@link MachinesExtension}, it is closed by it.
 */
public final class Machines implements AutoCloseable {

  private static final Path BASE = Path.of("/var/tmp/fleet-machines");

  private final MachineSets.Plot plot;
  private final MachineNetwork network;
  private final Optional<Path> fleet;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final TreeMap<Integer, BootedMachine> machines = new TreeMap<>();
  private final List<Etcd> etcds = new ArrayList<>();

  Machines(MachineSets.Plot plot, Optional<Path> fleet) {
    this.plot = plot;
    this.network = new MachineNetwork(plot.number());
    this.fleet = fleet;
    numbersOnDisk().forEach(number -> machines.put(number, describe(number)));
  }

  /**
   * A set for the life of this process, without machines yet.
   *
   * @param fleet the folder to be found as {@code /opt/fleet}, read-only
   */
  public static Machines create(Optional<Path> fleet) {
    Needs.check();
    var machines = new Machines(ground().claim(), fleet);
    machines.closeAtExit();
    return machines;
  }

  /** The set kept under a name, over the ends of processes, made when there is none. */
  static Machines keep(String name, Optional<Path> fleet) {
    Needs.check();
    return new Machines(ground().keep(name), fleet);
  }

  /** The set kept under a name, if there is one. */
  static Optional<Machines> kept(String name, Optional<Path> fleet) {
    return ground().kept(name).map(plot -> new Machines(plot, fleet));
  }

  private static MachineSets ground() {
    return new MachineSets(BASE, leftOver -> new Machines(leftOver, Optional.empty()).clear());
  }

  /** Boots one more machine. */
  public BootedMachine boot() {
    return boot(1).getFirst();
  }

  /** Boots this many more machines, all at once. */
  public List<BootedMachine> boot(int count) {
    return boot(OperatingSystem.HOST, count);
  }

  /** Boots this many more machines with an operating system, all at once. */
  public List<BootedMachine> boot(OperatingSystem system, int count) {
    InotifyLimit.raise();
    network.up();
    int next = machines.isEmpty() ? 1 : machines.lastKey() + 1;
    List<BootedMachine> fresh =
        IntStream.range(next, next + count).mapToObj(number -> describe(number, system)).toList();
    for (int i = 0; i < count; i++) {
      machines.put(next + i, fresh.get(i));
    }
    return inParallel(
        fresh.stream().map(machine -> (Callable<BootedMachine>) machine::boot).toList());
  }

  /** All machines so far, also those that are powered off. */
  public Collection<BootedMachine> all() {
    return List.copyOf(machines.values());
  }

  /** Starts an etcd on this machine that those of the set reach; it ends with the set. */
  public Etcd etcd(EtcdSettings settings) {
    Needs.checkForEtcd();
    network.up();
    int number = etcds.size();
    Path directory = plot.directory().resolve("etcd" + number);
    Etcd etcd = Etcd.start(directory, network.gateway(), number, settings);
    etcds.add(etcd);
    return etcd;
  }

  Optional<BootedMachine> get(int number) {
    return Optional.ofNullable(machines.get(number));
  }

  /** Brings the network back, which a reboot of this machine takes away. */
  void connect() {
    network.up();
  }

  /** Removes the machines, their disks and their network. */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    clear();
    plot.remove();
  }

  /** Ctrl-C ends a test without its clean-up. */
  void closeAtExit() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /** Removes the machines, their etcds and their network. */
  void clear() {
    inParallel(
        machines.values().stream()
            .map(machine -> (Callable<BootedMachine>) () -> removed(machine))
            .toList());
    machines.clear();
    EtcdMember.endAll(plot.directory());
    network.down();
  }

  private static BootedMachine removed(BootedMachine machine) {
    machine.remove();
    return machine;
  }

  private BootedMachine describe(int number) {
    return describe(number, Disk.systemOf(directory(number)));
  }

  private BootedMachine describe(int number, OperatingSystem system) {
    String name = "fleet%d-%d".formatted(plot.number(), number);
    Path directory = directory(number);
    String id = "%04x%04xf1ee%020x".formatted(number, plot.number(), number);
    return new BootedMachine(
        name,
        network.addressOf(number),
        new Disk(directory, system, name, id, network.unitFor(number)),
        network,
        new Container(directory, system, name, network, fleet));
  }

  private Path directory(int number) {
    return plot.directory().resolve("machine-" + number);
  }

  private List<Integer> numbersOnDisk() {
    try (Stream<Path> entries = Files.list(plot.directory())) {
      return entries
          .map(path -> path.getFileName().toString())
          .filter(name -> name.startsWith("machine-"))
          .map(name -> Integer.valueOf(name.substring("machine-".length())))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + plot.directory(), e);
    }
  }

  private static List<BootedMachine> inParallel(List<Callable<BootedMachine>> steps) {
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var done = new ArrayList<BootedMachine>();
      for (Future<BootedMachine> step : executor.invokeAll(steps)) {
        done.add(step.get());
      }
      return done;
    } catch (ExecutionException e) {
      throw new AssertionError(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while machines changed", e);
    }
  }
}
