package fleet.testkit;

import java.util.ArrayList;
import java.util.List;

/**
 * The network of one set of machines: a bridge on this machine, 10.213.N.1/24, on which each
 * machine has an address. Sets differ in N, so that they run side by side.
 *
 * @param set the number of the set, 1 to 254
 */
record MachineNetwork(int set) {

  String bridge() {
    return "fleet" + set;
  }

  String addressOf(int machine) {
    return "10.213.%d.%d".formatted(set, 10 + machine);
  }

  /** This machine's own address there. */
  String gateway() {
    return "10.213.%d.1".formatted(set);
  }

  /** The hardware address of the bridge, administered here. */
  private String address() {
    return "02:00:0a:d5:%02x:01".formatted(set);
  }

  void up() {
    if (Command.of("ip", "link", "show", bridge()).run().ok()) {
      return;
    }
    // A bridge takes the lowest address of its cables by default: were that one pulled, all
    // machines would speak to an address that is no longer there.
    ip("link", "add", "name", bridge(), "address", address(), "type", "bridge").orThrow();
    ip("addr", "add", gateway() + "/24", "dev", bridge()).orThrow();
    ip("link", "set", bridge(), "up").orThrow();
  }

  void down() {
    ip("link", "delete", bridge());
  }

  /** The unit that gives a machine its address as it boots, before network-online.target. */
  String unitFor(int machine) {
    return """
    [Unit]
    Description=Network of a test machine
    Before=network.target network-online.target
    Wants=network.target

    [Service]
    Type=oneshot
    RemainAfterExit=yes
    ExecStart=ip link set lo up
    ExecStart=ip address replace %s/24 dev host0
    ExecStart=ip link set host0 up
    ExecStart=ip route replace default via %s
    """
        .formatted(addressOf(machine), gateway());
  }

  void cut(String machine) {
    ip("link", "set", cable(machine), "nomaster").orThrow();
  }

  void join(String machine) {
    ip("link", "set", cable(machine), "master", bridge()).orThrow();
  }

  /** Takes away the cable of a machine that lost its power a moment ago. */
  void unplug(String machine) {
    ip("link", "delete", cable(machine));
  }

  /** The host's end of a machine's cable, as systemd-nspawn names it. */
  private static String cable(String machine) {
    return "vb-" + machine;
  }

  private static Result ip(String... arguments) {
    var line = new ArrayList<String>(List.of("ip"));
    line.addAll(List.of(arguments));
    return new Command(List.copyOf(line), "").run();
  }
}
