package fleet.core.requirements;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The ports that a unit claims: those that it names, and those that it listens on as a socket. */
final class PortClaims {

  private final FleetSection section;
  private final Set<ClaimedPort> ports = new LinkedHashSet<>();

  PortClaims(FleetSection section) {
    this.section = section;
  }

  List<ClaimedPort> all() {
    addNamed("Ports", false);
    addNamed("SharedPorts", true);
    if (!hasNetworkOfItsOwn()) {
      boolean shared = section.isTrueOfSocket("ReusePort");
      addListening("ListenStream", ClaimedPort.TCP, shared);
      addListening("ListenDatagram", ClaimedPort.UDP, shared);
    }
    return List.copyOf(ports);
  }

  private void addNamed(String option, boolean shared) {
    for (String value : section.words(option)) {
      ClaimedPort.read(value, shared).ifPresent(ports::add);
    }
  }

  private void addListening(String option, String protocol, boolean shared) {
    List<String> listens = section.listens(option);
    if (!listens.isEmpty()) {
      boolean ipv6Only = section.lastOfSocket("BindIPv6Only").equals("ipv6-only");
      for (String value : listens) {
        ClaimedPort.listening(value, protocol, shared, ipv6Only).ifPresent(ports::add);
      }
    }
  }

  /** The ports of such a socket are none of the machine's. */
  private boolean hasNetworkOfItsOwn() {
    return section.isTrueOfSocket("PrivateNetwork")
        || !section.lastOfSocket("NetworkNamespacePath").isEmpty();
  }
}
