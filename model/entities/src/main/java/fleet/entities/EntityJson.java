package fleet.entities;

import io.avaje.json.JsonAdapter;
import io.avaje.json.JsonException;
import io.avaje.json.JsonReader;
import io.avaje.json.core.CoreTypes;
import io.avaje.jsonb.Jsonb;
import io.avaje.jsonb.Types;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * The JSON of the entities as API v1 has it: compact, in the order of the records' fields, with
 * {@code <}, {@code >}, {@code &} and the two Unicode line ends escaped, and without what is empty.
 * Reading ignores fields that it does not know. Safe for use by many threads.
 */
public final class EntityJson {

  private static final JsonAdapter<String> TEXT = CoreTypes.create(String.class);
  private static final JsonAdapter<Integer> NUMBER = CoreTypes.create(Integer.class);

  /** Made once: two threads must not build it at the same time. */
  private static final Jsonb JSONB =
      Jsonb.builder()
          .serializeNulls(false)
          .serializeEmpty(false)
          .add(String.class, new WithoutEmpty<>(TEXT, ""))
          .add(Types.listOf(String.class), CoreTypes.createList(TEXT).nullSafe())
          .add(
              Types.mapOf(String.class),
              new WithoutEmpty<>(CoreTypes.createMap(TEXT).nullSafe(), Map.of()))
          .add(
              Types.mapOf(Integer.class),
              new WithoutEmpty<>(CoreTypes.createMap(NUMBER).nullSafe(), Map.of()))
          .add(ContextEntity.class, EntityJson::context)
          .add(CauseEntity.class, EntityJson::cause)
          .add(ErrorBodyEntity.class, EntityJson::error)
          .build();

  private static JsonAdapter<ContextEntity> context(Jsonb jsonb) {
    return new WithoutEmpty<>(new ContextEntityJsonAdapter(jsonb).nullSafe(), ContextEntity.NONE);
  }

  private static JsonAdapter<CauseEntity> cause(Jsonb jsonb) {
    return new WithoutEmpty<>(new CauseEntityJsonAdapter(jsonb).nullSafe(), CauseEntity.NONE);
  }

  /** An error keeps its empty message. */
  private static JsonAdapter<ErrorBodyEntity> error(Jsonb leavesOutEmpty) {
    return new ErrorBodyEntityJsonAdapter(Jsonb.builder().build()).nullSafe();
  }

  /**
   * Reads UTF-8.
   *
   * @throws InvalidJsonException if the text is not JSON, or not of this entity's shape
   */
  public <T extends Entity> T read(Class<T> type, byte[] json) throws InvalidJsonException {
    NestingLimit.check(json);
    try (JsonReader reader = LongStrings.reader(JSONB, json)) {
      return notNull(type, JSONB.type(type).fromJson(reader));
    } catch (JsonException | IllegalArgumentException | IndexOutOfBoundsException e) {
      // The parser runs past the end of an escape that is cut off.
      throw new InvalidJsonException(e);
    }
  }

  /** Writes UTF-8. */
  public byte[] write(Entity entity) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      write(entity, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Writes UTF-8 and leaves the stream open. */
  public void write(Entity entity, OutputStream out) throws IOException {
    HtmlSafeOutput safe = new HtmlSafeOutput(out);
    try {
      JSONB.toJson(entity, safe);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (JsonException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e);
    }
  }

  /**
   * Reads UTF-8 of any shape: maps in the order of the text, lists, texts, numbers and booleans.
   *
   * @throws InvalidJsonException if the text is not JSON
   */
  public static Object tree(byte[] json) throws InvalidJsonException {
    NestingLimit.check(json);
    try {
      return notNull(Object.class, Jsonb.builder().build().type(Object.class).fromJson(json));
    } catch (JsonException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new InvalidJsonException(e);
    }
  }

  private static <T> T notNull(Class<T> type, T entity) throws InvalidJsonException {
    if (entity == null) {
      throw new InvalidJsonException("null where an object was expected: " + type.getSimpleName());
    }
    return entity;
  }
}
