package fleet.trust;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate of this machine that vouches for itself, made in the process for one test. */
public record TestCertificate(KeyStore store, Path certificate, Path key) {

  private static final String ALIAS = "it";
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final Map<String, String> SIGNATURES =
      Map.of("EC", "SHA256withECDSA", "RSA", "SHA256withRSA", "Ed25519", "Ed25519");
  private static final GeneralNames THIS_MACHINE =
      new GeneralNames(
          new GeneralName[] {
            new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
            new GeneralName(GeneralName.dNSName, "localhost")
          });

  /**
   * Makes one, with its files {@code NAME.pem} and {@code NAME.key}.
   *
   * @param algorithm of the key: EC, RSA or Ed25519
   */
  public static TestCertificate make(Path directory, String name, String algorithm)
      throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance(algorithm).generateKeyPair();
    var subject = new X500Principal("CN=" + name);
    var day = Duration.ofDays(1);
    var signed =
        new JcaX509v3CertificateBuilder(
                subject,
                BigInteger.ONE,
                Date.from(Instant.now().minus(day)),
                Date.from(Instant.now().plus(day)),
                subject,
                pair.getPublic())
            .addExtension(Extension.subjectAlternativeName, false, THIS_MACHINE)
            .build(new JcaContentSignerBuilder(SIGNATURES.get(algorithm)).build(pair.getPrivate()));
    X509Certificate certificate = new JcaX509CertificateConverter().getCertificate(signed);
    return new TestCertificate(
        store(pair.getPrivate(), certificate),
        Files.writeString(directory.resolve(name + ".pem"), Pem.of(certificate)),
        Files.writeString(directory.resolve(name + ".key"), Pem.of(pair.getPrivate())));
  }

  static KeyStore store(PrivateKey key, X509Certificate... chain) throws Exception {
    KeyStore store = empty();
    store.setKeyEntry(ALIAS, key, PASSWORD, chain);
    return store;
  }

  private static KeyStore empty() throws GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try {
      store.load(null, null);
    } catch (IOException e) {
      throw new GeneralSecurityException(e);
    }
    return store;
  }

  /** For a client that shows this certificate and trusts another. */
  public SSLContext trusting(TestCertificate server) throws GeneralSecurityException {
    return context(keys(store), server.believed());
  }

  /** For a client that shows no certificate. */
  public static SSLContext anonymousTrusting(TestCertificate server)
      throws GeneralSecurityException {
    return context(new KeyManager[0], server.believed());
  }

  /** For a server that takes any certificate of its clients, or none. */
  public SSLContext takingAny() throws GeneralSecurityException {
    return takingAny(store);
  }

  static SSLContext takingAny(KeyStore store) throws GeneralSecurityException {
    return context(keys(store), new AnyClient());
  }

  private static SSLContext context(KeyManager[] keys, TrustManager... trust)
      throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys, trust, null);
    return context;
  }

  private static KeyManager[] keys(KeyStore store) throws GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    return keys.getKeyManagers();
  }

  private TrustManager[] believed() throws GeneralSecurityException {
    KeyStore trusted = empty();
    trusted.setCertificateEntry(ALIAS, store.getCertificate(ALIAS));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    return trust.getTrustManagers();
  }

  private static final class AnyClient implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {
      if (chain.length == 0) {
        throw new IllegalArgumentException("no certificate");
      }
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
}
