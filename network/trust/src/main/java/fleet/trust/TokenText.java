package fleet.trust;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * A join token in text form: {@code FLEET-1-<id>-<authority>-<secret>}, all of it hexadecimal.
 *
 * @param id names it
 * @param authority of the cluster: the machine joins no other
 * @param secret what lets the machine in; 128 bits
 */
public record TokenText(String id, Fingerprint authority, String secret) {

  private static final int ID_BYTES = 4;
  private static final int SECRET_BYTES = 16;
  private static final String START = "FLEET-1-";
  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}");
  private static final Pattern TEXT =
      Pattern.compile(START + "(" + ID + ")-([0-9a-f]{64})-([0-9a-f]{32})");

  static TokenText create(Fingerprint authority, SecureRandom chance) {
    return new TokenText(random(ID_BYTES, chance), authority, random(SECRET_BYTES, chance));
  }

  private static String random(int bytes, SecureRandom chance) {
    byte[] random = new byte[bytes];
    chance.nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  /** Whether a text could be the id of a token. */
  static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  /**
   * Reads an entered token.
   *
   * @throws EnrolmentRefusedException if it is not a token, or incomplete
   */
  public static TokenText parse(String text) throws EnrolmentRefusedException {
    Matcher matcher = TEXT.matcher(text.strip());
    if (matcher.matches()) {
      return new TokenText(matcher.group(1), new Fingerprint(matcher.group(2)), matcher.group(3));
    }
    throw new EnrolmentRefusedException(
        text.strip().startsWith(START)
            ? "the token is not whole: take all of what \"fleetctl token create\" printed"
            : "that is no token: make one on a server with \"fleetctl token create\"");
  }

  public String text() {
    return START + id + "-" + authority + "-" + secret;
  }

  /** The trust of a machine that has but this token: in servers of its cluster. For calls alone. */
  public X509ExtendedTrustManager trust(Clock clock) {
    return new PinnedTrust(authority, clock);
  }

  String secretSha256() {
    return Fingerprint.sha256(secret.getBytes(US_ASCII));
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "token " + id;
  }
}
