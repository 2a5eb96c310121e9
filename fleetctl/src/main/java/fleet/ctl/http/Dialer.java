package fleet.ctl.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens connections to one endpoint. Failures say what is wrong and what to do. */
public final class Dialer {

  private static final int CONNECT_MILLIS = 10_000;
  private static final String RUNNING = "is fleetd running? Try: systemctl status fleet";

  private final Endpoint endpoint;
  private final TlsFiles tls;

  public Dialer(Endpoint endpoint, TlsFiles tls) {
    this.endpoint = endpoint;
    this.tls = tls;
  }

  public Endpoint endpoint() {
    return endpoint;
  }

  /** Opens a connection; the message of what it throws is one line for the user. */
  public Transport dial() throws IOException {
    // A switch on types makes a class at run time, which no AOT cache holds.
    if (endpoint instanceof Endpoint.Tcp tcp) {
      return tcp(tcp);
    }
    return unix(((Endpoint.Unix) endpoint).path());
  }

  private static Transport unix(String path) throws IOException {
    try {
      SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path));
      return new Transport(
          Channels.newInputStream(channel), Channels.newOutputStream(channel), channel);
    } catch (IOException | IllegalArgumentException e) {
      throw new NotConnectedException(unixProblem(path, e), e);
    }
  }

  private static String unixProblem(String path, Exception e) {
    String message = String.valueOf(e.getMessage());
    if (message.contains("Permission denied") || message.contains("not permitted")) {
      return "not permitted to use " + path + ": become root, or a member of the group fleet";
    }
    if (!Files.exists(Path.of(path))) {
      return "there is no socket " + path + ": " + RUNNING;
    }
    if (message.contains("refused")) {
      return "nobody listens on " + path + ": " + RUNNING;
    }
    return "cannot connect to " + path + ": " + message;
  }

  private Transport tcp(Endpoint.Tcp tcp) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      InetSocketAddress address = new InetSocketAddress(tcp.name(), tcp.port());
      if (address.isUnresolved()) {
        throw new UnknownHostException(tcp.name());
      }
      channel.socket().connect(address, CONNECT_MILLIS);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      return tcp.tls()
          ? tls.wrap(channel.socket(), tcp.name(), tcp.port())
          : new Transport(
              Channels.newInputStream(channel), Channels.newOutputStream(channel), channel);
    } catch (IOException e) {
      channel.close();
      throw new NotConnectedException(tcpProblem(tcp, e), e);
    }
  }

  private static String tcpProblem(Endpoint.Tcp tcp, IOException e) {
    String where = tcp.text();
    return switch (e) {
      case UnknownHostException unknown ->
          "unknown host \"" + tcp.name() + "\" in endpoint " + where;
      case SocketException socket when String.valueOf(socket.getMessage()).contains("refused") ->
          "nobody listens on " + where + ": " + RUNNING;
      default -> "cannot connect to " + where + ": " + e.getMessage();
    };
  }
}
