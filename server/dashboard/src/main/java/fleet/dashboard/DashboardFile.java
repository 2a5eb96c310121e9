package fleet.dashboard;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;

/** One file of the dashboard, as gzip has compressed it. */
public final class DashboardFile {

  private static final int TAG_BYTES = 16;

  private final String mediaType;
  private final byte[] compressed;

  DashboardFile(String mediaType, byte[] compressed) {
    this.mediaType = mediaType;
    this.compressed = compressed.clone();
  }

  /** As {@code Content-Type} names it. */
  public String mediaType() {
    return mediaType;
  }

  /** The content, compressed with gzip. */
  public byte[] compressed() {
    return compressed.clone();
  }

  /** The content as it is. */
  public byte[] plain() {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A name of the content: two files of one tag are the same. */
  public String tag() {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(compressed);
      return HexFormat.of().formatHex(hash, 0, TAG_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
