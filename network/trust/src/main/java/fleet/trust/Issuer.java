package fleet.trust;

import java.io.IOException;
import java.util.Optional;

/** The party that vouches for this machine: itself if it has the registry, else a server. */
@FunctionalInterface
public interface Issuer {
  /**
   * Blocks until there is an answer.
   *
   * @throws TrustException if the request is refused, and asking again does not help
   * @throws IOException if nobody can be asked now
   * @throws RuntimeException if the registry cannot be asked now
   */
  IssuedCertificate issue(CertificateRequest request)
      throws TrustException, IOException, InterruptedException;

  /**
   * Says what an identity trusts, and asks what it is to trust. Blocks and fails as the other does.
   *
   * @return empty if the issuer knows only the authority that it vouches with
   */
  default Optional<Authorities> report(Identity own)
      throws TrustException, IOException, InterruptedException {
    return Optional.empty();
  }
}
