package fleet.api.listen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** A certificate that vouches for itself, made for one test. */
public record TestCertificate(KeyStore store, Path certificate, Path key) {

  private static final String PASSWORD = "changeit";

  public static TestCertificate make(Path directory, String name, String algorithm)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path file = directory.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "it",
                "-keyalg",
                algorithm,
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1",
                "-validity",
                "2",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .inheritIO()
            .start();
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool failed");
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    Path certificate =
        pem(directory, name + ".pem", "CERTIFICATE", store.getCertificate("it").getEncoded());
    byte[] key = store.getKey("it", PASSWORD.toCharArray()).getEncoded();
    return new TestCertificate(
        store, certificate, pem(directory, name + ".key", "PRIVATE KEY", key));
  }

  private static Path pem(Path directory, String name, String kind, byte[] bytes)
      throws IOException {
    return Files.writeString(
        directory.resolve(name),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(
                kind, Base64.getMimeEncoder(64, "\n".getBytes(UTF_8)).encodeToString(bytes), kind));
  }

  /** For a client that shows this certificate and trusts another. */
  public SSLContext trusting(TestCertificate server) throws GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust(server).getTrustManagers(), null);
    return context;
  }

  /** For a server that takes any certificate of its clients, or none. */
  public SSLContext takingAny() throws GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), new TrustManager[] {new AnyClient()}, null);
    return context;
  }

  private static final class AnyClient implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {
      assertThat(chain).isNotEmpty();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
      throw new UnsupportedOperationException();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  /** For a client that shows no certificate. */
  public static SSLContext anonymousTrusting(TestCertificate server)
      throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust(server).getTrustManagers(), null);
    return context;
  }

  private static TrustManagerFactory trust(TestCertificate server) throws GeneralSecurityException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    try {
      trusted.load(null, null);
    } catch (IOException e) {
      throw new GeneralSecurityException(e);
    }
    trusted.setCertificateEntry("server", server.store.getCertificate("it"));
    trust.init(trusted);
    return trust;
  }
}
