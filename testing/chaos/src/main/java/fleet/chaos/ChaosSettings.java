package fleet.chaos;

import fleet.testkit.MachineTransport;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How a run of chaos is to be.
 *
 * @param duration for how long commands are given and faults made
 * @param transport how machines and leader speak to each other
 * @param stopsIsolated whether machines that are cut off stop their units
 * @param seed of the choice of commands and faults; their times are the real world's
 * @param report the folder for the page and the journals
 */
record ChaosSettings(
    Duration duration, MachineTransport transport, boolean stopsIsolated, long seed, Path report) {

  @Override
  public String toString() {
    return "transport %s, on_isolation=%s, seed %d"
        .formatted(transport, stopsIsolated ? "stop" : "keep", seed);
  }
}
