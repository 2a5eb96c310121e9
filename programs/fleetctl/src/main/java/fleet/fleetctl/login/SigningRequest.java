package fleet.fleetctl.login;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.HexFormat;

/**
 * A new key and the request for its certificate: PKCS#10, with the few DER types that it needs. The
 * key stays here.
 *
 * @param key the private half
 * @param der the request as it is sent
 */
@SuppressWarnings("ArrayRecordComponent") // Made here, sent, and never compared.
public record SigningRequest(PrivateKey key, byte[] der) {

  private static final int SEQUENCE = 0x30;
  private static final int BITS = 0x03;
  private static final int SHORT = 0x80;
  private static final int ONE_BYTE = 0x100;

  private static final byte[] VERSION = HexFormat.of().parseHex("020100");

  /** The subject is empty: the server says who it is. */
  private static final byte[] NO_NAME = HexFormat.of().parseHex("3000");

  private static final byte[] NO_ATTRIBUTES = HexFormat.of().parseHex("a000");
  private static final byte[] ECDSA_WITH_SHA256 =
      HexFormat.of().parseHex("300a06082a8648ce3d040302");
  private static final byte[] NO_BIT_UNUSED = {0};

  /** Makes one. */
  public static SigningRequest create() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair pair = generator.generateKeyPair();
      byte[] wish =
          element(SEQUENCE, VERSION, NO_NAME, pair.getPublic().getEncoded(), NO_ATTRIBUTES);
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(pair.getPrivate());
      signature.update(wish);
      byte[] proof = element(BITS, NO_BIT_UNUSED, signature.sign());
      return new SigningRequest(
          pair.getPrivate(), element(SEQUENCE, wish, ECDSA_WITH_SHA256, proof));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime cannot make keys on secp256r1", e);
    }
  }

  private static byte[] element(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(tag);
    int length = content.size();
    if (length >= ONE_BYTE) {
      all.write(SHORT + 2);
      all.write(length >> Byte.SIZE);
    } else if (length >= SHORT) {
      all.write(SHORT + 1);
    }
    all.write(length);
    all.writeBytes(content.toByteArray());
    return all.toByteArray();
  }
}
