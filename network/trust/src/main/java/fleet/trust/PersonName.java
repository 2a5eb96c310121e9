package fleet.trust;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;

/**
 * The name of a person as a certificate has it. No machine is named like that, see {@link Peer},
 * and no person like a machine.
 */
final class PersonName {

  /** As {@link fleet.core.access.GrantHolder#canLogIn} has them: none needs to be escaped. */
  private static final Pattern SUBJECT =
      Pattern.compile("CN=([0-9A-Za-z._@-]{1,64}),OU=person,O=fleet");

  private PersonName() {}

  /**
   * Reads the subject of a certificate that was checked.
   *
   * @throws CertificateException if it is none of a person
   */
  static String of(X509Certificate certificate) throws CertificateException {
    String subject = certificate.getSubjectX500Principal().getName(X500Principal.RFC2253);
    Matcher matcher = SUBJECT.matcher(subject);
    if (!matcher.matches()) {
      throw new CertificateException("the certificate of " + subject + " is none of a person");
    }
    return matcher.group(1);
  }

  static X500Principal subject(String name) {
    X500Principal subject = new X500Principal("CN=" + name + ",OU=person,O=fleet");
    if (!SUBJECT.matcher(subject.getName(X500Principal.RFC2253)).matches()) {
      throw new IllegalArgumentException("no certificate can be for \"" + name + "\"");
    }
    return subject;
  }
}
