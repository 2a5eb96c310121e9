package fleet.fleetd.machine;

import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.machine.Resources;
import fleet.core.text.SingleLine;
import fleet.fleetd.config.Configuration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Collects the identity of this machine in the cluster. */
public final class MachineIdentity {
  // It becomes part of keys and paths, so nothing that would have to be escaped there.
  private static final Pattern ID = Pattern.compile("[0-9A-Za-z_-]{1,64}");
  // The placeholder of first boot, until the machine has its id.
  private static final String UNINITIALIZED = "uninitialized";
  // The kernel takes no longer ones.
  private static final int LONGEST_HOSTNAME = 64;

  private final Path root;
  private final String version;

  /**
   * @param root {@code /}; another in tests
   * @param version of this fleetd
   */
  public MachineIdentity(Path root, String version) {
    this.root = root;
    this.version = version;
  }

  /** Reads the machine's files; the address is looked up if none is configured. */
  public Machine read(Configuration configuration) throws UnidentifiedMachineException {
    return described(id(), bootId(), configuration, "");
  }

  /**
   * The same machine as it is now: what can change while it runs is read again.
   *
   * @param before as it was known until now
   */
  Machine readAgain(Configuration configuration, Machine before) {
    return described(before.id(), before.bootId(), configuration, before.publicIp());
  }

  private Machine described(
      String id, String bootId, Configuration configuration, String formerIp) {
    Resources total = total(configuration);
    return new Machine(
        id,
        bootId,
        publicIp(configuration, formerIp),
        configuration.metadata(),
        version,
        isolation(configuration),
        total,
        configuration.resources().kept().on(total),
        hostname(),
        architecture());
  }

  /** Names are for people: a machine without one is still a machine. */
  private String hostname() {
    try {
      String name = Files.readString(root.resolve("proc/sys/kernel/hostname")).strip();
      return SingleLine.of(name, LONGEST_HOSTNAME);
    } catch (IOException unknown) {
      return "";
    }
  }

  /** The name that {@code uname -m} has for it. */
  private static String architecture() {
    String name = System.getProperty("os.arch", "");
    return name.equals("amd64") ? "x86_64" : name;
  }

  /** Configured values win over those of the system. */
  private Resources total(Configuration configuration) {
    Resources there = new MachineResources(root).total(configuration.directories().data());
    Resources declared = configuration.resources().declared().on(there);
    return new Resources(
        declared.cpuMillis() > 0 ? declared.cpuMillis() : there.cpuMillis(),
        declared.memory() > 0 ? declared.memory() : there.memory(),
        declared.disk() > 0 ? declared.disk() : there.disk(),
        declared.tasks() > 0 ? declared.tasks() : there.tasks());
  }

  /** A machine that is the whole cluster cannot be cut off from it. */
  private static Isolation isolation(Configuration configuration) {
    return configuration.etcd().isPresent() || configuration.join().isPresent()
        ? configuration.onIsolation()
        : Isolation.KEEP;
  }

  /** A default route that is gone for a moment takes no address away that is still there. */
  private String publicIp(Configuration configuration, String former) {
    return configuration.publicIp().isEmpty()
        ? PublicAddress.detect(root.resolve("proc/net/route"))
            .orElseGet(() -> PublicAddress.isAssigned(former) ? former : "")
        : configuration.publicIp();
  }

  private String id() throws UnidentifiedMachineException {
    Path file = root.resolve("etc/machine-id");
    String id;
    try {
      id = Files.readString(file).strip();
    } catch (IOException e) {
      throw new UnidentifiedMachineException(
          file + " cannot be read, so this machine has no id: run systemd-machine-id-setup", e);
    }
    if (id.isEmpty() || id.equals(UNINITIALIZED)) {
      throw new UnidentifiedMachineException(
          file + " holds no id for this machine: run systemd-machine-id-setup");
    }
    if (!ID.matcher(id).matches()) {
      throw new UnidentifiedMachineException(
          file
              + " holds no machine id but other text: remove it, then run systemd-machine-id-setup");
    }
    return id;
  }

  private String bootId() throws UnidentifiedMachineException {
    Path file = root.resolve("proc/sys/kernel/random/boot_id");
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UnidentifiedMachineException(
          file + " cannot be read, so one boot cannot be told from the next: mount /proc", e);
    }
  }
}
