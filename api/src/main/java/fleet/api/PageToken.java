package fleet.api;

import java.util.Base64;

/**
 * Where a page of a list begins, as fleet 1.0 writes it: URL-safe base64 of two unsigned 16-bit
 * numbers, little-endian.
 *
 * @param limit entities per page
 * @param page from 1
 */
record PageToken(int limit, int page) {

  static final int MAX = 0xffff;

  private static final int BYTES = 4;
  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  static PageToken first(int limit) {
    return new PageToken(limit, 1);
  }

  /** Reads a token, or refuses it in the words of fleet 1.0. */
  static PageToken parse(String text, int limit) {
    byte[] bytes = decode(text);
    if (bytes.length < BYTES) {
      throw RefusedException.badRequest(bytes.length == 0 ? "EOF" : "unexpected EOF");
    }
    PageToken token = new PageToken(number(bytes, 0), number(bytes, 2));
    if (token.limit != limit) {
      throw RefusedException.badRequest("token limit must be " + limit);
    }
    if (token.page == 0) {
      throw RefusedException.badRequest("token page must be greater than zero");
    }
    return token;
  }

  PageToken next() {
    return new PageToken(limit, page + 1);
  }

  String encode() {
    byte[] bytes = {(byte) limit, (byte) (limit >> 8), (byte) page, (byte) (page >> 8)};
    return Base64.getUrlEncoder().encodeToString(bytes);
  }

  private static int number(byte[] bytes, int at) {
    return Byte.toUnsignedInt(bytes[at]) | Byte.toUnsignedInt(bytes[at + 1]) << 8;
  }

  private static byte[] decode(String text) {
    int illegal = firstIllegal(text);
    if (illegal >= 0) {
      throw RefusedException.badRequest("illegal base64 data at input byte " + illegal);
    }
    return Base64.getUrlDecoder().decode(text);
  }

  /** The position of the first fault of padded base64; -1 where there is none. */
  private static int firstIllegal(String text) {
    int digits = 0;
    while (digits < text.length() && ALPHABET.indexOf(text.charAt(digits)) >= 0) {
      digits++;
    }
    int group = digits % 4;
    String rest = text.substring(digits);
    if (rest.isEmpty()) {
      return group == 0 ? -1 : digits - group;
    }
    String padding = group < 2 ? "" : "=".repeat(4 - group);
    if (rest.equals(padding)) {
      return -1;
    }
    if (rest.startsWith("=") && !padding.startsWith(rest)) {
      return padding.isEmpty() || !rest.startsWith(padding) ? digits : digits + padding.length();
    }
    return rest.startsWith("=") ? text.length() : digits;
  }
}
