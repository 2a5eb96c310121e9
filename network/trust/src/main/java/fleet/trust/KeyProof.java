package fleet.trust;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;

/** Proves that two keys are halves of one. */
final class KeyProof {

  private static final byte[] MESSAGE = {1, 2, 3};

  private KeyProof() {}

  static void requireOneKey(PrivateKey key, PublicKey other) throws GeneralSecurityException {
    Signature signer = Signature.getInstance(CertificateRequest.SIGNATURE);
    signer.initSign(key);
    signer.update(MESSAGE);
    Signature verifier = Signature.getInstance(CertificateRequest.SIGNATURE);
    verifier.initVerify(other);
    verifier.update(MESSAGE);
    if (!verifier.verify(signer.sign())) {
      throw new SignatureException("the private key is another than the certificate's");
    }
  }
}
