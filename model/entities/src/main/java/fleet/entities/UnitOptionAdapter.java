package fleet.entities;

import io.avaje.json.JsonAdapter;
import io.avaje.json.JsonReader;
import io.avaje.json.JsonWriter;
import io.avaje.jsonb.CustomAdapter;
import io.avaje.jsonb.Jsonb;

/** Leaves out empty values, as of {@code ExecStart=}, and reads them back as empty. */
@CustomAdapter
public final class UnitOptionAdapter implements JsonAdapter<UnitOptionEntity> {

  public UnitOptionAdapter(Jsonb jsonb) {}

  @Override
  public void toJson(JsonWriter writer, UnitOptionEntity option) {
    writer.beginObject();
    write(writer, "name", option.name());
    write(writer, "section", option.section());
    write(writer, "value", option.value());
    writer.endObject();
  }

  private static void write(JsonWriter writer, String name, String value) {
    if (!value.isEmpty()) {
      writer.name(name);
      writer.value(value);
    }
  }

  @Override
  public UnitOptionEntity fromJson(JsonReader reader) {
    String name = "";
    String section = "";
    String value = "";
    reader.beginObject();
    while (reader.hasNextField()) {
      String field = reader.nextField();
      switch (field) {
        case "name" -> name = text(reader);
        case "section" -> section = text(reader);
        case "value" -> value = text(reader);
        default -> reader.skipValue();
      }
    }
    reader.endObject();
    return new UnitOptionEntity(name, section, value);
  }

  private static String text(JsonReader reader) {
    return reader.isNullValue() ? "" : reader.readString();
  }
}
