package fleet.agent.exec;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The output of a command without the byte that marks its beginning. Tells when that byte comes.
 * For one thread.
 */
final class MarkedOutput extends FilterInputStream {

  private final byte mark;
  private final Runnable begun;
  private boolean marked;

  MarkedOutput(InputStream output, byte mark, Runnable begun) {
    super(output);
    this.mark = mark;
    this.begun = begun;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] into, int from, int most) throws IOException {
    int count = super.read(into, from, most);
    if (marked || !cut(into, from, count)) {
      return count;
    }
    return count == 1 ? super.read(into, from, most) : count - 1;
  }

  /** Takes the mark out, if it is there. */
  private boolean cut(byte[] into, int from, int count) {
    for (int i = from; i < from + count; i++) {
      if (into[i] == mark) {
        System.arraycopy(into, i + 1, into, i, from + count - i - 1);
        marked = true;
        begun.run();
        return true;
      }
    }
    return false;
  }
}
