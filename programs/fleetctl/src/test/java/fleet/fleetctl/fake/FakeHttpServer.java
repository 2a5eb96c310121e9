package fleet.fleetctl.fake;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Serves HTTP/1.1 with kept connections on a unix socket or on a port of the loopback. */
public final class FakeHttpServer implements Closeable {

  /** Answers a request by writing raw HTTP; returning false closes the connection. */
  public interface Handler {
    boolean handle(Request request, OutputStream out) throws IOException;
  }

  /** A request as it came. */
  public record Request(String method, String target, Map<String, String> headers, String body) {
    public String path() {
      int question = target.indexOf('?');
      return question < 0 ? target : target.substring(0, question);
    }

    public String query() {
      int question = target.indexOf('?');
      return question < 0 ? "" : target.substring(question + 1);
    }
  }

  private final ServerSocketChannel server;
  private final Handler handler;
  private final List<SocketChannel> open = new ArrayList<>();
  private final Thread accepting;
  private int accepted;

  private FakeHttpServer(ServerSocketChannel server, Handler handler) {
    this.server = server;
    this.handler = handler;
    this.accepting = Thread.ofVirtual().start(this::accept);
  }

  public static FakeHttpServer onSocket(Path socket, Handler handler) throws IOException {
    Files.deleteIfExists(socket);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    return bound(server, UnixDomainSocketAddress.of(socket), handler);
  }

  public static FakeHttpServer onLoopback(Handler handler) throws IOException {
    return bound(
        ServerSocketChannel.open(),
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        handler);
  }

  private static FakeHttpServer bound(
      ServerSocketChannel server, SocketAddress address, Handler handler) throws IOException {
    server.bind(address, 64);
    return new FakeHttpServer(server, handler);
  }

  public int port() throws IOException {
    return ((InetSocketAddress) server.getLocalAddress()).getPort();
  }

  /** How many connections there have been. */
  public synchronized int connections() {
    return accepted;
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel channel = server.accept();
        synchronized (this) {
          open.add(channel);
          accepted++;
        }
        Thread.ofVirtual().start(() -> serve(channel));
      }
    } catch (IOException closed) {
      return;
    }
  }

  private void serve(SocketChannel channel) {
    try (channel) {
      InputStream in = new BufferedInputStream(Channels.newInputStream(channel));
      OutputStream out = Channels.newOutputStream(channel);
      boolean more = true;
      while (more) {
        String line = line(in);
        if (line.isEmpty()) {
          return;
        }
        more = handler.handle(request(line, in), out);
      }
    } catch (IOException clientGone) {
      return;
    }
  }

  /** Reads a request. */
  static Request read(InputStream in) throws IOException {
    return request(line(in), in);
  }

  private static Request request(String line, InputStream in) throws IOException {
    String[] words = line.split(" ", -1);
    Map<String, String> headers = new HashMap<>();
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      int colon = header.indexOf(':');
      headers.put(
          header.substring(0, colon).toLowerCase(Locale.ROOT), header.substring(colon + 1).trim());
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    return new Request(
        words[0], words[1], headers, new String(in.readNBytes(length), StandardCharsets.UTF_8));
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  /** Writes a whole answer. */
  public static boolean reply(OutputStream out, int status, String body, String... headers)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " X\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    if (status != 204) {
      head.append("Content-Length: ").append(bytes.length).append("\r\n");
    }
    out.write((head + "\r\n" + body).getBytes(StandardCharsets.UTF_8));
    return true;
  }

  /** Begins an answer in chunks. */
  public static void beginChunks(OutputStream out, String... headers) throws IOException {
    StringBuilder head = new StringBuilder("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    out.write((head + "\r\n").getBytes(StandardCharsets.UTF_8));
  }

  public static void chunk(OutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.write(
        (Integer.toHexString(bytes.length) + "\r\n" + text + "\r\n")
            .getBytes(StandardCharsets.UTF_8));
  }

  private static void join(Thread thread) throws IOException {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** Cuts all connections and stops listening. */
  @Override
  public void close() throws IOException {
    server.close();
    // Until then it listens on, and nobody answers those who come.
    join(accepting);
    synchronized (this) {
      for (SocketChannel channel : open) {
        channel.close();
      }
    }
  }

  /** Refuses a request as fleetd does. */
  static boolean refuse(OutputStream out, int code, String message) throws IOException {
    return reply(out, code, "{\"error\":{\"code\":" + code + ",\"message\":\"" + message + "\"}}");
  }
}
