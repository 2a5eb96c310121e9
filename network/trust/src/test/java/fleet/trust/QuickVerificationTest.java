package fleet.trust;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Security;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class QuickVerificationTest {

  private static final byte[] SAID = "said".getBytes(UTF_8);

  private KeyPair keys;

  @BeforeEach
  void preferIt() throws Exception {
    QuickVerification.prefer();
    keys = keys("secp256r1");
  }

  @AfterEach
  void takeItAway() {
    Security.removeProvider("fleet");
  }

  @Test
  void whatJavaSignedIsVerified() throws Exception {
    for (int i = 0; i < 100; i++) {
      assertThat(verifies(keys.getPublic(), SAID, signed(keys))).isTrue();
    }
  }

  @Test
  void itVerifiesAndJavaSigns() throws Exception {
    Signature verification = Signature.getInstance("SHA256withECDSA");
    verification.initVerify(keys.getPublic());
    assertThat(verification.getProvider().getName()).isEqualTo("fleet");

    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(keys.getPrivate());
    assertThat(signature.getProvider().getName()).isEqualTo("SunEC");
  }

  @Test
  void toPreferItTwiceIsToPreferItOnce() {
    QuickVerification.prefer();
    assertThat(Security.getProviders()).filteredOn(it -> it.getName().equals("fleet")).hasSize(1);
    assertThat(Security.getProviders()[0].getName()).isEqualTo("fleet");
  }

  @Test
  void whatWasNotSaidIsNotVerified() throws Exception {
    assertThat(verifies(keys.getPublic(), "else".getBytes(UTF_8), signed(keys))).isFalse();
    assertThat(verifies(keys("secp256r1").getPublic(), SAID, signed(keys))).isFalse();
  }

  @Test
  void keysOfOtherCurvesAreJavas() throws Exception {
    KeyPair other = keys("secp384r1");
    Signature verification = Signature.getInstance("SHA256withECDSA");
    verification.initVerify(other.getPublic());
    verification.update(SAID);
    assertThat(verification.verify(signed(other))).isTrue();
    assertThat(verification.getProvider().getName()).isEqualTo("SunEC");
  }

  /** Numbers that once passed as anybody's signature elsewhere: CVE-2022-21449. */
  @ParameterizedTest
  @MethodSource("pairsThatSignNothing")
  void numbersOutOfRangeSignNothing(List<BigInteger> pair) {
    assertThat(accepts(der(pair))).isFalse();
  }

  static Stream<List<BigInteger>> pairsThatSignNothing() throws Exception {
    BigInteger order = ((ECPublicKey) keys("secp256r1").getPublic()).getParams().getOrder();
    List<BigInteger> numbers =
        List.of(
            BigInteger.ZERO,
            BigInteger.ONE,
            BigInteger.ONE.negate(),
            order,
            order.add(BigInteger.ONE));
    return numbers.stream().flatMap(r -> numbers.stream().map(s -> List.of(r, s)));
  }

  @Test
  void whatIsNoSignatureIsRefused() throws Exception {
    byte[] good = signed(keys);
    assertThatThrownBy(() -> verifies(keys.getPublic(), SAID, new byte[0]))
        .isInstanceOf(SignatureException.class);
    assertThatThrownBy(() -> verifies(keys.getPublic(), SAID, Arrays.copyOf(good, good.length - 1)))
        .isInstanceOf(SignatureException.class);
    assertThatThrownBy(() -> verifies(keys.getPublic(), SAID, Arrays.copyOf(good, good.length + 1)))
        .isInstanceOf(SignatureException.class);
  }

  @Test
  void oneVerificationFollowsAnother() throws Exception {
    Signature verification = Signature.getInstance("SHA256withECDSA");
    verification.initVerify(keys.getPublic());
    verification.update(SAID);
    assertThat(verification.verify(signed(keys))).isTrue();
    verification.update(SAID[0]);
    verification.update(SAID, 1, SAID.length - 1);
    assertThat(verification.verify(signed(keys))).isTrue();
    assertThat(verification.verify(signed(keys))).isFalse();
  }

  private boolean accepts(byte[] signature) {
    try {
      return verifies(keys.getPublic(), SAID, signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static boolean verifies(PublicKey key, byte[] said, byte[] signature)
      throws GeneralSecurityException {
    Signature verification = Signature.getInstance("SHA256withECDSA");
    verification.initVerify(key);
    verification.update(said);
    return verification.verify(signature);
  }

  private static byte[] signed(KeyPair keys) throws GeneralSecurityException {
    Signature signature = Signature.getInstance("SHA256withECDSA", "SunEC");
    signature.initSign(keys.getPrivate());
    signature.update(SAID);
    return signature.sign();
  }

  private static KeyPair keys(String curve) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec(curve));
    return generator.generateKeyPair();
  }

  private static byte[] der(List<BigInteger> pair) {
    byte[] r = pair.getFirst().toByteArray();
    byte[] s = pair.getLast().toByteArray();
    byte[] der = new byte[r.length + s.length + 6];
    der[0] = 0x30;
    der[1] = (byte) (r.length + s.length + 4);
    der[2] = 0x02;
    der[3] = (byte) r.length;
    System.arraycopy(r, 0, der, 4, r.length);
    der[4 + r.length] = 0x02;
    der[5 + r.length] = (byte) s.length;
    System.arraycopy(s, 0, der, 6 + r.length, s.length);
    return der;
  }
}
