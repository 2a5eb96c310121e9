package fleet.trust;

import java.io.IOException;
import java.math.BigInteger;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SignatureException;
import java.security.SignatureSpi;
import java.security.interfaces.ECPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import org.bouncycastle.crypto.params.ECDomainParameters;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.signers.ECDSASigner;
import org.bouncycastle.crypto.signers.StandardDSAEncoding;
import org.bouncycastle.math.ec.ECCurve;
import org.bouncycastle.math.ec.custom.sec.SecP256R1Curve;

/** Verifies ECDSA with SHA-256 on P-256, and nothing else. Made by {@link QuickVerification}. */
public final class P256Verification extends SignatureSpi {

  /** As SEC 2, section 2.4.2, has it, like the curve itself. */
  private static final ECDomainParameters P256 = p256();

  private final MessageDigest digest;
  private final ECDSASigner verifier = new ECDSASigner();

  public P256Verification() throws NoSuchAlgorithmException {
    this.digest = MessageDigest.getInstance("SHA-256");
  }

  private static ECDomainParameters p256() {
    ECCurve curve = new SecP256R1Curve();
    return new ECDomainParameters(
        curve,
        curve.createPoint(
            new BigInteger("6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296", 16),
            new BigInteger("4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5", 16)),
        curve.getOrder(),
        curve.getCofactor());
  }

  /**
   * @throws InvalidKeyException if it is of another curve: Java asks the next provider then
   */
  @Override
  protected void engineInitVerify(PublicKey key) throws InvalidKeyException {
    if (!(key instanceof ECPublicKey of) || !isP256(of.getParams())) {
      throw new InvalidKeyException("not a key on P-256");
    }
    digest.reset();
    verifier.init(false, new ECPublicKeyParameters(point(of.getW()), P256));
  }

  private static boolean isP256(ECParameterSpec curve) {
    ECCurve wanted = P256.getCurve();
    return curve.getOrder().equals(P256.getN())
        && curve.getCurve().getA().equals(wanted.getA().toBigInteger())
        && curve.getCurve().getB().equals(wanted.getB().toBigInteger())
        && curve.getGenerator().getAffineX().equals(P256.getG().getAffineXCoord().toBigInteger())
        && curve.getGenerator().getAffineY().equals(P256.getG().getAffineYCoord().toBigInteger());
  }

  private static org.bouncycastle.math.ec.ECPoint point(ECPoint key) throws InvalidKeyException {
    try {
      return P256.validatePublicPoint(
          P256.getCurve().createPoint(key.getAffineX(), key.getAffineY()));
    } catch (IllegalArgumentException e) {
      throw new InvalidKeyException("not a point on P-256", e);
    }
  }

  @Override
  protected void engineUpdate(byte data) {
    digest.update(data);
  }

  @Override
  protected void engineUpdate(byte[] data, int offset, int length) {
    digest.update(data, offset, length);
  }

  @Override
  protected boolean engineVerify(byte[] signature) throws SignatureException {
    byte[] hash = digest.digest();
    try {
      BigInteger[] pair = StandardDSAEncoding.INSTANCE.decode(P256.getN(), signature);
      return verifier.verifySignature(hash, pair[0], pair[1]);
    } catch (IOException | IllegalArgumentException e) {
      throw new SignatureException("not a signature of ECDSA", e);
    }
  }

  @Override
  protected void engineInitSign(PrivateKey key) throws InvalidKeyException {
    throw new InvalidKeyException("only verifies");
  }

  @Override
  protected byte[] engineSign() throws SignatureException {
    throw new SignatureException("only verifies");
  }

  /** ECDSA has none but the curve, which is the key's. */
  @Override
  protected void engineSetParameter(AlgorithmParameterSpec parameters) {
    throw new UnsupportedOperationException("ECDSA on P-256 takes no parameters");
  }

  @Override
  @Deprecated
  protected void engineSetParameter(String name, Object value) {
    throw new InvalidParameterException("ECDSA on P-256 takes no parameters");
  }

  @Override
  @Deprecated
  protected Object engineGetParameter(String name) {
    throw new InvalidParameterException("ECDSA on P-256 has no parameters");
  }
}
