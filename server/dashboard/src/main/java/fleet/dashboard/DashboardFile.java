package fleet.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** One file of the dashboard, as gzip has compressed it. */
public final class DashboardFile {

  private static final int TAG_BYTES = 16;

  private static final Pattern SCRIPT = Pattern.compile("<script>(.*?)</script>", Pattern.DOTALL);

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
    return HexFormat.of().formatHex(sha256(compressed), 0, TAG_BYTES);
  }

  /**
   * The hash by which a policy allows the script that is part of a page; empty if there is none. It
   * stands in the page because it loads again what did not arrive, and must not be lost itself.
   */
  public Optional<String> scriptHash() {
    if (!mediaType.startsWith("text/html")) {
      return Optional.empty();
    }
    Matcher script = SCRIPT.matcher(new String(plain(), UTF_8));
    return script.find()
        ? Optional.of(Base64.getEncoder().encodeToString(sha256(script.group(1).getBytes(UTF_8))))
        : Optional.empty();
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
