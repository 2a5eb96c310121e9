package fleet.registry.records;

import fleet.registry.Entry;
import fleet.registry.RegistryException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * The value of {@code answer/<question>/<n>}: a piece of a machine's answer. The first begins it
 * and stays to its end, so that its early deletion tells that the machine has gone.
 */
public sealed interface AnswerRecord {

  /** The longest data of one piece, in bytes, so that it stays below 64 KiB as it is stored. */
  int MAX_DATA = 45 << 10;

  String json();

  /** The machine has taken the question. */
  record Begun() implements AnswerRecord {
    @Override
    public String json() {
      return new FieldWriter().put("kind", "begun").render(UnknownFields.NONE);
    }
  }

  /** Some of the answer's bytes. */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  record Data(byte[] bytes) implements AnswerRecord {

    /**
     * Readers of JSON limit the length of one string. A multiple of 3, so that pieces just join.
     */
    private static final int PIECE = 6144;

    @Override
    public String json() {
      Base64.Encoder encoder = Base64.getEncoder();
      List<String> pieces = new ArrayList<>();
      for (int begin = 0; begin < bytes.length; begin += PIECE) {
        int end = Math.min(begin + PIECE, bytes.length);
        pieces.add(encoder.encodeToString(Arrays.copyOfRange(bytes, begin, end)));
      }
      return new FieldWriter().put("kind", "data").put("base64", pieces).render(UnknownFields.NONE);
    }
  }

  /**
   * The answer is complete.
   *
   * @param problem what cut it short; empty if nothing did
   */
  record Ended(int exitStatus, String problem) implements AnswerRecord {
    @Override
    public String json() {
      return new FieldWriter()
          .put("kind", "ended")
          .put("exitStatus", exitStatus)
          .put("problem", problem)
          .render(UnknownFields.NONE);
    }
  }

  static AnswerRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    String kind = fields.text("kind");
    return switch (kind) {
      case "begun" -> new Begun();
      case "data" -> new Data(decoded(entry, fields.texts("base64")));
      case "ended" -> new Ended((int) fields.number("exitStatus"), fields.text("problem"));
      default -> throw fields.wrong("kind", "has the unknown value " + kind);
    };
  }

  private static byte[] decoded(Entry entry, List<String> pieces) {
    Base64.Decoder decoder = Base64.getDecoder();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      pieces.forEach(piece -> bytes.writeBytes(decoder.decode(piece)));
    } catch (IllegalArgumentException e) {
      throw new RegistryException(
          "value of key " + entry.key() + " in the registry: field base64 is not that", e);
    }
    return bytes.toByteArray();
  }
}
