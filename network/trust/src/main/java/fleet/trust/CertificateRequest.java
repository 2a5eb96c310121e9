package fleet.trust;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/**
 * A new key, and the request for its certificate. The key never leaves this machine.
 *
 * @param key the private half
 * @param der the request as it is sent: PKCS#10
 */
@SuppressWarnings("ArrayRecordComponent") // Made here, handed on, and never compared.
public record CertificateRequest(PrivateKey key, byte[] der) {

  static final String CURVE = "secp256r1";
  static final String SIGNATURE = "SHA256withECDSA";

  private static final int FIELD_BITS = 256;
  private static final int LONGEST = 4 << 10;

  /** Makes a key for a machine, and the request for it. */
  public static CertificateRequest of(String machine) {
    return of(machine, newKey());
  }

  /** A new request for the key of an expired identity, by which the machine is known. */
  public static CertificateRequest again(Identity former) {
    return of(
        former.peer().machine(), new KeyPair(former.certificate().getPublicKey(), former.key()));
  }

  private static CertificateRequest of(String machine, KeyPair pair) {
    try {
      byte[] der =
          new JcaPKCS10CertificationRequestBuilder(
                  new X500Principal("CN=" + machine), pair.getPublic())
              .build(new JcaContentSignerBuilder(SIGNATURE).build(pair.getPrivate()))
              .getEncoded();
      return new CertificateRequest(pair.getPrivate(), der);
    } catch (OperatorCreationException | IOException e) {
      throw new IllegalStateException("this Java runtime cannot sign with " + SIGNATURE, e);
    }
  }

  static KeyPair newKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec(CURVE));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no keys on " + CURVE, e);
    }
  }

  /**
   * The public key in a received request, after the proof that the sender has the private one.
   * Other claims of the request are ignored.
   *
   * @throws TrustException if the request is invalid
   */
  static PublicKey publicKey(byte[] der) throws TrustException {
    if (der.length > LONGEST) {
      throw new TrustException("the certificate request is too long: " + der.length + " bytes");
    }
    try {
      var request = new JcaPKCS10CertificationRequest(der);
      PublicKey key = request.getPublicKey();
      if (!(key instanceof ECPublicKey curve)
          || curve.getParams().getCurve().getField().getFieldSize() != FIELD_BITS) {
        throw new TrustException("the certificate request is for a key that is not on " + CURVE);
      }
      if (!request.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key))) {
        throw new TrustException("the certificate request is not signed with its own key");
      }
      return key;
    } catch (IOException
        | GeneralSecurityException
        | OperatorCreationException
        | PKCSException
        | RuntimeException e) {
      throw new TrustException("the certificate request cannot be read", e);
    }
  }
}
