package fleet.api.listen;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The PEM files of a TLS server that asks its clients for certificates.
 *
 * @param certificate of the server, with its chain
 * @param key of that certificate, PKCS #8, not encrypted
 * @param authority whose certificates clients must have
 */
public record ServerTlsFiles(Path certificate, Path key, Path authority) {

  /** Both sides of a connection can use it. */
  public SSLContext load() throws ListenException {
    List<X509Certificate> chain = PemFiles.certificates(certificate);
    PrivateKey privateKey = PemFiles.privateKey(key, chain.getFirst(), certificate);
    List<X509Certificate> authorities = PemFiles.certificates(authority);
    try {
      return context(chain, privateKey, authorities);
    } catch (GeneralSecurityException | IOException e) {
      throw new ListenException(
          "TLS with " + certificate + " and " + key + " does not work: " + e.getMessage(), e);
    }
  }

  /** The names in the certificate, for which clients may ask. */
  List<String> names() throws ListenException {
    try {
      Collection<List<?>> names =
          PemFiles.certificates(certificate).getFirst().getSubjectAlternativeNames();
      return names == null
          ? List.of()
          : names.stream()
              .map(List::getLast)
              .filter(String.class::isInstance)
              .map(String.class::cast)
              .toList();
    } catch (CertificateParsingException e) {
      throw new ListenException(certificate + " has names that cannot be read", e);
    }
  }

  private static SSLContext context(
      List<X509Certificate> chain, PrivateKey key, List<X509Certificate> authorities)
      throws GeneralSecurityException, IOException {
    KeyStore own = emptyStore();
    own.setKeyEntry("server", key, new char[0], chain.toArray(X509Certificate[]::new));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, new char[0]);

    KeyStore trusted = emptyStore();
    for (int i = 0; i < authorities.size(); i++) {
      trusted.setCertificateEntry("authority" + i, authorities.get(i));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);

    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }
}
