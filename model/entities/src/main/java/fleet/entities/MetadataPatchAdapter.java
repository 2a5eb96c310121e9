package fleet.entities;

import io.avaje.json.JsonAdapter;
import io.avaje.json.JsonReader;
import io.avaje.json.JsonWriter;
import io.avaje.jsonb.CustomAdapter;
import io.avaje.jsonb.Jsonb;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Reads field names in any case, as fleet 1.0 does here, and a value both as the plain string of
 * its documentation and as the {@code {"value":"x"}} that its code wants.
 */
@CustomAdapter
public final class MetadataPatchAdapter implements JsonAdapter<MetadataPatchEntity> {

  public MetadataPatchAdapter(Jsonb jsonb) {}

  @Override
  public void toJson(JsonWriter writer, MetadataPatchEntity patch) {
    writer.beginArray();
    for (MetadataOperationEntity operation : patch.operations()) {
      writer.beginObject();
      writer.name("op");
      writer.value(operation.op());
      writer.name("path");
      writer.value(operation.path());
      if (!operation.value().isEmpty()) {
        writer.name("value");
        writer.beginObject();
        writer.name("value");
        writer.value(operation.value());
        writer.endObject();
      }
      writer.endObject();
    }
    writer.endArray();
  }

  @Override
  public MetadataPatchEntity fromJson(JsonReader reader) {
    List<MetadataOperationEntity> operations = new ArrayList<>();
    reader.beginArray();
    while (reader.hasNextElement()) {
      operations.add(operation(reader));
    }
    reader.endArray();
    return new MetadataPatchEntity(operations);
  }

  private static MetadataOperationEntity operation(JsonReader reader) {
    String op = "";
    String path = "";
    String value = "";
    reader.beginObject();
    while (reader.hasNextField()) {
      switch (reader.nextField().toLowerCase(Locale.ROOT)) {
        case "op" -> op = text(reader);
        case "path" -> path = text(reader);
        case "value" -> value = value(reader);
        default -> reader.skipValue();
      }
    }
    reader.endObject();
    return new MetadataOperationEntity(op, path, value);
  }

  private static String value(JsonReader reader) {
    if (reader.currentToken() != JsonReader.Token.BEGIN_OBJECT) {
      return text(reader);
    }
    String value = "";
    reader.beginObject();
    while (reader.hasNextField()) {
      if (reader.nextField().equalsIgnoreCase("value")) {
        value = text(reader);
      } else {
        reader.skipValue();
      }
    }
    reader.endObject();
    return value;
  }

  private static String text(JsonReader reader) {
    return reader.isNullValue() ? "" : reader.readString();
  }
}
