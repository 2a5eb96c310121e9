package fleet.core.unit;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Arbitrary text and paths as parts of unit names, the way {@code systemd-escape} writes them:
 * {@code /} becomes {@code -}, and each byte that a name cannot hold becomes {@code \xNN}.
 */
public final class NameEscaping {

  private static final String PLAIN = ":_.";

  private NameEscaping() {}

  /** Escapes text, for an instance or a prefix; empty text stays empty. */
  public static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      char c = (char) (bytes[i] & 0xff);
      if (c == '/') {
        escaped.append('-');
      } else if (isPlain(c) && !(i == 0 && c == '.')) {
        escaped.append(c);
      } else {
        escaped.append("\\x").append(HexFormat.of().toHexDigits(bytes[i]));
      }
    }
    return escaped.toString();
  }

  /**
   * The text that {@link #escape} made this of; characters that it would have escaped stand for
   * themselves.
   *
   * @throws InvalidUnitNameException if this is not escaped text
   */
  public static String unescape(String escaped) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(escaped.length());
    int i = 0;
    while (i < escaped.length()) {
      char c = escaped.charAt(i);
      if (c == '\\') {
        bytes.write(escapedByte(escaped, i));
        i += 4;
      } else if (c == '-') {
        bytes.write('/');
        i++;
      } else {
        int end = escaped.offsetByCodePoints(i, 1);
        bytes.writeBytes(escaped.substring(i, end).getBytes(StandardCharsets.UTF_8));
        i = end;
      }
    }
    return decode(escaped, bytes.toByteArray());
  }

  /**
   * Escapes an absolute path, such as {@code /var/lib/my-data} of a mount; slashes too many and
   * {@code .} parts are left out, and the root is {@code -}.
   *
   * @throws InvalidUnitNameException if the path is not absolute or goes up by {@code ..}
   */
  public static String escapePath(String path) {
    if (!path.startsWith("/")) {
      throw new InvalidUnitNameException("path \"" + path + "\" is not absolute");
    }
    List<String> parts = new ArrayList<>();
    for (String part : path.split("/", -1)) {
      if (part.equals("..")) {
        throw new InvalidUnitNameException("path \"" + path + "\" must not contain \"..\"");
      }
      if (!part.isEmpty() && !part.equals(".")) {
        parts.add(part);
      }
    }
    return parts.isEmpty() ? "-" : escape(String.join("/", parts));
  }

  /**
   * The path that {@link #escapePath} made this of.
   *
   * @throws InvalidUnitNameException if this is not an escaped path
   */
  public static String unescapePath(String escaped) {
    if (escaped.equals("-")) {
      return "/";
    }
    String path = unescape(escaped);
    for (String part : path.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        throw invalid(escaped, "not a path without empty parts, \".\" and \"..\"");
      }
    }
    return "/" + path;
  }

  private static boolean isPlain(char c) {
    return (c >= '0' && c <= '9')
        || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || PLAIN.indexOf(c) >= 0;
  }

  private static int escapedByte(String escaped, int start) {
    boolean complete = escaped.startsWith("\\x", start) && start + 4 <= escaped.length();
    if (!complete
        || !HexFormat.isHexDigit(escaped.charAt(start + 2))
        || !HexFormat.isHexDigit(escaped.charAt(start + 3))) {
      throw invalid(escaped, "a backslash must be followed by x and two hex digits");
    }
    return HexFormat.fromHexDigits(escaped, start + 2, start + 4);
  }

  private static String decode(String escaped, byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw invalid(escaped, "its bytes are not UTF-8");
    }
  }

  private static InvalidUnitNameException invalid(String escaped, String why) {
    return new InvalidUnitNameException("cannot unescape \"" + escaped + "\": " + why);
  }
}
