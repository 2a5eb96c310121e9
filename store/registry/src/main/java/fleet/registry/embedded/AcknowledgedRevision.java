package fleet.registry.embedded;

import fleet.registry.RegistryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * The last revision that was acknowledged as durable, in a file of its own.
 *
 * <p>SQLite ends its log silently at the first bad frame, as it must: a torn tail is what a power
 * cut leaves. It cannot tell that from damage to a commit that was acknowledged, nor does it miss a
 * log that was cut or deleted. This file can: it is written after the commit is durable, so it
 * never runs ahead of an undamaged store. It is not synced with each commit, which would halve
 * their rate: after a power cut it may lag, and then only proves less.
 */
final class AcknowledgedRevision implements AutoCloseable {

  private static final int DIGITS = 19;

  private final FileChannel channel;
  private final String storeId;

  private AcknowledgedRevision(FileChannel channel, String storeId) {
    this.channel = channel;
    this.storeId = storeId;
  }

  /**
   * Reads the file; empty if there is none.
   *
   * @throws RegistryException if it is damaged
   */
  static OptionalLong read(RegistryFiles files, String storeId) {
    return files
        .text(RegistryFiles.ACKNOWLEDGED)
        .map(text -> OptionalLong.of(parse(text, files, storeId)))
        .orElseGet(OptionalLong::empty);
  }

  private static long parse(String text, RegistryFiles files, String storeId) {
    if (text.length() > DIGITS && text.substring(0, DIGITS).chars().allMatch(Character::isDigit)) {
      long revision = Long.parseLong(text.substring(0, DIGITS));
      if (text.equals(render(revision, storeId))) {
        return revision;
      }
    }
    throw new RegistryException(
        ("registry refused: %s is damaged; restore a backup of %s, or delete that file if you"
                + " are sure that the registry beside it is the newest")
            .formatted(files.path(RegistryFiles.ACKNOWLEDGED), files.directory()));
  }

  static AcknowledgedRevision open(RegistryFiles files, String storeId, long revision) {
    String name = RegistryFiles.ACKNOWLEDGED;
    if (!files.exists(name)) {
      files.create(name, render(revision, storeId));
    }
    try {
      return new AcknowledgedRevision(
          FileChannel.open(files.path(name), StandardOpenOption.WRITE), storeId);
    } catch (IOException e) {
      throw RegistryFiles.unusable(files.path(name), e);
    }
  }

  /** Overwrites in place: within one sector, so never half. */
  void write(long revision) throws IOException {
    channel.write(
        ByteBuffer.wrap(render(revision, storeId).getBytes(StandardCharsets.US_ASCII)), 0);
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      channel.force(true);
    }
  }

  private static String render(long revision, String storeId) {
    String digits = ("%0" + DIGITS + "d").formatted(revision);
    return "%s %08x%n".formatted(digits, Checksum.ofText(storeId + " " + digits));
  }
}
