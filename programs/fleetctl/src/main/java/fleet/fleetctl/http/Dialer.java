package fleet.fleetctl.http;

import java.io.Closeable;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Opens connections to one endpoint, or to the first of several that answers. Failures say what is
 * wrong and what to do. Safe for use by many threads.
 */
public final class Dialer {

  private static final int CONNECT_MILLIS = 10_000;
  private static final int LISTEN_MILLIS = 1_000;
  private static final String RUNNING = "is fleetd running? Try: systemctl status fleet";

  private final List<Endpoint> endpoints;
  private final ClientTls tls;
  private final Optional<SshConnector> ssh;

  /** The endpoint that answered last. */
  private volatile int current;

  /**
   * Any of several.
   *
   * @param endpoints at least one
   */
  public Dialer(List<Endpoint> endpoints, ClientTls tls) {
    this(endpoints, tls, Optional.empty());
  }

  /**
   * The same, through ssh.
   *
   * @param ssh for endpoints on machines that ssh reaches, and for all others if it has a tunnel
   */
  public Dialer(List<Endpoint> endpoints, ClientTls tls, Optional<SshConnector> ssh) {
    this.endpoints = List.copyOf(endpoints);
    this.tls = tls;
    this.ssh = ssh;
  }

  public Endpoint endpoint() {
    return endpoints.get(current);
  }

  /** Opens a connection; the message of what it throws is one line for the user. */
  public Transport dial() throws IOException {
    int first = current;
    List<String> failures = new ArrayList<>();
    while (true) {
      int next = (first + failures.size()) % endpoints.size();
      try {
        Transport there = dial(endpoints.get(next));
        current = next;
        return there;
      } catch (NotConnectedException e) {
        failures.add(String.valueOf(e.getMessage()));
        if (failures.size() == endpoints.size()) {
          throw failures.size() == 1
              ? e
              : new NotConnectedException("no server answers: " + String.join("; ", failures), e);
        }
      }
    }
  }

  private Transport dial(Endpoint endpoint) throws IOException {
    // A switch on types would make a class at run time, outside the AOT cache.
    if (endpoint instanceof Endpoint.Unix unix) {
      return unix(unix.path());
    }
    if (endpoint instanceof Endpoint.Tcp tcp) {
      return ssh.isPresent() ? tunnelled(tcp, ssh.get()) : tcp(tcp, 0);
    }
    return ssh.orElseThrow(() -> new NotConnectedException("no ssh for " + endpoint.text()))
        .toSocket((Endpoint.Ssh) endpoint);
  }

  private Transport tunnelled(Endpoint.Tcp tcp, SshConnector tunnel) throws IOException {
    Transport plain = tunnel.toPort(tcp.name(), tcp.port());
    if (!tcp.tls()) {
      return plain;
    }
    try {
      return tls.wrap(new TransportSocket(plain), tcp.name(), tcp.port());
    } catch (IOException e) {
      plain.channel().close();
      throw new NotConnectedException(tcpProblem(tcp, e), e);
    }
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

  /**
   * Why a connection ended without an answer. A server that refuses a certificate says so after the
   * handshake, and what it says is lost if a request is under way by then: this sends none.
   */
  IOException reason(IOException failure) {
    if (!(endpoint() instanceof Endpoint.Tcp tcp) || !tcp.tls() || ssh.isPresent()) {
      return failure;
    }
    try {
      Transport silent = tcp(tcp, LISTEN_MILLIS);
      try (Closeable _ = silent.channel()) {
        int _ = silent.in().read(new byte[1], 0, 1);
      }
      return failure;
    } catch (TlsException refusal) {
      return refusal;
    } catch (IOException noMore) {
      return failure;
    }
  }

  /**
   * @param limitMillis how long a read may take; 0 for any time
   */
  private Transport tcp(Endpoint.Tcp tcp, int limitMillis) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      InetSocketAddress address = new InetSocketAddress(tcp.name(), tcp.port());
      if (address.isUnresolved()) {
        throw new UnknownHostException(tcp.name());
      }
      channel.socket().connect(address, CONNECT_MILLIS);
      channel.socket().setSoTimeout(limitMillis);
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
