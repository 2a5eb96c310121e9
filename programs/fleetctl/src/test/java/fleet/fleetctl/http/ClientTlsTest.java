package fleet.fleetctl.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Handler;
import fleet.fleetctl.fake.FakeTlsServer;
import fleet.trust.TestCertificate;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ClientTlsTest {

  @TempDir static Path directory;
  private static TestCertificate serving;
  private static TestCertificate rsa;

  @BeforeAll
  static void makeKeys() throws Exception {
    serving = TestCertificate.make(directory, "server", "EC");
    rsa = TestCertificate.make(directory, "rsa", "RSA");
    var _ = TestCertificate.make(directory, "ec", "EC");
    String pem = Files.readString(rsa.key()).replaceAll("-----.*-----", "");
    byte[] pkcs8 = Base64.getMimeDecoder().decode(pem);
    // The older form is what PKCS#8 wraps, after 26 bytes that say that it is RSA.
    pem("rsa1.key", "RSA PRIVATE KEY", Arrays.copyOfRange(pkcs8, 26, pkcs8.length));
  }

  /** A server that asks for a certificate. */
  private static FakeTlsServer server() throws Exception {
    return new FakeTlsServer(
        serving.takingAny(), (_, out) -> FakeHttpServer.reply(out, 200, "{}", "Connection: close"));
  }

  private static void pem(String file, String label, byte[] der) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    Files.writeString(
        directory.resolve(file),
        "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n");
  }

  private static void call(FakeTlsServer server, ClientTlsFiles files) throws Exception {
    Dialer dialer =
        new Dialer(List.of(Endpoint.parse("https://localhost:" + server.port())), files);
    try (HttpClient client = new HttpClient(dialer, 60_000)) {
      assertThat(client.call(HttpRequest.get("/")).body()).isNotEmpty();
    }
  }

  private static String file(String name) {
    return directory.resolve(name).toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rsa", "ec", "rsa1"})
  void showsItsCertificate(String key) throws Exception {
    String name = key.replace("1", "");
    try (FakeTlsServer server = server()) {
      ClientTlsFiles files =
          new ClientTlsFiles(file("server.pem"), file(name + ".pem"), file(key + ".key"));

      call(server, files);
      assertThat(server.callers).containsExactly("CN=" + name);
    }
  }

  @Test
  void trustsNobodyWithoutBeingTold() throws Exception {
    try (FakeTlsServer server = server()) {
      ClientTlsFiles files = new ClientTlsFiles("", file("rsa.pem"), file("rsa.key"));

      assertThatThrownBy(() -> call(server, files))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("--ca-file");
    }
  }

  // ---- which side lacks what

  private static final Handler NOTHING = (_, _) -> false;

  /** The error of a command, which must come without a second attempt. */
  private static String error(Endpoint endpoint, ClientTlsFiles files) {
    List<String> notices = new CopyOnWriteArrayList<>();
    FleetClient client =
        new FleetClient(
            new HttpClient(new Dialer(List.of(endpoint), files), 60_000), line -> {}, notices::add);
    Throwable error = catchThrowable(client.machines()::list);
    assertThat(error).isNotNull();
    assertThat(notices).isEmpty();
    return String.valueOf(error.getMessage());
  }

  private static Endpoint at(String scheme, int port) throws InvalidEndpointException {
    return Endpoint.parse(scheme + "://localhost:" + port);
  }

  @Test
  void anAuthorityThatTheFileDoesNotHaveIsNamed() throws Exception {
    try (FakeTlsServer server = server()) {
      assertThat(error(at("https", server.port()), new ClientTlsFiles(file("rsa.pem"), "", "")))
          .endsWith(
              "the server's certificate is by \"CN=server\", which --ca-file %s does not have"
                  .formatted(file("rsa.pem")));
      assertThat(error(at("https", server.port()), ClientTlsFiles.NONE))
          .contains("by \"CN=server\", which this machine does not trust: ")
          .contains("--ca-file");
    }
  }

  @Test
  void aNameThatTheCertificateDoesNotHaveIsNamedWithThoseThatItHas() throws Exception {
    ClientTlsFiles files = new ClientTlsFiles(file("server.pem"), "", "");
    try (FakeTlsServer server = server();
        Socket socket = new Socket("localhost", server.port())) {
      assertThatThrownBy(() -> files.wrap(socket, "node1", server.port()))
          .hasMessage("the name node1 is not in the server's certificate (127.0.0.1, localhost)");
    }
  }

  @Test
  void aServerThatWantsACertificateSaysSo() throws Exception {
    try (FakeTlsServer server = new FakeTlsServer(serving.trusting(rsa), NOTHING).requiringOne()) {
      assertThat(error(at("https", server.port()), new ClientTlsFiles(file("server.pem"), "", "")))
          .endsWith(
              "the server wants a client certificate, and none was given (--cert-file, --key-file)");
    }
  }

  @Test
  void aCertificateThatTheServerDoesNotTakeIsNamed() throws Exception {
    ClientTlsFiles files = new ClientTlsFiles(file("server.pem"), file("ec.pem"), file("ec.key"));
    try (FakeTlsServer server = new FakeTlsServer(serving.trusting(rsa), NOTHING).requiringOne()) {
      assertThat(error(at("https", server.port()), files))
          .contains("the server does not take the certificate of --cert-file " + file("ec.pem"));
    }
  }

  @Test
  void plainHttpAgainstTlsSaysWhatToWrite() throws Exception {
    try (FakeTlsServer server = server()) {
      assertThat(error(at("http", server.port()), ClientTlsFiles.NONE))
          .contains("it speaks TLS, so write https:// in the endpoint");
    }
  }

  @Test
  void tlsAgainstPlainHttpSaysWhatToWrite() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread answering =
          Thread.ofVirtual()
              .start(() -> {
                try (Socket client = server.accept()) {
                  client
                      .getOutputStream()
                      .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(UTF_8));
                  // To its end, so that the answer is not lost.
                  long _ = client.getInputStream().transferTo(OutputStream.nullOutputStream());
                } catch (IOException gone) {
                  // The client has seen enough.
                }
              });

      assertThat(error(at("https", server.getLocalPort()), ClientTlsFiles.NONE))
          .contains("it speaks plain HTTP: write http:// in the endpoint");
      answering.join();
    }
  }

  @Test
  void saysWhichKeysItCannotRead() throws Exception {
    pem("sec1.key", "EC PRIVATE KEY", new byte[] {1, 2, 3});
    try (FakeTlsServer server = server()) {
      ClientTlsFiles files =
          new ClientTlsFiles(file("server.pem"), file("ec.pem"), file("sec1.key"));

      assertThatThrownBy(() -> call(server, files)).hasMessageContaining("openssl pkcs8");
    }
  }
}
