package fleet.chaos;

import java.util.List;

/**
 * Something that was asked of fleetctl.
 *
 * @param verb fleetctl's command
 * @param unit the only one that it names
 * @param during from before fleetctl was called until it had ended
 * @param acknowledged whether it ended with 0: else it may have been carried out, or not
 * @param said the last line that fleetctl printed
 */
record Request(String verb, String unit, Span during, boolean acknowledged, String said) {

  private static final List<String> STARTING = List.of("start", "restart");

  /** Whether it may begin a run of the unit. */
  boolean mayStart() {
    return STARTING.contains(verb);
  }

  /** With its times, in seconds of the monotonic clock. */
  String line() {
    return "%.6f %.6f %s".formatted(during.fromMicros() / 1e6, during.toMicros() / 1e6, this);
  }

  @Override
  public String toString() {
    return "%s %s%s".formatted(verb, unit, acknowledged ? "" : " (not acknowledged: " + said + ")");
  }
}
