package fleet.fleetd.machine;

import fleet.core.machine.Machine;
import fleet.fleetd.config.Configuration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Facts about this machine as it is now: its address, its resources and its configuration may all
 * change while it runs. Safe for use by many threads; changes are told by one of them at a time, in
 * order.
 */
public final class MachineFacts {

  private static final Logger LOG = LoggerFactory.getLogger(MachineFacts.class);

  /** Reads the machine again. */
  @FunctionalInterface
  public interface Reader {
    Machine read(Configuration configuration, Machine before);
  }

  private final Reader reader;
  private final List<Consumer<Machine>> told = new CopyOnWriteArrayList<>();
  private Configuration configuration;
  private volatile Machine machine;

  /**
   * With a reader from outside.
   *
   * @param machine as it is at first
   */
  public MachineFacts(Reader reader, Configuration configuration, Machine machine) {
    this.reader = reader;
    this.configuration = configuration;
    this.machine = machine;
  }

  /**
   * Reads the machine for the first time.
   *
   * @throws UnidentifiedMachineException if it cannot be told from others
   */
  public static MachineFacts read(MachineIdentity identity, Configuration configuration)
      throws UnidentifiedMachineException {
    return new MachineFacts(identity::readAgain, configuration, identity.read(configuration));
  }

  /** A machine that never changes. */
  public static MachineFacts fixed(Configuration configuration, Machine machine) {
    return new MachineFacts((_, before) -> before, configuration, machine);
  }

  public Machine machine() {
    return machine;
  }

  /** Calls a listener at each change from now on. */
  public void onChange(Consumer<Machine> hearer) {
    told.add(hearer);
  }

  /** Stops the calls. */
  public void forgetHearers() {
    told.clear();
  }

  /** Something may have changed. */
  public synchronized void lookAgain() {
    Machine before = machine;
    Machine now = reader.read(configuration, before);
    if (now.equals(before)) {
      return;
    }
    machine = now;
    if (!now.publicIp().equals(before.publicIp())) {
      LOG.info(
          "this machine's address is now {}, and was {}",
          shown(now.publicIp()),
          shown(before.publicIp()));
    }
    told.forEach(hearer -> hearer.accept(now));
  }

  private static String shown(String address) {
    return address.isEmpty() ? "unknown" : address;
  }

  /** The configuration was read again. */
  public synchronized void reconfigure(Configuration changed) {
    configuration = changed;
    lookAgain();
  }
}
