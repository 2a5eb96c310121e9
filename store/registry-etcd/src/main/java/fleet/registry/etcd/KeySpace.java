package fleet.registry.etcd;

import io.etcd.jetcd.ByteSequence;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** How keys of the registry are called in etcd: below a prefix, in UTF-8. */
final class KeySpace {

  /** Names the store. */
  static final String STORE_ID = ".store/id";

  private static final String OWN = ".store/";
  private static final ByteSequence END_OF_ALL = ByteSequence.from(new byte[] {0});

  private final byte[] prefix;

  KeySpace(String prefix) {
    this.prefix = utf8(prefix);
  }

  ByteSequence storeId() {
    return key(STORE_ID);
  }

  /** The key whose revision every request of a writer must find unchanged. */
  ByteSequence fence(String writer) {
    return key(OWN + "writer/" + writer);
  }

  /** Where a writer notes its commits, one for each place in a request. */
  ByteSequence slot(String writer, int place) {
    return key(OWN + "writer/" + writer + "/" + place);
  }

  /** The first of a writer's slots. */
  ByteSequence slots(String writer) {
    return key(OWN + "writer/" + writer + "/");
  }

  /** A key that is not shown to anybody, or the beginning of such. */
  static boolean isOwn(String key) {
    return key.startsWith(OWN);
  }

  /**
   * A key as etcd knows it.
   *
   * @throws IllegalArgumentException if it is not valid Unicode
   */
  ByteSequence key(String key) {
    byte[] text = utf8(key);
    byte[] all = Arrays.copyOf(prefix, prefix.length + text.length);
    System.arraycopy(text, 0, all, prefix.length, text.length);
    return ByteSequence.from(all);
  }

  static ByteSequence value(String value) {
    return ByteSequence.from(utf8(value));
  }

  /** The first of all keys with a prefix; etcd knows no empty key. */
  ByteSequence first(String keyPrefix) {
    ByteSequence first = key(keyPrefix);
    return first.isEmpty() ? END_OF_ALL : first;
  }

  /** The first key after all those with a prefix. */
  ByteSequence end(String keyPrefix) {
    return end(key(keyPrefix));
  }

  static ByteSequence end(ByteSequence keyPrefix) {
    byte[] bytes = keyPrefix.getBytes();
    int last = bytes.length - 1;
    while (last >= 0 && bytes[last] == (byte) 0xff) {
      last--;
    }
    if (last < 0) {
      return END_OF_ALL;
    }
    bytes[last]++;
    return ByteSequence.from(Arrays.copyOf(bytes, last + 1));
  }

  static ByteSequence after(ByteSequence key) {
    byte[] bytes = key.getBytes();
    return ByteSequence.from(Arrays.copyOf(bytes, bytes.length + 1));
  }

  String name(ByteSequence key) {
    byte[] bytes = key.getBytes();
    return new String(bytes, prefix.length, bytes.length - prefix.length, StandardCharsets.UTF_8);
  }

  static String text(ByteSequence value) {
    return value.toString(StandardCharsets.UTF_8);
  }

  /** Refuses half characters; an encoder of its own, which does, would cost more than the rest. */
  private static byte[] utf8(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return bytes.length == text.length() ? asciiOrChecked(text, bytes) : checked(text);
  }

  private static byte[] asciiOrChecked(String text, byte[] bytes) {
    // A character that cannot be encoded becomes one byte as well.
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != text.charAt(i)) {
        return checked(text);
      }
    }
    return bytes;
  }

  private static byte[] checked(String text) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("keys and values are valid Unicode; half a character", e);
    }
  }
}
