package fleet.trust;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The name of a certificate, for which no other can pass.
 *
 * @param sha256 of the certificate's DER, 64 hexadecimal digits in lower case, as {@code openssl
 *     x509 -fingerprint -sha256} shows, without colons
 */
public record Fingerprint(String sha256) {

  private static final int BRIEF = 16;
  private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{64}");

  public Fingerprint {
    if (!DIGITS.matcher(sha256).matches()) {
      throw new IllegalArgumentException("not 64 hexadecimal digits: " + sha256);
    }
  }

  public static Fingerprint of(X509Certificate certificate) {
    try {
      return new Fingerprint(sha256(certificate.getEncoded()));
    } catch (CertificateEncodingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** The SHA-256 of a public key as certificates have it, in hexadecimal. */
  public static String ofKey(PublicKey key) {
    return sha256(key.getEncoded());
  }

  /** The SHA-256 of some bytes, in hexadecimal. */
  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Enough of it to tell authorities apart. */
  public String brief() {
    return sha256.substring(0, BRIEF);
  }

  @Override
  public String toString() {
    return sha256;
  }
}
