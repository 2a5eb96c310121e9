package fleet.bench.scale;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A connection to the API that is used again and again. It does as little as it can: it shares
 * processors with what is measured. For one thread.
 */
final class ApiConnection implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 120_000;
  private static final int BUFFER = 64 * 1024;

  private final Socket socket = new Socket();
  private final InputStream in;

  /** An answer, read to its end. */
  record Answer(int status, String body) {}

  ApiConnection(InetSocketAddress server) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.connect(server, TIMEOUT_MILLIS);
    in = new BufferedInputStream(socket.getInputStream(), BUFFER);
  }

  /** Sends a request and reads the answer. */
  Answer exchange(String method, String path, byte... body) throws IOException {
    send(method, path, body);
    return answer();
  }

  private void send(String method, String path, byte... body) throws IOException {
    String head =
        """
        %s %s HTTP/1.1\r
        Host: %s\r
        Content-Type: application/json\r
        Content-Length: %d\r
        \r
        """
            .formatted(method, path, socket.getInetAddress().getHostAddress(), body.length);
    byte[] start = head.getBytes(ISO_8859_1);
    byte[] all = new byte[start.length + body.length];
    System.arraycopy(start, 0, all, 0, start.length);
    System.arraycopy(body, 0, all, start.length, body.length);
    socket.getOutputStream().write(all);
  }

  private Answer answer() throws IOException {
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    int length = 0;
    boolean chunked = false;
    for (String header = line(); !header.isEmpty(); header = line()) {
      int colon = header.indexOf(':');
      String name = header.substring(0, colon);
      if (name.equalsIgnoreCase("Content-Length")) {
        length = Integer.parseInt(header.substring(colon + 1).strip());
      } else if (name.equalsIgnoreCase("Transfer-Encoding")) {
        chunked = true;
      }
    }
    return new Answer(status, chunked ? chunks() : text(length));
  }

  private String chunks() throws IOException {
    StringBuilder body = new StringBuilder();
    for (String chunk = chunk(); !chunk.isEmpty(); chunk = chunk()) {
      body.append(chunk);
    }
    return body.toString();
  }

  private String chunk() throws IOException {
    int length = Integer.parseInt(line().strip(), 16);
    String chunk = text(length);
    String end = line();
    if (!end.isEmpty()) {
      throw new IOException("a chunk of the answer is longer than it says: " + end);
    }
    return chunk;
  }

  private String text(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the API ended the connection in the middle of an answer");
    }
    return new String(bytes, UTF_8);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    int next = in.read();
    while (next != '\n') {
      if (next < 0) {
        throw new EOFException("the API ended the connection");
      }
      if (next != '\r') {
        line.append((char) next);
      }
      next = in.read();
    }
    return line.toString();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
