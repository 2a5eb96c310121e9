package fleet.trust;

import fleet.core.text.PemText;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;

/** Writes and reads keys and certificates as text. */
final class Pem {

  private Pem() {}

  static String of(X509Certificate certificate) {
    try {
      return PemText.block(PemText.CERTIFICATE, certificate.getEncoded());
    } catch (CertificateException e) {
      throw new IllegalArgumentException(e);
    }
  }

  static String of(PrivateKey key) {
    return PemText.block(PemText.KEY, key.getEncoded());
  }

  /** All certificates in a text, in their order. */
  static List<X509Certificate> certificates(String text) throws GeneralSecurityException {
    List<X509Certificate> certificates = new ArrayList<>();
    for (byte[] block : PemText.blocks(PemText.CERTIFICATE, text)) {
      certificates.add(certificate(block));
    }
    return certificates;
  }

  /** The only certificate in a text. */
  static X509Certificate certificate(String text) throws GeneralSecurityException {
    return only(certificates(text), "certificate");
  }

  /** A certificate in DER. */
  static X509Certificate certificate(byte[] der) throws CertificateException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
  }

  /** The only private key in a text, on an elliptic curve. */
  static PrivateKey key(String text) throws GeneralSecurityException {
    return KeyFactory.getInstance("EC")
        .generatePrivate(
            new PKCS8EncodedKeySpec(only(PemText.blocks(PemText.KEY, text), "private key")));
  }

  private static <T> T only(List<T> found, String what) throws GeneralSecurityException {
    if (found.size() != 1) {
      throw new GeneralSecurityException("holds %d of %s, not one".formatted(found.size(), what));
    }
    return found.getFirst();
  }
}
