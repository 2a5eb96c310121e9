package fleet.machinetests;

import fleet.testkit.Machine;
import fleet.testkit.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A machine with fleet installed the way its README says. */
record FleetMachine(Machine machine) {

  private static final Duration LONG = Duration.ofMinutes(2);

  /** Installs and starts fleet. */
  FleetMachine install() {
    machine.succeed(
        "systemctl",
        "enable",
        "--now",
        "/opt/fleet/systemd/fleet.socket",
        "/opt/fleet/systemd/fleet.service");
    return this;
  }

  /** Writes a unit file for fleetctl to find in {@code /root}. */
  FleetMachine unitFile(String name, String text) {
    machine.write("/root/" + name, text);
    return this;
  }

  /** Writes a service that runs for ever. */
  FleetMachine sleeper(String name) {
    return unitFile(name, "[Service]\nExecStart=/bin/sleep infinity\n");
  }

  /** Runs fleetctl in {@code /root}, whatever its exit code. */
  Result fleetctl(String... arguments) {
    var line = new ArrayList<>(List.of("env", "-C", "/root", "fleetctl"));
    line.addAll(List.of(arguments));
    return machine.run(LONG, line.toArray(String[]::new));
  }

  /** Runs fleetctl, which must succeed, and gives what it printed. */
  String succeed(String... arguments) {
    return fleetctl(arguments).orThrow().stdout();
  }

  /** What fleet reports as active and sub state of a unit: {@code "active running"}. */
  String state(String unit) {
    String fields = "--fields=unit,active,sub";
    return succeed("list-units", "--no-legend", "--full", fields)
        .lines()
        .map(line -> line.split("\\s+", -1))
        .filter(cells -> cells[0].equals(unit))
        .map(cells -> cells[1] + " " + cells[2])
        .findFirst()
        .orElse("not listed");
  }

  /** Waits until fleet reports a state. */
  void awaitState(String unit, String state) {
    machine.await(
        "fleet reports %s as %s".formatted(unit, state),
        Duration.ofSeconds(30),
        () -> state(unit).equals(state));
  }

  /** The main process of a unit. */
  String pid(String unit) {
    return machine.property(unit, "MainPID");
  }

  /** The main process of each unit. */
  Map<String, String> pids(String... units) {
    return Arrays.stream(units).collect(Collectors.toMap(Function.identity(), this::pid));
  }

  /** fleetd dies as it does when it runs into a wall; returns when systemd has a new one ready. */
  void killFleetd() {
    String old = pid("fleet.service");
    machine.succeed("kill", "-KILL", old);
    machine.await(
        "a new fleetd is ready",
        Duration.ofSeconds(30),
        () ->
            !pid("fleet.service").equals(old)
                && machine.property("fleet.service", "ActiveState").equals("active"));
  }
}
