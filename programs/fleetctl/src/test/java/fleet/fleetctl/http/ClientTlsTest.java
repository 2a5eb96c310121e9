package fleet.fleetctl.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeTlsServer;
import fleet.trust.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ClientTlsTest {

  @TempDir static Path directory;
  private static TestCertificate serving;

  @BeforeAll
  static void makeKeys() throws Exception {
    serving = TestCertificate.make(directory, "server", "EC");
    TestCertificate rsa = TestCertificate.make(directory, "rsa", "RSA");
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
    Dialer dialer = new Dialer(Endpoint.parse("https://localhost:" + server.port()), files);
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
