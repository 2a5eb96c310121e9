package fleet.systemd.dbus;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Connects and authenticates. */
final class BusConnector {

  /**
   * The kernel tells the other side who this is. The greeting is all in one piece: to systemd a
   * first call that arrives together with {@code BEGIN} is lost from sight until more arrives,
   * which would be never.
   */
  private static final byte[] GREETING = "\0AUTH EXTERNAL\r\nDATA\r\nBEGIN\r\n".getBytes(US_ASCII);

  private static final int LONGEST_LINE = 4096;

  private BusConnector() {}

  /** Returns a socket over which messages may be sent. */
  static SocketChannel dial(ManagerAddress address) throws IOException {
    SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(address.socket()));
    try {
      channel.write(ByteBuffer.wrap(GREETING));
      expect("DATA", line(channel));
      expect("OK", line(channel));
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static void expect(String word, String line) throws IOException {
    if (!line.equals(word) && !line.startsWith(word + " ")) {
      throw new IOException("it refuses this user: " + line);
    }
  }

  /** Reads byte by byte, because messages may follow on the last line at once. */
  private static String line(SocketChannel channel) throws IOException {
    StringBuilder line = new StringBuilder();
    ByteBuffer one = ByteBuffer.allocate(1);
    while (line.length() < LONGEST_LINE) {
      if (channel.read(one.clear()) < 0) {
        throw new EOFException("it closed the connection; only root and its own user may connect");
      }
      char c = (char) one.get(0);
      if (c == '\n') {
        return line.toString().strip();
      }
      line.append(c);
    }
    throw new IOException("it does not speak D-Bus");
  }
}
