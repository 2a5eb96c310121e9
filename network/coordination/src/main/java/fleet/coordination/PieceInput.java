package fleet.coordination;

import java.io.IOException;
import java.io.InputStream;

/** A stream whose bytes come in pieces, one after the other. For one thread. */
public final class PieceInput extends InputStream {

  /** Where the pieces come from. */
  public interface Source {

    /** The next piece, waiting for it; an empty one at the end. */
    byte[] next() throws IOException;
  }

  private final Source source;
  private final Runnable onClose;
  private byte[] piece = new byte[0];
  private int position;
  private boolean atEnd;

  /**
   * @param onClose called each time this is closed
   */
  public PieceInput(Source source, Runnable onClose) {
    this.source = source;
    this.onClose = onClose;
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
    if (available() == 0 && !advance()) {
      return -1;
    }
    int count = Math.min(length, available());
    System.arraycopy(piece, position, target, offset, count);
    position += count;
    return count;
  }

  private boolean advance() throws IOException {
    if (!atEnd) {
      piece = source.next();
      position = 0;
      atEnd = piece.length == 0;
    }
    return !atEnd;
  }

  @Override
  public int available() {
    return piece.length - position;
  }

  @Override
  public void close() {
    onClose.run();
  }
}
