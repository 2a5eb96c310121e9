package fleet.trust;

import java.security.Provider;
import java.security.Security;
import java.util.List;
import java.util.Map;

/**
 * Makes Bouncy Castle verify signatures on the curve of fleet's certificates, in the whole process:
 * for certificates, and in handshakes of Java's TLS. With the first-tier compiler alone, as in
 * fleetd, Java's own takes five times as long, and a leader verifies the certificate of each
 * machine that connects. Signing stays with Java, since it handles private keys.
 */
public final class QuickVerification {

  private static final String NAME = "fleet";

  private QuickVerification() {}

  /** From now on; has no effect if that is so already. */
  public static void prefer() {
    Security.insertProviderAt(new Verifier(), 1);
  }

  private static final class Verifier extends Provider {

    private static final long serialVersionUID = 1L;

    Verifier() {
      super(NAME, "1", "Verifies ECDSA with SHA-256 on P-256");
      putService(
          new Service(
              this,
              "Signature",
              "SHA256withECDSA",
              P256Verification.class.getName(),
              List.of(),
              // Private keys are for others.
              Map.of("SupportedKeyClasses", "java.security.interfaces.ECPublicKey")));
    }
  }
}
