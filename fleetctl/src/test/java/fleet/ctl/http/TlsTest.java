package fleet.ctl.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TlsTest {

  private static final char[] PASSWORD = "secret".toCharArray();

  @TempDir static Path directory;

  /** A server that asks for a certificate and answers one request with the client's name. */
  private static final class Server implements AutoCloseable {
    private final SSLServerSocket socket;

    Server() throws Exception {
      SSLContext context = SSLContext.getInstance("TLS");
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(store("server"), PASSWORD);
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      KeyStore clients = KeyStore.getInstance("PKCS12");
      clients.load(null, null);
      for (String name : List.of("rsa", "ec")) {
        clients.setCertificateEntry(name, store(name).getCertificate(name));
      }
      trust.init(clients);
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      socket = (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0);
      socket.setNeedClientAuth(true);
      Thread.ofVirtual().start(this::serve);
    }

    private void serve() {
      while (!socket.isClosed()) {
        answerOne();
      }
    }

    private void answerOne() {
      try (SSLSocket client = (SSLSocket) socket.accept()) {
        InputStream in = client.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
          head.append((char) in.read());
        }
        String name = client.getSession().getPeerPrincipal().getName();
        OutputStream out = client.getOutputStream();
        out.write(
            ("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + name)
                .getBytes(StandardCharsets.UTF_8));
      } catch (IOException refused) {
        return;
      }
    }

    String endpoint() {
      return "https://localhost:" + socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @BeforeAll
  static void makeKeys() throws Exception {
    key("server", "EC", "-ext", "san=dns:localhost");
    key("rsa", "RSA", "-keysize", "2048");
    key("ec", "EC");
    for (String name : List.of("server", "rsa", "ec")) {
      KeyStore store = store(name);
      pem(name + ".crt", "CERTIFICATE", store.getCertificate(name).getEncoded());
      pem(name + ".key", "PRIVATE KEY", store.getKey(name, PASSWORD).getEncoded());
    }
    byte[] pkcs8 = store("rsa").getKey("rsa", PASSWORD).getEncoded();
    // The older form is what PKCS#8 wraps, after 26 bytes that say that it is RSA.
    byte[] pkcs1 = new byte[pkcs8.length - 26];
    System.arraycopy(pkcs8, 26, pkcs1, 0, pkcs1.length);
    pem("rsa1.key", "RSA PRIVATE KEY", pkcs1);
  }

  private static void key(String name, String algorithm, String... more) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", name, "-keyalg", algorithm));
    command.addAll(List.of("-dname", "CN=" + name, "-storepass", "secret"));
    command.addAll(List.of("-keystore", directory.resolve(name + ".p12").toString()));
    command.addAll(List.of(more));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }

  private static KeyStore store(String name) throws Exception {
    return KeyStore.getInstance(directory.resolve(name + ".p12").toFile(), PASSWORD);
  }

  private static void pem(String file, String label, byte[] der) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    Files.writeString(
        directory.resolve(file),
        "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n");
  }

  private static String call(Server server, TlsFiles files) throws Exception {
    Dialer dialer = new Dialer(Endpoint.parse(server.endpoint()), files);
    try (HttpClient client = new HttpClient(dialer, 10_000)) {
      return new String(client.call(HttpRequest.get("/")).body(), StandardCharsets.UTF_8);
    }
  }

  private static String file(String name) {
    return directory.resolve(name).toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rsa", "ec", "rsa1"})
  void showsItsCertificate(String key) throws Exception {
    String name = key.replace("1", "");
    try (Server server = new Server()) {
      TlsFiles files = new TlsFiles(file("server.crt"), file(name + ".crt"), file(key + ".key"));

      assertThat(call(server, files)).isEqualTo("CN=" + name);
    }
  }

  @Test
  void trustsNobodyWithoutBeingTold() throws Exception {
    try (Server server = new Server()) {
      TlsFiles files = new TlsFiles("", file("rsa.crt"), file("rsa.key"));

      assertThatThrownBy(() -> call(server, files))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("--ca-file");
    }
  }

  @Test
  void saysWhichKeysItCannotRead() throws Exception {
    pem("sec1.key", "EC PRIVATE KEY", new byte[] {1, 2, 3});
    try (Server server = new Server()) {
      TlsFiles files = new TlsFiles(file("server.crt"), file("ec.crt"), file("sec1.key"));

      assertThatThrownBy(() -> call(server, files)).hasMessageContaining("openssl pkcs8");
    }
  }
}
