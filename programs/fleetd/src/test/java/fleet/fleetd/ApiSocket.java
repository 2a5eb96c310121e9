package fleet.fleetd;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A client of fleetd's API that shows the whole answer. */
final class ApiSocket {

  private ApiSocket() {}

  static String get(Path socket, String path) throws IOException {
    String request = "GET " + path + " HTTP/1.1\r\nHost: fleet\r\nConnection: close\r\n\r\n";
    try (SocketChannel api = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
      while (bytes.hasRemaining()) {
        api.write(bytes);
      }
      return new String(Channels.newInputStream(api).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
