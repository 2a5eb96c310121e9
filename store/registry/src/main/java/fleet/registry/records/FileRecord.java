package fleet.registry.records;

import fleet.registry.Entry;
import java.util.ArrayList;
import java.util.List;

/**
 * The value of {@code file/<sha256>}: the text of a unit file.
 *
 * <p>Stored as a list of pieces, because readers of JSON limit the length of one string.
 */
public record FileRecord(String text, UnknownFields unknown) {

  private static final int PIECE = 8192;

  public FileRecord(String text) {
    this(text, UnknownFields.NONE);
  }

  public static FileRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new FileRecord(String.join("", fields.texts("text")), fields.rest());
  }

  public String json() {
    return new FieldWriter().put("text", pieces()).render(unknown);
  }

  private List<String> pieces() {
    List<String> pieces = new ArrayList<>();
    int begin = 0;
    while (begin < text.length()) {
      int end = Math.min(begin + PIECE, text.length());
      if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
        end--;
      }
      pieces.add(text.substring(begin, end));
      begin = end;
    }
    return pieces;
  }
}
