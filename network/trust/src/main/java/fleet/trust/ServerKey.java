package fleet.trust;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret that only servers hold: content sealed with it may be stored where others read. AES-GCM
 * with 256 bits.
 */
final class ServerKey {

  static final int BYTES = 32;

  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int ID_DIGITS = 16;
  private static final SecureRandom CHANCE = new SecureRandom();

  private final byte[] secret;

  private ServerKey(byte[] secret) {
    this.secret = secret;
  }

  static ServerKey create() {
    byte[] secret = new byte[BYTES];
    CHANCE.nextBytes(secret);
    return new ServerKey(secret);
  }

  /**
   * The key of some bytes.
   *
   * @throws GeneralSecurityException if it has another length
   */
  static ServerKey of(byte[] secret) throws GeneralSecurityException {
    if (secret.length != BYTES) {
      throw new GeneralSecurityException("it has %d bytes, not %d".formatted(secret.length, BYTES));
    }
    return new ServerKey(secret.clone());
  }

  /** Names it, and gives nothing of it away. */
  String id() {
    byte[] named = Arrays.copyOf("fleet server key ".getBytes(US_ASCII), BYTES + BYTES);
    System.arraycopy(secret, 0, named, BYTES, BYTES);
    return Fingerprint.sha256(named).substring(0, ID_DIGITS);
  }

  /**
   * Seals a text.
   *
   * @param about its purpose: it is opened for no other
   * @return in base64
   */
  String seal(byte[] plain, String about) {
    byte[] nonce = new byte[NONCE_BYTES];
    CHANCE.nextBytes(nonce);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, about).doFinal(plain);
      byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
      System.arraycopy(sealed, 0, all, NONCE_BYTES, sealed.length);
      return Base64.getEncoder().encodeToString(all);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime cannot seal with AES-GCM", e);
    }
  }

  /**
   * Opens what {@link #seal} made.
   *
   * @throws GeneralSecurityException if the key or the purpose differs, or the text was changed
   *     since
   */
  byte[] open(String sealed, String about) throws GeneralSecurityException {
    byte[] all;
    try {
      all = Base64.getDecoder().decode(sealed);
    } catch (IllegalArgumentException e) {
      throw new GeneralSecurityException("is not base64", e);
    }
    if (all.length < NONCE_BYTES) {
      throw new GeneralSecurityException("is cut short");
    }
    byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
    return cipher(Cipher.DECRYPT_MODE, nonce, about)
        .doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES);
  }

  private Cipher cipher(int mode, byte[] nonce, String about) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, new SecretKeySpec(secret, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(about.getBytes(US_ASCII));
    return cipher;
  }

  String hex() {
    return HexFormat.of().formatHex(secret);
  }

  byte[] bytes() {
    return secret.clone();
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "server key " + id();
  }
}
