package fleet.fleetctl.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files for TLS; an empty name means none. The server is always verified: by the given CA,
 * else by those that Java trusts.
 */
public record ClientTlsFiles(String ca, String certificate, String key) implements ClientTls {

  public static final ClientTlsFiles NONE = new ClientTlsFiles("", "", "");

  /**
   * Checks that the files are there.
   *
   * @throws InvalidEndpointException if one cannot be read, or one of the pair is not given
   */
  public void check() throws InvalidEndpointException {
    if (certificate.isEmpty() != key.isEmpty()) {
      throw new InvalidEndpointException("--cert-file and --key-file go together: one is missing");
    }
    for (String file : new String[] {ca, certificate, key}) {
      if (!file.isEmpty() && !Files.isReadable(Path.of(file))) {
        throw new InvalidEndpointException("cannot read the TLS file " + file);
      }
    }
  }

  @Override
  public Transport wrap(Socket plain, String host, int port) throws IOException {
    WitnessedTrust trust = trust();
    SSLContext context = context(trust);
    TlsFailure failure = new TlsFailure(this, host, trust);
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    try {
      socket.startHandshake();
    } catch (SSLException e) {
      throw failure.of(e);
    }
    return new Transport(
        failure.explaining(socket.getInputStream()), socket.getOutputStream(), socket);
  }

  private SSLContext context(TrustManager trust) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys(), new TrustManager[] {trust}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS files cannot be used: " + e.getMessage(), e);
    }
  }

  private KeyManager @Nullable [] keys() throws GeneralSecurityException, IOException {
    if (certificate.isEmpty()) {
      return null;
    }
    KeyStore store = emptyStore();
    Certificate[] chain = certificates(certificate).toArray(new Certificate[0]);
    store.setKeyEntry("client", PemKey.read(Path.of(key)), new char[0], chain);
    KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
    factory.init(store, new char[0]);
    return factory.getKeyManagers();
  }

  private WitnessedTrust trust() throws IOException {
    try {
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(authorities());
      return new WitnessedTrust((X509ExtendedTrustManager) factory.getTrustManagers()[0]);
    } catch (GeneralSecurityException e) {
      throw new IOException("the file %s cannot be used: %s".formatted(ca, e.getMessage()), e);
    }
  }

  /** Null for those that Java trusts. */
  private @Nullable KeyStore authorities() throws GeneralSecurityException, IOException {
    if (ca.isEmpty()) {
      return null;
    }
    KeyStore store = emptyStore();
    int number = 0;
    for (Certificate authority : certificates(ca)) {
      store.setCertificateEntry("ca-" + number++, authority);
    }
    return store;
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static Collection<? extends Certificate> certificates(String file)
      throws GeneralSecurityException, IOException {
    try {
      byte[] pem = Files.readAllBytes(Path.of(file));
      return CertificateFactory.getInstance("X.509")
          .generateCertificates(new ByteArrayInputStream(pem));
    } catch (NoSuchFileException e) {
      throw new IOException("there is no file " + file, e);
    }
  }
}
