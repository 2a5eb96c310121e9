package fleet.trust;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/** A shared secret of two parties that know each other's public keys (ECDH). */
final class KeyAgreement {

  private final KeyPair own = CertificateRequest.newKey();

  /** The public key that the other side needs, in base64. */
  String publicKey() {
    return Base64.getEncoder().encodeToString(own.getPublic().getEncoded());
  }

  /**
   * The common key.
   *
   * @param other public key of the other side, as {@link #publicKey} gives it
   */
  ServerKey with(String other) throws GeneralSecurityException {
    PublicKey theirs;
    try {
      theirs =
          KeyFactory.getInstance("EC")
              .generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(other)));
    } catch (IllegalArgumentException e) {
      throw new GeneralSecurityException("is not base64", e);
    }
    return derived(own.getPrivate(), theirs);
  }

  private static ServerKey derived(PrivateKey own, PublicKey theirs)
      throws GeneralSecurityException {
    javax.crypto.KeyAgreement agreement = javax.crypto.KeyAgreement.getInstance("ECDH");
    agreement.init(own);
    agreement.doPhase(theirs, true);
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update("fleet server key agreement".getBytes(US_ASCII));
    return ServerKey.of(digest.digest(agreement.generateSecret()));
  }
}
