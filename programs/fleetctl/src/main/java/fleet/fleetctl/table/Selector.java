package fleet.fleetctl.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Chooses by metadata, as {@code kubectl -l} does: {@code region=eu,disk!=hdd,gpu,!old}. All parts
 * must hold; {@code !=} also holds if there is no such key.
 */
public final class Selector {

  private final List<Predicate<Map<String, String>>> parts = new ArrayList<>();

  /**
   * @throws InvalidExpressionException if a part of it is empty or has no key
   */
  public Selector(String text) throws InvalidExpressionException {
    for (String part : text.split(",", -1)) {
      parts.add(part(part.strip(), text));
    }
  }

  private static Predicate<Map<String, String>> part(String part, String text)
      throws InvalidExpressionException {
    int equals = part.indexOf('=');
    if (equals < 0) {
      boolean absent = part.startsWith("!");
      String key = key(absent ? part.substring(1) : part, text);
      return metadata -> metadata.containsKey(key) != absent;
    }
    boolean differs = equals > 0 && part.charAt(equals - 1) == '!';
    String key = key(part.substring(0, differs ? equals - 1 : equals), text);
    String value = part.substring(part.startsWith("==", equals) ? equals + 2 : equals + 1).strip();
    return metadata -> value.equals(metadata.get(key)) != differs;
  }

  private static String key(String key, String text) throws InvalidExpressionException {
    String stripped = key.strip();
    if (stripped.isEmpty()) {
      throw new InvalidExpressionException(
          "invalid selector \"%s\": expect KEY=VALUE, KEY!=VALUE, KEY or !KEY, with commas between"
              .formatted(text));
    }
    return stripped;
  }

  public boolean matches(Map<String, String> metadata) {
    return parts.stream().allMatch(part -> part.test(metadata));
  }
}
