package fleet.fleetctl.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;

/** The body of an answer, for any framing. */
final class HttpBody extends InputStream {

  private enum Framing {
    LENGTH,
    CHUNKS,
    CLOSE
  }

  private final HttpLines input;
  private final Framing framing;
  private long remaining;
  private boolean firstChunk = true;
  private boolean ended;
  private final Map<String, String> trailers = new HashMap<>();

  private HttpBody(HttpLines input, Framing framing, long remaining) {
    this.input = input;
    this.framing = framing;
    this.remaining = remaining;
    this.ended = framing == Framing.LENGTH && remaining == 0;
  }

  static HttpBody ofLength(HttpLines input, long length) {
    return new HttpBody(input, Framing.LENGTH, length);
  }

  static HttpBody chunked(HttpLines input) {
    return new HttpBody(input, Framing.CHUNKS, 0);
  }

  static HttpBody untilClose(HttpLines input) {
    return new HttpBody(input, Framing.CLOSE, Long.MAX_VALUE);
  }

  /** Whether all was read and the connection can carry another request. */
  boolean isReusable() {
    return ended && framing != Framing.CLOSE;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!ended && framing == Framing.CHUNKS && remaining == 0) {
      nextChunk();
    }
    if (ended) {
      return -1;
    }
    int count = input.read(target, offset, (int) Math.min(length, remaining));
    if (count < 0) {
      if (framing == Framing.CLOSE) {
        ended = true;
        return -1;
      }
      throw new EOFException("the connection ended in the middle of an answer");
    }
    remaining -= count;
    ended = framing == Framing.LENGTH && remaining == 0;
    return count;
  }

  private void nextChunk() throws IOException {
    if (!firstChunk) {
      input.ofHead();
    }
    firstChunk = false;
    String size = input.ofHead();
    int semicolon = size.indexOf(';');
    try {
      remaining = Long.parseLong((semicolon < 0 ? size : size.substring(0, semicolon)).trim(), 16);
    } catch (NumberFormatException e) {
      throw new NotHttpException(": bad chunk size", e);
    }
    if (remaining == 0) {
      trailers.putAll(input.headers());
      ended = true;
    }
  }

  /** The trailers by lower-case name; complete once the whole body was read. */
  Map<String, String> trailers() {
    return trailers;
  }
}
