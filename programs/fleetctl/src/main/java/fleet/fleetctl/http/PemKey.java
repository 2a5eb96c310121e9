package fleet.fleetctl.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/** Reads an unencrypted private key from a PEM file. */
final class PemKey {

  private static final String PKCS8 = "PRIVATE KEY";
  private static final String PKCS1 = "RSA PRIVATE KEY";
  private static final String[] ALGORITHMS = {"RSA", "EC", "EdDSA"};

  /** Version 0, then the algorithm rsaEncryption without parameters: what PKCS#8 puts before. */
  private static final byte[] RSA_PREFIX =
      HexFormat.of().parseHex("020100300d06092a864886f70d0101010500");

  private PemKey() {}

  static PrivateKey read(Path file) throws IOException, GeneralSecurityException {
    String pem = Files.readString(file, StandardCharsets.US_ASCII);
    byte[] der;
    if (pem.contains(begin(PKCS8))) {
      der = decode(pem, PKCS8);
    } else if (pem.contains(begin(PKCS1))) {
      der = wrapRsa(decode(pem, PKCS1));
    } else {
      throw new IOException(
          "no usable private key in " + file + ": convert it with openssl pkcs8 -topk8 -nocrypt");
    }
    for (String algorithm : ALGORITHMS) {
      Optional<PrivateKey> key = parse(algorithm, der);
      if (key.isPresent()) {
        return key.get();
      }
    }
    throw new IOException("the private key in " + file + " is of a type that Java does not know");
  }

  private static Optional<PrivateKey> parse(String algorithm, byte[] der)
      throws GeneralSecurityException {
    try {
      return Optional.of(
          KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der)));
    } catch (InvalidKeySpecException another) {
      return Optional.empty();
    }
  }

  private static String begin(String label) {
    return "-----BEGIN " + label + "-----";
  }

  private static byte[] decode(String pem, String label) throws IOException {
    int from = pem.indexOf(begin(label)) + begin(label).length();
    int to = pem.indexOf("-----END " + label + "-----", from);
    if (to < 0) {
      throw new IOException("the private key has no end line");
    }
    try {
      return Base64.getMimeDecoder().decode(pem.substring(from, to));
    } catch (IllegalArgumentException e) {
      throw new IOException("the private key is not base64: " + e.getMessage(), e);
    }
  }

  private static byte[] wrapRsa(byte[] pkcs1) {
    ByteArrayOutputStream inner = new ByteArrayOutputStream();
    inner.writeBytes(RSA_PREFIX);
    element(inner, 0x04, pkcs1);
    ByteArrayOutputStream outer = new ByteArrayOutputStream();
    element(outer, 0x30, inner.toByteArray());
    return outer.toByteArray();
  }

  private static void element(ByteArrayOutputStream out, int tag, byte[] content) {
    out.write(tag);
    if (content.length < 0x80) {
      out.write(content.length);
    } else {
      out.write(0x82);
      out.write(content.length >> 8);
      out.write(content.length);
    }
    out.writeBytes(content);
  }
}
