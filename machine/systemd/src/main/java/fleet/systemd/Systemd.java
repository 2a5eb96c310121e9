package fleet.systemd;

import fleet.core.state.SystemdState;
import fleet.core.unit.UnitName;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * One systemd manager: the system's, or a user's.
 *
 * <p>Safe for use by many threads. Calls block until systemd has answered; those that make a job
 * then give a future, which completes when the job has ended. If systemd says no, or is out of
 * reach, they throw {@link SystemdException}.
 */
public interface Systemd extends AutoCloseable {

  /** The directories that this manager reads unit files from, the first that has a file wins. */
  List<Path> unitPath();

  /** The directory of the unit path for files that end with the boot; it may be missing. */
  Path runtimeDirectory();

  /**
   * How often everything but the kernel has rebooted ({@code systemctl soft-reboot}): units end
   * with that as with any boot, while the boot id stays. 0 if systemd is older than 256.
   */
  long softReboots();

  /**
   * The boot that units of today began with at the earliest: the kernel's, and the soft reboots
   * since then.
   */
  default String boot(String kernelBoot) {
    long softReboots = softReboots();
    return softReboots == 0 ? kernelBoot : kernelBoot + "+" + softReboots;
  }

  /** {@code daemon-reload}: 0.1 to 0.7 s, more with every unit that is loaded. */
  void reload();

  /** Starts a unit; a unit that is active already is left as it is. */
  CompletableFuture<JobResult> start(UnitName unit);

  /** Stops a unit, and those that {@linkplain #stoppedWith go with it}; a slice stops alone. */
  CompletableFuture<JobResult> stop(UnitName unit);

  /** Stops and starts a unit, or starts one that does not run. */
  CompletableFuture<JobResult> restart(UnitName unit);

  /** Sends SIGKILL to all processes of a unit; does nothing if it has none. */
  void kill(UnitName unit);

  /** Forgets that a unit failed; does nothing if systemd does not have the unit in memory. */
  void resetFailed(UnitName unit);

  /**
   * The state of units, each loaded from its file if systemd does not have it in memory. A unit
   * that systemd cannot find is there with load state {@code not-found}.
   */
  Map<UnitName, SystemdState> states(Collection<UnitName> units);

  /** Those of the units that systemd has in memory, without loading any. */
  List<KnownUnit> known(Collection<UnitName> units);

  /**
   * The units that systemd stops together with a unit, directly or by way of others: those that
   * require it, are bound to it, are part of it, or are in it if it is a slice. Loads units that
   * are not in memory.
   */
  Set<UnitName> stoppedWith(UnitName unit);

  /** From now on tells the listener of changes of these units, and of no others. */
  void follow(Collection<UnitName> units);

  void unfollow(Collection<UnitName> units);

  @Override
  void close();

  /**
   * A unit in systemd's memory.
   *
   * @param fragment the file it was read from; empty for units that have none, such as mounts that
   *     somebody made by hand
   */
  record KnownUnit(UnitName unit, String load, String fragment) {}

  /** Hears what systemd reports by itself. Called by one thread at a time; must not block. */
  interface Listener {

    /** A followed unit changed its state. */
    void changed(UnitName unit, SystemdState state);

    /** systemd has read its unit files again, for any caller: some may have come or gone. */
    default void reloaded() {}

    /**
     * The connection to systemd was lost and is there again, as after {@code daemon-reexec}.
     * Changes in between were missed, and followed units are followed again.
     */
    void reconnected();

    /** The connection was lost; attempts to get it back go on. */
    void disconnected(String why);
  }
}
