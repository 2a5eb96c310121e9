package fleet.core.text;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keys and certificates as text: blocks of base64, each with its kind. */
public final class PemText {

  public static final String KEY = "PRIVATE KEY";
  public static final String CERTIFICATE = "CERTIFICATE";

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");
  private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII));

  private PemText() {}

  public static String block(String kind, byte[] der) {
    String lines = LINES.encodeToString(der);
    return "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n";
  }

  /**
   * Reads the blocks of a kind, in their order.
   *
   * @throws GeneralSecurityException if one of them is not base64
   */
  public static List<byte[]> blocks(String kind, String text) throws GeneralSecurityException {
    List<byte[]> blocks = new ArrayList<>();
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      if (block.group(1).equals(kind)) {
        blocks.add(decoded(block.group(2)));
      }
    }
    return blocks;
  }

  private static byte[] decoded(String base64) throws GeneralSecurityException {
    try {
      return Base64.getMimeDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new GeneralSecurityException("is not base64", e);
    }
  }
}
