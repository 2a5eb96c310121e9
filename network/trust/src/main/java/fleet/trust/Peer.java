package fleet.trust;

import fleet.core.machine.Role;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;

/**
 * A machine of the cluster as its certificate names it.
 *
 * @param machine id: letters, digits, {@code _} and {@code -}, at most 64
 */
public record Peer(String machine, Role role) {

  private static final Pattern MACHINE = Pattern.compile("[0-9A-Za-z_-]{1,64}");
  private static final Pattern SUBJECT =
      Pattern.compile("CN=(" + MACHINE.pattern() + "),OU=([a-z]+),O=fleet");

  public Peer {
    requireId(machine);
  }

  /** Whether a text could be the id of a machine. */
  static boolean isId(String text) {
    return MACHINE.matcher(text).matches();
  }

  static void requireId(String machine) {
    if (!isId(machine)) {
      throw new IllegalArgumentException(
          "a machine's id has 1 to 64 letters, digits, _ and -: \"" + machine + "\"");
    }
  }

  /**
   * Reads the subject of a certificate. The certificate must have been verified elsewhere.
   *
   * @throws CertificateException if it is not a machine's
   */
  public static Peer of(X509Certificate certificate) throws CertificateException {
    String subject = certificate.getSubjectX500Principal().getName(X500Principal.RFC2253);
    Matcher matcher = SUBJECT.matcher(subject);
    if (matcher.matches()) {
      var role = Role.ofText(matcher.group(2));
      if (role.isPresent()) {
        return new Peer(matcher.group(1), role.get());
      }
    }
    throw new CertificateException("the certificate of " + subject + " is none of a machine");
  }

  X500Principal subject() {
    return new X500Principal("CN=" + machine + ",OU=" + role.text() + ",O=fleet");
  }

  @Override
  public String toString() {
    return role.text() + " " + machine;
  }
}
