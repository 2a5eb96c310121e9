package fleet.registry.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Looks for damage in SQLite's write-ahead log before SQLite does, which would silently drop all
 * from the first bad frame on.
 *
 * <p>Each transaction is forced to the disk before the next one writes its first frame. So what a
 * power cut may tear is one transaction, the last, which holds one commit frame; what follows that
 * in the file is left from an earlier round of the log and carries other salts. A bad frame with
 * two or more sound commit frames of this round behind it therefore is damage to something that was
 * durable. With one behind it, it may be a torn tail, and {@link AcknowledgedRevision} decides.
 *
 * <p>A frame's checksum runs on from that of the frame before, so a frame behind a bad one is sound
 * when it matches the checksum stored in its predecessor.
 *
 * <p>The header of the log is forced before the first frame is written, and lies in one sector: a
 * bad one with sound commit frames behind it is damage, too.
 */
final class LogInspection {

  private static final int HEADER = 32;
  private static final int FRAME_HEADER = 24;
  private static final int MAGIC = 0x377f0682;

  private final FileChannel channel;
  private final ByteBuffer frame;
  private final long frames;
  private ByteOrder order;
  private long salts;
  private int sum1;
  private int sum2;

  private LogInspection(FileChannel channel, ByteBuffer header, int pageSize) throws IOException {
    this.channel = channel;
    this.frame = ByteBuffer.allocate(FRAME_HEADER + pageSize);
    this.frames = (channel.size() - HEADER) / frame.capacity();
    this.order = (header.getInt(0) & 1) == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    this.salts = header.getLong(16);
  }

  /**
   * Walks through the log.
   *
   * @param pageSize of the database, in bytes
   * @return what is wrong with it
   */
  static Optional<String> of(Path log, int pageSize) throws IOException {
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
      ByteBuffer header = ByteBuffer.allocate(HEADER);
      if (!fill(channel, header, 0)) {
        return Optional.empty();
      }
      LogInspection inspection = new LogInspection(channel, header, pageSize);
      return inspection.headerIsSound(header) ? inspection.walk() : inspection.walkWithoutHeader();
    }
  }

  private boolean headerIsSound(ByteBuffer header) {
    add(header, 0, 24);
    return (header.getInt(0) & ~1) == MAGIC
        && header.getInt(8) == frame.capacity() - FRAME_HEADER
        && sum1 == header.getInt(24)
        && sum2 == header.getInt(28);
  }

  private Optional<String> walk() throws IOException {
    long index = 0;
    while (index < frames && read(index) && isSound()) {
      index++;
    }
    int commits = commitsFrom(index + 1);
    return commits < 2
        ? Optional.empty()
        : Optional.of(
            "is damaged: frame %d of %d does not match its checksum, and %d commits follow it"
                .formatted(index + 1, frames, commits));
  }

  private Optional<String> walkWithoutHeader() throws IOException {
    order = ByteOrder.nativeOrder();
    if (frames > 0 && read(0)) {
      salts = frame.getLong(8);
    }
    return commitsFrom(1) == 0
        ? Optional.empty()
        : Optional.of("is damaged: its header does not match its checksum");
  }

  /** The number of sound commit frames of this round of the log. */
  private int commitsFrom(long first) throws IOException {
    if (first > frames || !read(first - 1)) {
      return 0;
    }
    continueFromStored();
    int commits = 0;
    for (long index = first; index < frames && read(index); index++) {
      if (isSound() && frame.getInt(4) != 0) {
        commits++;
      }
      continueFromStored();
    }
    return commits;
  }

  private boolean isSound() {
    add(frame, 0, 8);
    add(frame, FRAME_HEADER, frame.capacity() - FRAME_HEADER);
    return frame.getLong(8) == salts && sum1 == frame.getInt(16) && sum2 == frame.getInt(20);
  }

  private void continueFromStored() {
    sum1 = frame.getInt(16);
    sum2 = frame.getInt(20);
  }

  private void add(ByteBuffer bytes, int offset, int length) {
    ByteBuffer words = bytes.duplicate().order(order);
    for (int at = offset; at < offset + length; at += 2 * Integer.BYTES) {
      sum1 += words.getInt(at) + sum2;
      sum2 += words.getInt(at + Integer.BYTES) + sum1;
    }
  }

  private boolean read(long index) throws IOException {
    return fill(channel, frame, HEADER + index * frame.capacity());
  }

  private static boolean fill(FileChannel channel, ByteBuffer buffer, long offset)
      throws IOException {
    buffer.clear();
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, offset + buffer.position()) < 0) {
        return false;
      }
    }
    buffer.clear();
    return true;
  }
}
