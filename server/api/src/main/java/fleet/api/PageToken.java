package fleet.api;

import java.util.Base64;
import java.util.List;

/**
 * Where a page of a list begins, as fleet 1.0 writes it: URL-safe base64 of two unsigned 16-bit
 * numbers, little-endian.
 *
 * @param limit entities per page
 * @param page from 1
 */
record PageToken(int limit, int page) {

  static final String PARAMETER = "nextPageToken";

  static final int MAX = 0xffff;

  /** The largest page, in entities; a larger request gets this many, and a token. */
  private static final int LARGEST = 5000;

  private static final int BYTES = 4;

  /**
   * The first page if none is asked for, or with an empty token.
   *
   * @param usual entities of a page if the request does not say how many
   */
  static PageToken of(Exchange exchange, int usual) {
    int limit = Math.min(exchange.wholeNumber("limit", usual), Math.max(usual, LARGEST));
    List<String> values = exchange.parameters(PARAMETER);
    if (values.size() > 1) {
      throw RefusedException.badRequest("too many values for page token");
    }
    return values.isEmpty() || values.getFirst().isEmpty()
        ? first(limit)
        : parse(values.getFirst(), limit);
  }

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

  /** Go wants the padding, and Java does not. */
  private static byte[] decode(String text) {
    try {
      if (text.length() % 4 == 0) {
        return Base64.getUrlDecoder().decode(text);
      }
    } catch (IllegalArgumentException isNone) {
      // Refused below.
    }
    throw RefusedException.badRequest("illegal base64 data");
  }
}
