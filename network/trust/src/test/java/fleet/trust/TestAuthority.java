package fleet.trust;

import fleet.core.machine.Role;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/** The authority of a cluster, for tests of those who meet its servers on the network. */
public final class TestAuthority {

  private final CertificateAuthority authority = CertificateAuthority.create(Instant.now());

  /** The fingerprint by which codes name it. */
  public String sha256() {
    return Fingerprint.of(authority.certificate()).toString();
  }

  /** Its certificate. */
  public String pem() {
    return Pem.of(authority.certificate());
  }

  /**
   * For a machine of the cluster that takes any certificate of its clients, or none.
   *
   * @param begins when its certificate is valid from
   * @param more certificates to show behind its own chain
   */
  public SSLContext machine(Peer machine, Instant begins, X509Certificate... more)
      throws Exception {
    KeyPair pair = CertificateRequest.newKey();
    X509Certificate own =
        authority.vouch(
            pair.getPublic(), machine, begins.plus(CertificateAuthority.SKEW), Duration.ofDays(30));
    X509Certificate[] chain =
        Stream.concat(Stream.of(own, authority.certificate()), Stream.of(more))
            .toArray(X509Certificate[]::new);
    return TestCertificate.takingAny(TestCertificate.store(pair.getPrivate(), chain));
  }

  /** For a server of the cluster. */
  public SSLContext server(X509Certificate... more) throws Exception {
    return machine(new Peer("m1", Role.SERVER), Instant.now().minus(Duration.ofDays(1)), more);
  }

  /**
   * The certificate of a person, for a week or so.
   *
   * @param request PKCS#10, which is checked
   * @param begins when it is valid from
   */
  public String person(String name, byte[] request, Instant begins) throws TrustException {
    return Pem.of(
        authority.vouchForPerson(
            CertificateRequest.publicKey(request),
            name,
            begins.plus(CertificateAuthority.SKEW),
            Duration.ofDays(7)));
  }

  /** The certificate of another authority as this one vouches for it. */
  public X509Certificate crossSigned(TestAuthority next) {
    return authority.crossSign(next.authority.certificate());
  }
}
