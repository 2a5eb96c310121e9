package fleet.trust;

import java.io.IOException;
import java.util.Optional;

/** The issuer of this machine's certificates: itself if it has the registry, otherwise a server. */
@FunctionalInterface
public interface Issuer {
  /**
   * Blocks until there is an answer.
   *
   * @throws TrustException if the request is refused, and a retry does not help
   * @throws IOException if no issuer can be reached now
   * @throws RuntimeException if the registry cannot be asked now
   */
  IssuedCertificate issue(CertificateRequest request)
      throws TrustException, IOException, InterruptedException;

  /**
   * Reports the authorities that an identity trusts, and asks for those that it must trust. Blocks
   * and fails as the other does.
   *
   * @return empty if the issuer knows only its signing authority
   */
  default Optional<Authorities> report(Identity own)
      throws TrustException, IOException, InterruptedException {
    return Optional.empty();
  }
}
