package fleet.daemon;

import fleet.daemon.config.Configuration;
import fleet.daemon.notify.HealthProbe;
import java.io.PrintStream;

/**
 * The parts of fleetd, wired and running. Its methods may be called from any thread; {@link #close}
 * once, as the last.
 */
public interface Service extends HealthProbe, AutoCloseable {

  /** One line for {@code systemctl status}. */
  String status();

  /** Takes on what can change without a restart; units are left alone. */
  void reload(Configuration configuration);

  /** Writes what the parts hold, as one line of JSON. */
  void dump(PrintStream out);

  /** Stops the parts in order and leaves all units running. */
  @Override
  void close();

  /** Wires the parts and starts them. */
  @FunctionalInterface
  interface Starter {
    /**
     * Returns when all parts run.
     *
     * @throws FatalException or another exception whose message is fit for the operator
     */
    Service start(Startup startup) throws Exception;
  }
}
