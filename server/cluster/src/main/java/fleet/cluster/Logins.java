package fleet.cluster;

import fleet.core.access.Grant;
import fleet.core.access.GrantHolder;
import fleet.core.access.LoginCode;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;

/**
 * Logins of people from machines outside the cluster, with certificates of its own authority. Safe
 * for use by many threads; calls block.
 *
 * <p>Every call throws {@link ClusterUnavailableException} if the cluster cannot answer.
 */
public interface Logins {

  /** The longest time that an invitation can be good for. */
  Duration LONGEST = Duration.ofDays(7);

  /**
   * Invites a person to log in, once.
   *
   * @param grant replaces the one that the person has; empty to leave that
   * @throws IllegalArgumentException if that person cannot be invited; the message is for people
   */
  NewInvitation invite(GrantHolder person, Optional<Grant> grant, Duration life, Caller caller);

  /**
   * Lets somebody in who has the code of an invitation.
   *
   * @param request for the certificate, in PKCS#10
   * @throws LoginRefusedException if the code or the request is invalid
   */
  PersonCertificate login(LoginCode code, byte[] request);

  /**
   * Gives a person who has logged in the next certificate.
   *
   * @param key SHA-256 of the key that the person has shown
   * @throws LoginRefusedException if that key is no longer valid, or the request is invalid
   */
  PersonCertificate renew(String name, String key, byte[] request);

  /** Tells whose a certificate is. */
  CertificateHolder holder(X509Certificate certificate);
}
