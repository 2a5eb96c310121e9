package fleet.registry.etcd;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The keys that a watcher knows of: there may be hundreds of thousands, so that a key costs its
 * bytes and about 25 more. No key is empty. Not safe for several threads.
 */
final class DeliveredKeys {

  private static final int SMALLEST = 16;
  private static final byte[] FREE = {};

  private byte[][] slots = slots(SMALLEST);
  private int size;

  private static byte[][] slots(int length) {
    byte[][] slots = new byte[length][];
    Arrays.fill(slots, FREE);
    return slots;
  }

  void add(String key) {
    byte[] bytes = bytes(key);
    int place = place(bytes);
    if (isFree(place)) {
      slots[place] = bytes;
      size++;
      if (size > slots.length / 4 * 3) {
        grow();
      }
    }
  }

  boolean contains(String key) {
    return !isFree(place(bytes(key)));
  }

  void remove(String key) {
    int place = place(bytes(key));
    if (!isFree(place)) {
      slots[place] = FREE;
      size--;
      moveUp(place);
    }
  }

  void forEach(Consumer<String> consumer) {
    for (byte[] key : slots) {
      if (key.length > 0) {
        consumer.accept(new String(key, StandardCharsets.UTF_8));
      }
    }
  }

  private boolean isFree(int place) {
    return slots[place].length == 0;
  }

  /** Where the key is, or where it would be put: the first free place from its own on. */
  private int place(byte[] key) {
    int place = home(key);
    while (!isFree(place) && !Arrays.equals(slots[place], key)) {
      place = next(place);
    }
    return place;
  }

  /** Puts again what stood behind a place that became free, lest it is not found any more. */
  private void moveUp(int freed) {
    for (int place = next(freed); !isFree(place); place = next(place)) {
      byte[] key = slots[place];
      slots[place] = FREE;
      slots[place(key)] = key;
    }
  }

  private int home(byte[] key) {
    int hash = Arrays.hashCode(key) * 0x9E3779B9;
    return hash >>> Integer.numberOfLeadingZeros(slots.length - 1);
  }

  private int next(int place) {
    return (place + 1) & (slots.length - 1);
  }

  private void grow() {
    byte[][] old = slots;
    slots = slots(2 * old.length);
    for (byte[] key : old) {
      if (key.length > 0) {
        slots[place(key)] = key;
      }
    }
  }

  private static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }
}
