package fleet.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command line of {@code ./dev nodes}: machines to play with, kept until taken down. */
public final class Main {

  private static final String USAGE =
      """
      Usage: ./dev nodes COMMAND
        up N [--etcd] [--os debian13]
                      boot machines 1 to N, with target/fleet in /opt/fleet; with --etcd,
                      as a cluster whose registry an etcd on this machine keeps; with --os,
                      new ones run Debian 13 instead of what this machine runs
        sh I CMD...   run a command in machine I (without one: a shell)
        kill I        cut its power            boot I   power it on again, disk kept
        cut I         cut its network          join I   give it back
        ip I          its address              down     remove them all
      """;

  private final Path root;

  private Main(Path root) {
    this.root = root;
  }

  /** Runs one command. */
  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(System.getProperty("fleet.root", "")).toAbsolutePath().normalize();
    try {
      System.exit(new Main(root).run(List.of(arguments)));
    } catch (IllegalArgumentException e) {
      System.err.print(e.getMessage());
      System.exit(2);
    } catch (AssertionError | IllegalStateException e) {
      System.err.println("nodes: " + e.getMessage());
      System.exit(1);
    }
  }

  private int run(List<String> arguments) throws IOException, InterruptedException {
    String command = arguments.isEmpty() ? "" : arguments.getFirst();
    switch (command) {
      case "up" -> {
        int count = number(arguments);
        up(count, Options.parse(arguments.subList(2, arguments.size())));
      }
      case "sh" -> {
        return shell(machine(arguments), arguments.subList(2, arguments.size()));
      }
      case "kill" -> machine(arguments).powerOff();
      case "boot" -> machine(arguments).boot();
      case "cut" -> machine(arguments).cut();
      case "join" -> machine(arguments).join();
      case "ip" -> System.out.println(machine(arguments).address());
      case "down" -> existing().ifPresent(Machines::close);
      default -> throw new IllegalArgumentException(USAGE);
    }
    return 0;
  }

  private void up(int count, Options options) {
    Machines machines = Machines.keep(root.toString(), fleet());
    machines.connect();
    List<BootedMachine> old = machines.all().stream().limit(count).toList();
    old.forEach(BootedMachine::boot);
    if (count > old.size()) {
      machines.boot(options.system(), count - old.size());
    }
    if (options.etcd()) {
      join(machines);
    }
    machines.all().forEach(machine -> System.out.printf("%s %s%n", machine, machine.address()));
  }

  /** Makes all machines members of one cluster; those that are already stay so. */
  private static void join(Machines machines) {
    Etcd etcd = machines.etcd(EtcdSettings.plain());
    System.out.println("etcd " + etcd.endpoints().getFirst());
    for (BootedMachine machine : machines.all()) {
      String number = machine.name().substring(machine.name().lastIndexOf('-') + 1);
      String metadata = "metadata=\"number=%s\"".formatted(number);
      new FleetMachine(machine).installWithEtcd(etcd.endpoints(), metadata);
    }
  }

  private Optional<Path> fleet() {
    return Optional.of(root.resolve("target/fleet")).filter(Files::isDirectory);
  }

  private Optional<Machines> existing() {
    return Machines.kept(root.toString(), fleet());
  }

  private BootedMachine machine(List<String> arguments) {
    int number = number(arguments);
    return existing()
        .flatMap(machines -> machines.get(number))
        .orElseThrow(() ->
            new IllegalStateException(
                "there is no machine " + number + ": boot it with ./dev nodes up " + number));
  }

  private static int number(List<String> arguments) {
    if (arguments.size() < 2 || !arguments.get(1).matches("[1-9][0-9]?")) {
      throw new IllegalArgumentException(USAGE);
    }
    return Integer.parseInt(arguments.get(1));
  }

  private static int shell(BootedMachine machine, List<String> command)
      throws IOException, InterruptedException {
    List<String> line = command.isEmpty() ? Arrays.asList("bash", "-i") : command;
    return machine.open(line).inheritIO().start().waitFor();
  }

  /** The options of {@code up}. */
  private record Options(boolean etcd, OperatingSystem system) {

    static Options parse(List<String> arguments) {
      boolean etcd = false;
      var system = OperatingSystem.HOST;
      for (Iterator<String> rest = arguments.iterator(); rest.hasNext(); ) {
        switch (rest.next()) {
          case "--etcd" -> etcd = true;
          case "--os" -> system = system(rest);
          default -> throw new IllegalArgumentException(USAGE);
        }
      }
      return new Options(etcd, system);
    }

    private static OperatingSystem system(Iterator<String> rest) {
      String option = rest.hasNext() ? rest.next() : "";
      return OperatingSystem.byOption(option)
          .orElseThrow(() ->
              new IllegalArgumentException(
                  "nodes: --os \"%s\" is not one of %s\n"
                      .formatted(
                          option,
                          Stream.of(OperatingSystem.values())
                              .map(OperatingSystem::option)
                              .collect(Collectors.joining(", ")))));
    }
  }
}
