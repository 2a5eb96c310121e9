package fleet.core.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Ports on loopback for servers that tests stop and start again. They lie below those that the
 * kernel gives to whoever connects or asks for any port, and each process of a test run has a range
 * of its own, so that nobody takes them while their server is down. A range is its who listens on
 * the first port of it.
 */
public final class ServerPorts {

  private static final int FIRST = 12_000;
  private static final int RANGE = 1_000;
  private static final int RANGES = 20;

  private static final ServerSocket CLAIM = claim();
  private static final AtomicInteger TAKEN = new AtomicInteger();

  private ServerPorts() {}

  private static ServerSocket claim() {
    for (int i = 0; i < RANGES; i++) {
      try {
        return listen(FIRST + RANGE * i);
      } catch (IOException e) {
        // Another process has it.
      }
    }
    throw new AssertionError("no range of ports is free from " + FIRST + " on");
  }

  private static ServerSocket listen(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }

  /** Ports that nobody listens on; each comes again only after all others. */
  public static List<Integer> take(int count) {
    return IntStream.generate(TAKEN::getAndIncrement)
        .limit(RANGE)
        .map(taken -> CLAIM.getLocalPort() + 1 + taken % (RANGE - 1))
        .filter(ServerPorts::isFree)
        .limit(count)
        .boxed()
        .toList();
  }

  private static boolean isFree(int port) {
    try (ServerSocket probe = listen(port)) {
      return probe.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
