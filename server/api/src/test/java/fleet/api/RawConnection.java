package fleet.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** One connection, on which anything can be said, well formed or not. */
final class RawConnection implements AutoCloseable {

  private final AutoCloseable connection;
  private final InputStream in;
  private final OutputStream out;
  private final String host;

  private RawConnection(AutoCloseable connection, String host, InputStream in, OutputStream out) {
    this.connection = connection;
    this.host = host;
    this.in = in;
    this.out = out;
  }

  static RawConnection to(Path socket) throws IOException {
    return to(UnixDomainSocketAddress.of(socket));
  }

  static RawConnection to(SocketAddress address) throws IOException {
    if (address instanceof InetSocketAddress inet) {
      return to(new Socket(inet.getAddress(), inet.getPort()));
    }
    SocketChannel channel = SocketChannel.open(address);
    return new RawConnection(channel, "test", Channels.newInputStream(channel), new Out(channel));
  }

  static RawConnection to(Socket socket) throws IOException {
    return new RawConnection(
        socket, "127.0.0.1:" + socket.getPort(), socket.getInputStream(), socket.getOutputStream());
  }

  /** The stream that {@link Channels} makes would hold the lock that reading takes. */
  private static final class Out extends OutputStream {
    private final SocketChannel channel;

    Out(SocketChannel channel) {
      this.channel = channel;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    }
  }

  void send(String text) throws IOException {
    out.write(text.getBytes(UTF_8));
    out.flush();
  }

  Reply get(String path) throws IOException {
    return request("GET", path, "");
  }

  Reply request(String method, String path, String body, String... headers) throws IOException {
    ask(method, path, body, headers);
    Reply reply = read(!method.equals("HEAD"));
    OpenApiDocument.SERVED.check(method, path, reply);
    return reply;
  }

  void ask(String method, String path, String body, String... headers) throws IOException {
    boolean named = List.of(headers).stream().anyMatch(header -> header.startsWith("Host: "));
    StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
    head.append(named ? "" : "Host: " + host + "\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    if (!body.isEmpty()) {
      head.append("Content-Length: ").append(body.getBytes(UTF_8).length).append("\r\n");
    }
    send(head + "\r\n" + body);
  }

  Reply read() throws IOException {
    return read(true);
  }

  private Reply read(boolean withBody) throws IOException {
    Reply head = head();
    if (!withBody || head.status() == 204 || head.status() == 304) {
      return head;
    }
    if (head.header("transfer-encoding").equals("chunked")) {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      for (byte[] chunk = chunk(); chunk.length > 0; chunk = chunk()) {
        body.writeBytes(chunk);
      }
      StringBuilder trailers = new StringBuilder();
      for (String line = line(); !line.isEmpty(); line = line()) {
        trailers.append(line).append('\n');
      }
      return new Reply(head.status(), head.headers(), body.toString(UTF_8), trailers.toString());
    }
    String length = head.header("content-length");
    byte[] body = length.isEmpty() ? in.readAllBytes() : in.readNBytes(Integer.parseInt(length));
    return new Reply(head.status(), head.headers(), new String(body, UTF_8), "");
  }

  /** Reads up to the end of the headers. */
  Reply head() throws IOException {
    String status = line();
    Map<String, List<String>> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers
          .computeIfAbsent(
              line.substring(0, colon).toLowerCase(Locale.ROOT), k -> new ArrayList<>())
          .add(line.substring(colon + 1).trim());
    }
    return new Reply(Integer.parseInt(status.split(" ", 3)[1]), headers, "", "");
  }

  /**
   * The next piece of an answer that comes in pieces; empty at its end. The line end after a piece
   * is read with the next one, for the server sends it only then.
   */
  byte[] chunk() throws IOException {
    String size = line();
    if (size.isEmpty()) {
      size = line();
    }
    return in.readNBytes(Integer.parseInt(size, 16));
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("connection ended after \"" + line.toString(ISO_8859_1) + "\"");
      }
      line.write(b);
    }
    return line.toString(ISO_8859_1).trim();
  }

  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
