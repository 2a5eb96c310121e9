package fleet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The command line of {@code ./dev up --machines N}: a cluster of throw-away machines, the examples
 * on it, and one machine that loses its power before everybody's eyes. One machine is the server,
 * with the registry embedded, and the others join it; or all share an etcd.
 */
public final class Demonstration {

  private static final int ETCD_MEMBERS = 3;
  private static final int SHOWN_OF_TOKEN = 40;
  private static final String HELLO = "fleet-example-hello.service";
  private static final String[] EXAMPLES = {
    HELLO,
    "fleet-example-web@1.service",
    "fleet-example-web@2.service",
    "fleet-example-web@3.service",
    "fleet-example-web@4.service",
    "fleet-example-web@5.service"
  };

  private final Path root;
  private final boolean etcd;
  private final List<FleetMachine> all = new ArrayList<>();
  private final long began = System.nanoTime();

  private Demonstration(Path root, boolean etcd) {
    this.root = root;
    this.etcd = etcd;
  }

  /** Shows it: {@code N [--etcd] [--once]}. Exits with 0 only if all of it happened. */
  public static void main(String[] arguments) {
    Path root = Path.of(System.getProperty("fleet.root", "")).toAbsolutePath().normalize();
    boolean once = List.of(arguments).contains("--once");
    try {
      Machines machines = machines(root, once);
      var demonstration = new Demonstration(root, List.of(arguments).contains("--etcd"));
      demonstration.show(machines, Integer.parseInt(arguments[0]));
      if (once) {
        machines.close();
        demonstration.say("stopped, and nothing is left");
      } else {
        demonstration.follow();
      }
      System.exit(0);
    } catch (AssertionError | IllegalStateException | UncheckedIOException e) {
      System.err.println("up: " + e.getMessage());
      System.exit(1);
    }
  }

  /** Without {@code --once}, {@code ./dev nodes} is to find them for as long as this runs. */
  private static Machines machines(Path root, boolean once) {
    Optional<Path> fleet = Optional.of(root.resolve("target/fleet"));
    if (once) {
      return Machines.create(fleet);
    }
    if (Machines.kept(root.toString(), fleet).isPresent()) {
      throw new IllegalStateException(
          "machines of this checkout are there already: ./dev nodes down removes them");
    }
    Machines machines = Machines.keep(root.toString(), fleet);
    machines.closeAtExit();
    return machines;
  }

  private void show(Machines machines, int count) {
    say("booting %d machines".formatted(count));
    List<BootedMachine> booted = machines.boot(count);
    booted.forEach(machine -> say("%s has booted: %s".formatted(machine, machine.address())));
    makeCluster(booted);
    startExamples();
    list(all.getFirst());
    FleetMachine lost = dispensable();
    losePower(lost);
    returnOf(lost);
  }

  private void makeCluster(List<BootedMachine> booted) {
    booted.stream().map(FleetMachine::new).forEach(all::add);
    if (etcd) {
      shareAnEtcd(booted.subList(0, booted.size() < ETCD_MEMBERS ? 1 : ETCD_MEMBERS));
    } else {
      joinOne();
    }
    await("all machines are listed", all.getFirst(), () -> listed() == all.size());
  }

  private void shareAnEtcd(List<BootedMachine> servers) {
    say("starting etcd on %s, and fleet on all".formatted(servers));
    MachineEtcd members = MachineEtcd.install(servers);
    BackgroundTasks.each(all, one -> one.installWithEtcd(members.endpoints()));
  }

  private void joinOne() {
    FleetMachine server = all.getFirst();
    List<FleetMachine> joining = all.subList(1, all.size());
    say("installing fleet on %s: it is the server".formatted(server));
    server.configureServer().install();
    System.out.printf("%n%s$ fleetctl token create%n", server);
    String token = server.succeed("token", "create").strip();
    System.out.printf("%s…%n", token.substring(0, SHOWN_OF_TOKEN));
    String join = "join=%s%ntoken=%s".formatted(server.machine().address(), "FLEET-1-…");
    System.out.printf("%s$ cat /etc/fleet/fleet.conf%n%s%n%n", joining, join);
    say("installing fleet on %s, which join it".formatted(joining));
    new JoinedCluster(List.of(server)).join(joining, token);
  }

  private long listed() {
    Result list = all.getFirst().fleetctl("list-machines", "--no-legend");
    return list.ok() ? list.stdout().lines().count() : 0;
  }

  private void startExamples() {
    FleetMachine first = all.getFirst();
    try (Stream<Path> files = Files.list(root.resolve("examples"))) {
      for (Path file : files.toList()) {
        first.unitFile(file.getFileName().toString(), Files.readString(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    shown(first, Stream.concat(Stream.of("start"), Stream.of(EXAMPLES)).toArray(String[]::new));
    for (String unit : EXAMPLES) {
      whereRunning(unit);
    }
  }

  private static void list(FleetMachine by) {
    by.awaitState(HELLO, "active running");
    shown(by, "list-machines");
    shown(by, "list-units");
  }

  /** A server without etcd is the only one of its kind: without it nothing is decided. */
  private FleetMachine dispensable() {
    FleetMachine hello = whereRunning(HELLO);
    return etcd || !hello.equals(all.getFirst()) ? hello : all.getLast();
  }

  private void losePower(FleetMachine lost) {
    List<FleetMachine> others = all.stream().filter(one -> !one.equals(lost)).toList();
    var missing = new TreeSet<String>();
    for (String unit : EXAMPLES) {
      if (!lost.active(unit).isEmpty()) {
        missing.add(unit);
      }
    }
    Map<String, String> untouched = processes(others);
    say("");
    say("cutting the power of %s, which runs %s".formatted(lost, String.join(", ", missing)));
    lost.losePower();
    long cut = System.nanoTime();
    await("its units run elsewhere", others.getFirst(), () -> tellMoved(missing, others, cut));
    list(others.getFirst());
    Map<String, String> now = processes(others);
    if (!now.entrySet().containsAll(untouched.entrySet())) {
      throw new AssertionError(
          "units of other machines were touched: %s, and before %s".formatted(now, untouched));
    }
    say("every other unit has the process it had");
  }

  private boolean tellMoved(Set<String> missing, List<FleetMachine> others, long since) {
    for (FleetMachine one : others) {
      for (String unit : one.active("fleet-example-*")) {
        if (missing.remove(unit)) {
          double seconds = (System.nanoTime() - since) / 1e9;
          say("%4.1f s after: %s runs on %s".formatted(seconds, unit, one));
        }
      }
    }
    return missing.isEmpty();
  }

  private void returnOf(FleetMachine lost) {
    say("");
    say("giving %s its power back".formatted(lost));
    Map<String, String> before = processes(all.stream().filter(one -> !one.equals(lost)).toList());
    lost.machine().boot();
    await("it is listed again", all.getFirst(), () -> listed() == all.size());
    if (!processes(all).equals(before)) {
      throw new AssertionError("units moved when it came back: " + processes(all));
    }
    say("it is listed again, and runs nothing that runs elsewhere by now");
  }

  /** Which process runs each example, and where. */
  private static Map<String, String> processes(List<FleetMachine> machines) {
    var processes = new TreeMap<String, String>();
    for (FleetMachine one : machines) {
      for (String unit : one.active("fleet-example-*")) {
        processes.put(unit, one + " " + one.pid(unit));
      }
    }
    return processes;
  }

  private FleetMachine whereRunning(String unit) {
    List<FleetMachine> where = all.stream().filter(one -> !one.active(unit).isEmpty()).toList();
    if (where.size() != 1) {
      throw new AssertionError("%s runs on %s, not on one machine".formatted(unit, where));
    }
    return where.getFirst();
  }

  private void follow() {
    FleetMachine first = all.getFirst();
    say("");
    say("all of it happened; following %s, Ctrl-C removes everything. Elsewhere:".formatted(HELLO));
    say("  ./dev nodes sh 1 fleetctl list-units      ./dev nodes kill 3      ./dev nodes boot 3");
    try {
      List<String> journal = List.of("fleetctl", "journal", "--follow", HELLO);
      first.machine().open(journal).inheritIO().start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void await(String what, FleetMachine one, BooleanSupplier condition) {
    one.machine().await(what, condition);
  }

  private static void shown(FleetMachine on, String... fleetctl) {
    System.out.printf("%n%s$ fleetctl %s%n", on, String.join(" ", fleetctl));
    System.out.println(on.succeed(fleetctl));
  }

  private void say(String text) {
    double seconds = (System.nanoTime() - began) / 1e9;
    System.out.println(text.isEmpty() ? "" : "[%5.1f s] %s".formatted(seconds, text));
  }
}
