package fleet.trust;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes and reads keys and certificates as text. */
final class Pem {

  private static final String KEY = "PRIVATE KEY";
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");
  private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII));

  private Pem() {}

  static String of(X509Certificate certificate) {
    try {
      return block(CERTIFICATE, certificate.getEncoded());
    } catch (CertificateException e) {
      throw new IllegalArgumentException(e);
    }
  }

  static String of(PrivateKey key) {
    return block(KEY, key.getEncoded());
  }

  private static String block(String kind, byte[] bytes) {
    return "-----BEGIN "
        + kind
        + "-----\n"
        + LINES.encodeToString(bytes)
        + "\n-----END "
        + kind
        + "-----\n";
  }

  /** All certificates in a text, in their order. */
  static List<X509Certificate> certificates(String text) throws GeneralSecurityException {
    List<X509Certificate> certificates = new ArrayList<>();
    for (byte[] block : blocks(CERTIFICATE, text)) {
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
        .generatePrivate(new PKCS8EncodedKeySpec(only(blocks(KEY, text), "private key")));
  }

  private static <T> T only(List<T> found, String what) throws GeneralSecurityException {
    if (found.size() != 1) {
      throw new GeneralSecurityException("holds %d of %s, not one".formatted(found.size(), what));
    }
    return found.getFirst();
  }

  private static List<byte[]> blocks(String kind, String text) throws GeneralSecurityException {
    List<byte[]> blocks = new ArrayList<>();
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      if (block.group(1).equals(kind)) {
        blocks.add(decoded(block.group(2)));
      }
    }
    return blocks;
  }

  private static byte[] decoded(String base64) throws GeneralSecurityException {
    try {
      return Base64.getMimeDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new GeneralSecurityException("is not base64", e);
    }
  }
}
