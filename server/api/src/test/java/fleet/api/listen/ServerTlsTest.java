package fleet.api.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.trust.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerTlsTest {

  @TempDir private Path directory;

  private static void open(Path certificate, Path key, Path authority) throws ListenException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    ServerTlsFiles files = new ServerTlsFiles(certificate, key, authority);
    new Listen.Tcp(address, Optional.of(files), false).open().close();
  }

  @Test
  void filesThatDoNotFitAreNamed() throws Exception {
    TestCertificate one = TestCertificate.make(directory, "one", "EC");
    TestCertificate two = TestCertificate.make(directory, "two", "EC");
    TestCertificate other = TestCertificate.make(directory, "other", "Ed25519");
    Path missing = directory.resolve("missing");
    Path empty = Files.createFile(directory.resolve("empty"));
    Path garbage = pem("garbage", "PRIVATE KEY", "AAAA");
    Path old = pem("old", "EC PRIVATE KEY", "AAAA");

    open(one.certificate(), one.key(), two.certificate());
    open(other.certificate(), other.key(), one.certificate());
    refused(missing, one.key(), "there is no file " + missing, one);
    refused(empty, one.key(), empty + " holds no certificate", one);
    refused(one.certificate(), empty, empty + " holds no private key", one);
    refused(one.certificate(), garbage, garbage + " holds no readable EC key: ", one);
    refused(
        one.certificate(),
        two.key(),
        two.key() + " is not the key of the certificate in " + one.certificate(),
        one);
    refused(
        one.certificate(),
        old,
        old
            + " holds a key of the kind \"EC PRIVATE KEY\": convert it with openssl pkcs8 -topk8"
            + " -nocrypt -in "
            + old,
        one);
    assertThatThrownBy(() -> open(one.certificate(), one.key(), garbage))
        .isInstanceOf(ListenException.class)
        .hasMessageStartingWith(garbage.toString());
    assertThat(Files.exists(one.certificate())).isTrue();
  }

  private static void refused(
      Path certificate, Path key, String message, TestCertificate authority) {
    assertThatThrownBy(() -> open(certificate, key, authority.certificate()))
        .isInstanceOf(ListenException.class)
        .hasMessageStartingWith(message);
  }

  private Path pem(String name, String kind, String base64) throws IOException {
    return Files.writeString(
        directory.resolve(name),
        "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n");
  }
}
