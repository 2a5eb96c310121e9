package fleet.core.access;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The code of an invitation as people carry it to the machine that they log in from: {@code
 * FLEET-LOGIN-1-<id>-<authority>-<secret>-<check>}, all of it hexadecimal. The check at its end
 * tells a mistyped code from an expired one.
 *
 * @param id names the invitation
 * @param authority SHA-256 of the certificate of the cluster's authority: no other server gets the
 *     secret
 * @param secret admits its holder, once; 128 bits
 */
public record LoginCode(String id, String authority, String secret) {

  private static final String START = "FLEET-LOGIN-1-";
  private static final String JOIN_TOKEN = "FLEET-1-";
  private static final int CHECK_DIGITS = 8;
  private static final Pattern TEXT =
      Pattern.compile(START + "([0-9a-f]{8})-([0-9a-f]{64})-([0-9a-f]{32})-([0-9a-f]{8})");

  /**
   * Reads an entered code.
   *
   * @throws IllegalArgumentException if it is not a code, or incomplete; the message is for people
   */
  public static LoginCode parse(String text) {
    String entered = text.strip();
    Matcher matcher = TEXT.matcher(entered);
    if (matcher.matches()) {
      LoginCode code = new LoginCode(matcher.group(1), matcher.group(2), matcher.group(3));
      if (code.text().equals(entered)) {
        return code;
      }
    }
    if (entered.startsWith(JOIN_TOKEN)) {
      throw new IllegalArgumentException(
          "that is a join token, for a machine: \"fleetctl access invite NAME\" on a server prints a"
              + " code for a person");
    }
    throw new IllegalArgumentException(
        entered.startsWith(START)
            ? "the code is mistyped or not whole: take all of what \"fleetctl access invite\" printed"
            : "that is no code: \"fleetctl access invite NAME\" on a server prints one");
  }

  /** All of it, with the secret. */
  public String text() {
    String code = START + id + "-" + authority + "-" + secret;
    return code + "-" + sha256(code).substring(0, CHECK_DIGITS);
  }

  /** The hash of the secret, which alone is kept. */
  public String secretSha256() {
    return sha256(secret);
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "invitation " + id;
  }
}
