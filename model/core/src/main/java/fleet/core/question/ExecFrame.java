package fleet.core.question;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A part of what a command writes: one byte for its kind, four for the length of its data with the
 * most significant first, then the data.
 */
@SuppressWarnings("ArrayRecordComponent")
public record ExecFrame(Kind kind, byte[] data) {

  /** The most bytes of data in a frame. */
  public static final int LONGEST = 64 << 10;

  private static final int HEAD = 1 + Integer.BYTES;

  /** The kinds of frames. */
  public enum Kind {
    /** The command is being started; the data is the name of its unit. Comes first. */
    BEGUN('b'),
    /** The command wrote the data to its standard output, or to its terminal. */
    OUTPUT('o'),
    /** The command wrote the data to its standard error. */
    ERRORS('e'),
    /** Nothing: the command is silent, and the connection is there. */
    KEEPALIVE('k');

    private final byte code;

    Kind(char code) {
      this.code = (byte) code;
    }
  }

  /** The frame as bytes. */
  public byte[] bytes() {
    return ByteBuffer.allocate(HEAD + data.length)
        .put(kind.code)
        .putInt(data.length)
        .put(data)
        .array();
  }

  /**
   * Reads a frame; empty at the end. Kinds that a later version has are left out.
   *
   * @throws IOException if the stream ends within a frame, or is none of frames
   */
  public static Optional<ExecFrame> read(InputStream in) throws IOException {
    for (int code = in.read(); code >= 0; code = in.read()) {
      int length = ByteBuffer.wrap(whole(in, Integer.BYTES)).getInt();
      if (length < 0 || length > LONGEST) {
        throw new IOException("the output of the command cannot be read: bad length " + length);
      }
      byte[] data = whole(in, length);
      int found = code;
      Optional<Kind> kind = Stream.of(Kind.values()).filter(k -> k.code == found).findFirst();
      if (kind.isPresent()) {
        return Optional.of(new ExecFrame(kind.get(), data));
      }
    }
    return Optional.empty();
  }

  private static byte[] whole(InputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new IOException("the output of the command broke off");
    }
    return bytes;
  }
}
