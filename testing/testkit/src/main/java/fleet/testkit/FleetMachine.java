package fleet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A machine with fleet installed the way its README says. */
public record FleetMachine(BootedMachine machine) {

  /**
   * Configuration with which no machine counts as lost for want of speed: a fleetd that is killed
   * or restarted is back before that, also on a host that has much else to do.
   */
  public static final String PATIENT = "agent_ttl=30s";

  private static final String SERVICE = "fleet.service";

  private static final Pattern ACTIVE = Pattern.compile("\"systemdActiveState\":\"([a-z-]+)\"");
  private static final Pattern SUB = Pattern.compile("\"systemdSubState\":\"([a-z-]+)\"");
  private static final String CONFIGURATION = "/etc/fleet/fleet.conf";
  private static final String DROP_INS = "/etc/systemd/system/fleet.service.d/";
  private static final String CLOCK = "/run/clock-of-fleetd";
  private static final String CLOCK_DROP_IN = "clock.conf";

  /** Installs and starts fleet, with the configuration that is there. */
  public FleetMachine install() {
    machine.succeed(
        "systemctl",
        "enable",
        "--now",
        "/opt/fleet/systemd/fleet.socket",
        "/opt/fleet/systemd/fleet.service");
    return this;
  }

  /**
   * Installs and starts fleet as a part of the cluster whose registry an etcd keeps.
   *
   * @param configuration further lines of {@code fleet.conf}
   */
  public FleetMachine installWithEtcd(List<URI> endpoints, String... configuration) {
    return configure(endpoints, configuration).install();
  }

  /** Writes what {@link #installWithEtcd} would, and starts nothing. */
  public FleetMachine configure(List<URI> endpoints, String... configuration) {
    String servers =
        endpoints.stream()
            .map(endpoint -> '"' + endpoint.toString() + '"')
            .collect(Collectors.joining(",", "[", "]"));
    var lines = new ArrayList<>(List.of("etcd_servers=" + servers));
    if (servers.contains("http://")) {
      lines.add("etcd_insecure=true");
    }
    lines.add("public_ip=" + machine.address());
    return conf(lines, List.of(configuration));
  }

  /** Writes the configuration of a server with an embedded registry, and starts nothing. */
  public FleetMachine configureServer(String... configuration) {
    return conf(List.of("public_ip=" + machine.address()), List.of(configuration));
  }

  /**
   * Writes the configuration of a machine that joins others, and starts nothing.
   *
   * @param servers as they are written there
   */
  public FleetMachine configureJoined(List<String> servers, String token, String... configuration) {
    conf(List.of("join=" + String.join(",", servers), "token=" + token), List.of(configuration));
    machine.succeed("chmod", "600", CONFIGURATION);
    return this;
  }

  private FleetMachine conf(List<String> first, List<String> more) {
    var lines = new ArrayList<>(first);
    lines.addAll(more);
    machine.write(CONFIGURATION, String.join("\n", lines) + "\n");
    return this;
  }

  /** Takes a line out of {@code fleet.conf}; nobody is told. */
  public FleetMachine unset(String option) {
    machine.succeed("sed", "-i", "/^" + option + "=/d", CONFIGURATION);
    return this;
  }

  /** Puts what a client shows to etcd below {@code /etc/fleet}, for the options of that name. */
  public FleetMachine bringCertificates(Certificates certificates) {
    for (String name : List.of("ca.pem", "client.pem", "client.key")) {
      machine.write("/etc/fleet/" + name, text(certificates.file(name)));
    }
    return this;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Replaces a line of {@code fleet.conf}, or adds it; nobody is told. */
  public FleetMachine set(String option, String value) {
    String others =
        machine
            .read(CONFIGURATION)
            .lines()
            .filter(line -> !line.startsWith(option + "="))
            .collect(Collectors.joining("\n"));
    machine.write(CONFIGURATION, others + "\n" + option + "=" + value + "\n");
    return this;
  }

  /** Writes a unit file for fleetctl to find in {@code /root}. */
  public FleetMachine unitFile(String name, String text) {
    machine.write("/root/" + name, text);
    return this;
  }

  /** Writes a service that runs for ever. */
  public FleetMachine sleeper(String name) {
    return sleeper(name, "");
  }

  /** Writes a service that runs for ever, with what its {@code [X-Fleet]} section says. */
  public FleetMachine sleeper(String name, String requirements) {
    return unitFile(
        name, "[Service]\nExecStart=/bin/sleep infinity\n[X-Fleet]\n" + requirements + "\n");
  }

  /** The moment since when a unit is active, in microseconds; machines share one clock. */
  public long activeSince(String unit) {
    return Long.parseLong(
        machine
            .succeed(
                "systemctl", "show", "--property=ActiveEnterTimestampMonotonic", "--value", unit)
            .strip());
  }

  /** Runs fleetctl in {@code /root}, whatever its exit code. */
  public Result fleetctl(String... arguments) {
    var line = new ArrayList<>(List.of("env", "-C", "/root", "fleetctl"));
    line.addAll(List.of(arguments));
    return machine.run(line.toArray(String[]::new));
  }

  /** Runs fleetctl, which must succeed, and gives what it printed. */
  public String succeed(String... arguments) {
    return fleetctl(arguments).orThrow().stdout();
  }

  /** Sends a request with JSON to this machine's API, and gives the status of the answer. */
  public String api(String method, String path, String json) {
    return machine.succeed(
        "curl",
        "--silent",
        "--show-error",
        "--max-time",
        "20",
        "--unix-socket",
        "/run/fleet.sock",
        "--request",
        method,
        "--header",
        "Content-Type: application/json",
        "--data",
        json,
        "--output",
        "/dev/null",
        "--write-out",
        "%{http_code}",
        "http://fleet/fleet/v1" + path);
  }

  /** The answer of this machine's API to a GET, which must succeed. */
  public String get(String path, String... headers) {
    return ask(path, headers).orThrow().stdout();
  }

  /** The same, but empty when it does not succeed. */
  String answer(String path) {
    Result answer = ask(path);
    return answer.ok() ? answer.stdout() : "";
  }

  /** The same, once it succeeds. */
  String awaitAnswer(String path) {
    List<String> answers = new ArrayList<>();
    machine.await(
        "the API answers " + path, () -> answers.add(answer(path)) && !answers.getLast().isEmpty());
    return answers.getLast();
  }

  private Result ask(String path, String... headers) {
    var line =
        new ArrayList<>(
            List.of(
                "curl",
                "--silent",
                "--show-error",
                "--fail",
                "--max-time",
                "20",
                "--unix-socket",
                "/run/fleet.sock"));
    for (String header : headers) {
      line.addAll(List.of("--header", header));
    }
    line.add("http://fleet/fleet/v1" + path);
    return machine.run(line.toArray(String[]::new));
  }

  /** The active and sub state that fleet's API reports of a unit: {@code "active running"}. */
  public String state(String unit) {
    String states = answer("/state?unitName=" + unit);
    Matcher active = ACTIVE.matcher(states);
    Matcher sub = SUB.matcher(states);
    return active.find() && sub.find() ? active.group(1) + " " + sub.group(1) : "not listed";
  }

  /** Waits until fleet reports a state. */
  public void awaitState(String unit, String state) {
    machine.await("fleet reports %s as %s".formatted(unit, state), () -> state(unit).equals(state));
  }

  /** The services and other units that systemd has active here, of those a pattern matches. */
  public Set<String> active(String glob) {
    return machine.active(List.of(glob));
  }

  /** The main process of a unit. */
  public String pid(String unit) {
    return machine.property(unit, "MainPID");
  }

  /** The main process of each unit. */
  public Map<String, String> pids(String... units) {
    return Arrays.stream(units).collect(Collectors.toMap(Function.identity(), this::pid));
  }

  /** fleetd dies as it does when it runs into a wall; returns when systemd has a new one ready. */
  public void killFleetd() {
    String old = pid(SERVICE);
    machine.succeed("kill", "-KILL", old);
    machine.await(
        "a new fleetd is ready",
        () ->
            !pid(SERVICE).equals(old) && machine.property(SERVICE, "ActiveState").equals("active"));
  }

  /** fleetd dies and stays away: systemd is kept from starting it. */
  public void killFleetdForGood() {
    dropIn("no-restart.conf", "[Service]\nRestart=no\n");
    machine.succeed("systemctl", "daemon-reload");
    machine.succeed("kill", "-KILL", pid(SERVICE));
  }

  /** Undoes {@link #killFleetdForGood()}. */
  public void reviveFleetd() {
    machine.succeed("rm", "-f", DROP_INS + "no-restart.conf");
    machine.succeed("systemctl", "daemon-reload");
    machine.succeed("systemctl", "reset-failed", SERVICE);
    machine.succeed("systemctl", "start", SERVICE);
  }

  /** fleetd stands still with its connections open; its watchdog must be off. */
  public void freezeFleetd() {
    machine.succeed(ProcessFreezer.command(pid(SERVICE)));
  }

  /** Undoes {@link #freezeFleetd()}. */
  public void thawFleetd() {
    machine.succeed("kill", "-CONT", pid(SERVICE));
  }

  /** From the next start of fleetd on, systemd does not look whether it stands still. */
  public FleetMachine withoutWatchdog() {
    return dropIn("no-watchdog.conf", "[Service]\nWatchdogSec=0\n");
  }

  /**
   * From the next start of fleetd on, {@link #stepClock} can change its clock. What measures time
   * rather than tells it is left alone, or every thread of a JVM that waits spins instead.
   */
  public FleetMachine withClock() {
    machine.write(CLOCK, "+0\n");
    return dropIn(
        CLOCK_DROP_IN,
        """
        [Service]
        Environment=LD_PRELOAD=/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1
        Environment=FAKETIME_TIMESTAMP_FILE=%s FAKETIME_CACHE_DURATION=1
        Environment=FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME_FORCE_MONOTONIC_FIX=0
        """
            .formatted(CLOCK));
  }

  /** fleetd's clock jumps to this far from everybody else's: {@code "+3600s"}, {@code "-1d"}. */
  public void stepClock(String offset) {
    machine.write(CLOCK, offset + "\n");
  }

  /** From the next start of fleetd on, its clock is the machine's again. */
  public FleetMachine withoutClock() {
    machine.succeed("rm", "-f", DROP_INS + CLOCK_DROP_IN);
    machine.succeed("systemctl", "daemon-reload");
    return this;
  }

  /** Adds to what systemd knows of fleet.service. */
  public FleetMachine dropIn(String name, String text) {
    machine.write(DROP_INS + name, text);
    machine.succeed("systemctl", "daemon-reload");
    return this;
  }

  /** The power fails: nobody hears a connection end, and then every process is gone. */
  public void losePower() {
    machine.cut();
    machine.powerOff();
  }

  /** The journal of fleetd since this boot. */
  public String log() {
    machine.syncJournal();
    return machine.succeed("journalctl", "-b", "-u", SERVICE, "--no-pager", "-o", "cat");
  }

  @Override
  public String toString() {
    return machine.toString();
  }
}
