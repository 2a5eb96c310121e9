package fleet.chaos;

import fleet.testkit.FleetMachine;
import fleet.testkit.Result;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One person at a terminal who starts, stops, restarts and destroys units of their own, one command
 * after the other. For one thread.
 */
final class ChaosUser {

  /** The beginning of the names of units that run and end. */
  static final String JOB = "job@";

  private static final List<String> VERBS = List.of("start", "start", "restart", "stop", "destroy");

  private static final int SERVICES = 8;
  private static final int JOBS = 2;

  private final List<FleetMachine> machines;
  private final List<String> services;
  private final List<String> jobs;
  private final History history;
  private final Random random;

  ChaosUser(List<FleetMachine> machines, int number, History history, long seed) {
    this.machines = machines;
    this.history = history;
    this.random = new Random(seed + number);
    this.services =
        IntStream.range(0, SERVICES)
            .mapToObj(i -> "svc@%d-%d.service".formatted(number, i))
            .toList();
    this.jobs =
        IntStream.range(0, JOBS).mapToObj(i -> JOB + "%d-%d.service".formatted(number, i)).toList();
  }

  /** Writes the templates where fleetctl finds them; machines share nothing. */
  static void prepare(FleetMachine machine) {
    machine.unitFile("svc@.service", "[Service]\nExecStart=/bin/sleep infinity\n");
    machine.unitFile("job@.service", "[Service]\nType=oneshot\nExecStart=/bin/sleep 1\n");
  }

  /** The services and jobs of this person. */
  List<String> units() {
    return Stream.concat(services.stream(), jobs.stream()).toList();
  }

  void run(BooleanSupplier goesOn) {
    while (goesOn.getAsBoolean()) {
      List<FleetMachine> up = machines.stream().filter(one -> one.machine().isUp()).toList();
      FleetMachine at = up.get(random.nextInt(up.size()));
      boolean job = random.nextInt(5) == 0;
      String verb = job ? "start" : any(VERBS);
      history.add(asked(at, verb, any(job ? jobs : services)));
    }
  }

  private String any(List<String> all) {
    return all.get(random.nextInt(all.size()));
  }

  private static Request asked(FleetMachine at, String verb, String unit) {
    long began = Span.now();
    try {
      Result result = at.fleetctl("--request-timeout=20", verb, unit);
      String said = (result.stdout() + result.stderr()).strip();
      return new Request(verb, unit, since(began), result.ok(), last(said));
    } catch (AssertionError powerLostJustNow) {
      return new Request(verb, unit, since(began), false, String.valueOf(powerLostJustNow));
    }
  }

  private static Span since(long began) {
    return new Span(began, Span.now());
  }

  private static String last(String lines) {
    return lines.substring(lines.lastIndexOf('\n') + 1);
  }
}
