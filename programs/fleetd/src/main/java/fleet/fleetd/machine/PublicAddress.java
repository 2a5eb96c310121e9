package fleet.fleetd.machine;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Finds the address that other machines most likely reach this one by. */
final class PublicAddress {
  private PublicAddress() {}

  /** The first IPv4 address of the interface with the default route; none without such a route. */
  static Optional<String> detect(Path routes) {
    try {
      return DefaultRoute.device(Files.readAllLines(routes)).flatMap(PublicAddress::ofDevice);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Whether an interface of this machine has it. */
  static boolean isAssigned(String address) {
    try {
      return !address.isEmpty()
          && NetworkInterface.getByInetAddress(InetAddress.getByName(address)) != null;
    } catch (IOException e) {
      return false;
    }
  }

  private static Optional<String> ofDevice(String device) {
    try {
      NetworkInterface found = NetworkInterface.getByName(device);
      return found == null ? Optional.empty() : first(found.inetAddresses().toList());
    } catch (SocketException e) {
      return Optional.empty();
    }
  }

  static Optional<String> first(List<InetAddress> addresses) {
    return addresses.stream()
        .filter(PublicAddress::isGlobalUnicast)
        .map(InetAddress::getHostAddress)
        .findFirst();
  }

  private static boolean isGlobalUnicast(InetAddress address) {
    return address instanceof Inet4Address
        && !address.isAnyLocalAddress()
        && !address.isLoopbackAddress()
        && !address.isLinkLocalAddress()
        && !address.isMulticastAddress()
        && !address.getHostAddress().equals("255.255.255.255");
  }
}
