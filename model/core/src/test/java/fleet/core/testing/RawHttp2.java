package fleet.core.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import fleet.core.machine.HostPort;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Speaks HTTP/2 frame by frame, as no library of the honest does. For one thread. */
public final class RawHttp2 implements AutoCloseable {

  public static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int RESET = 3;
  private static final int END_HEADERS = 4;
  private static final int END_STREAM = 1;
  private static final int CANCEL = 8;
  private static final int LIMIT_MILLIS = 300_000;

  private final SSLSocket socket;
  private final DataOutputStream out;
  private final DataInputStream in;
  private int next = 1;

  /**
   * @param keys what it proves with; none for a stranger
   */
  public RawHttp2(HostPort to, KeyManager... keys) throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys, new TrustManager[] {new Trusting()}, null);
    socket = (SSLSocket) context.getSocketFactory().createSocket(to.host(), to.port());
    socket.setSoTimeout(LIMIT_MILLIS);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(parameters);
    out = new DataOutputStream(socket.getOutputStream());
    in = new DataInputStream(socket.getInputStream());
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
    write(SETTINGS, 0, 0, new byte[0]);
  }

  /** Begins a call and does not end it; many go out in one piece. */
  public byte[] begin(String path) throws IOException {
    return frame(HEADERS, END_HEADERS, stream(), headers(path));
  }

  /** A call without anything in it. */
  public byte[] call(String path) throws IOException {
    return frame(HEADERS, END_HEADERS | END_STREAM, stream(), headers(path));
  }

  /** Begins a call and gives it up. */
  public byte[] reset(String path) throws IOException {
    int stream = stream();
    var frames = new ByteArrayOutputStream();
    frames.write(frame(HEADERS, END_HEADERS, stream, headers(path)));
    frames.write(frame(RESET, 0, stream, new byte[] {0, 0, 0, CANCEL}));
    return frames.toByteArray();
  }

  public void write(byte[] frames) throws IOException {
    out.write(frames);
    out.flush();
  }

  /** The type of the next frame; -1 if the connection is cut. */
  public int read() throws IOException {
    try {
      int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
      int type = in.readUnsignedByte();
      in.skipNBytes(5L + length);
      return type;
    } catch (EOFException | SocketException e) {
      return -1;
    }
  }

  private int stream() {
    int stream = next;
    next += 2;
    return stream;
  }

  private void write(int type, int flags, int stream, byte[] payload) throws IOException {
    write(frame(type, flags, stream, payload));
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var data = new DataOutputStream(bytes);
    data.writeByte(payload.length >> 16);
    data.writeShort(payload.length);
    data.writeByte(type);
    data.writeByte(flags);
    data.writeInt(stream);
    data.write(payload);
    return bytes.toByteArray();
  }

  private static byte[] headers(String path) throws IOException {
    var block = new ByteArrayOutputStream();
    literal(block, ":method", "POST");
    literal(block, ":scheme", "https");
    literal(block, ":path", path);
    literal(block, ":authority", "x");
    literal(block, "content-type", "application/grpc");
    literal(block, "te", "trailers");
    return block.toByteArray();
  }

  /** As HPACK writes what it does not remember. */
  private static void literal(ByteArrayOutputStream block, String name, String value)
      throws IOException {
    block.write(0);
    block.write(name.length());
    block.write(name.getBytes(US_ASCII));
    block.write(value.length());
    block.write(value.getBytes(US_ASCII));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private static final class Trusting extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
