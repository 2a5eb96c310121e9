package fleet.systemd.dbus;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * Cuts what comes in into messages, many with one read. Grows for a message that is larger than its
 * buffer, and gives the memory back after it. For one thread.
 */
final class FrameReader {

  private static final int CAPACITY = 64 * 1024;

  /** The largest message that D-Bus allows, in bytes. */
  private static final long LARGEST = 128L * 1024 * 1024;

  private final ReadableByteChannel channel;
  private ByteBuffer buffer = ByteBuffer.allocate(CAPACITY);
  private int start;

  FrameReader(ReadableByteChannel channel) {
    this.channel = channel;
  }

  /** Whether a whole message is there already, so that {@link #next} would not wait. */
  boolean isReady() throws ProtocolException {
    int there = buffer.position() - start;
    return there >= Frame.FIXED_HEADER && there >= length();
  }

  /** The next message; good until the next call. */
  Frame next() throws IOException {
    while (!isReady()) {
      fill();
    }
    int length = (int) length();
    Frame frame = new Frame(buffer.slice(start, length));
    start += length;
    return frame;
  }

  private long length() throws ProtocolException {
    long length = Frame.length(buffer, start);
    if (length > LARGEST) {
      throw new ProtocolException("a message of " + length + " bytes");
    }
    return length;
  }

  private void fill() throws IOException {
    makeRoom();
    if (channel.read(buffer) < 0) {
      throw new EOFException("the other side closed the connection");
    }
  }

  private void makeRoom() throws ProtocolException {
    int there = buffer.position() - start;
    int needed = there >= Frame.FIXED_HEADER ? (int) length() : Frame.FIXED_HEADER;
    int capacity = Math.max(Math.max(CAPACITY, needed), there);
    if (capacity != buffer.capacity()) {
      buffer.flip().position(start);
      buffer = ByteBuffer.allocate(capacity).put(buffer);
      start = 0;
    } else if (start > 0) {
      buffer.flip().position(start);
      buffer.compact();
      start = 0;
    }
  }
}
