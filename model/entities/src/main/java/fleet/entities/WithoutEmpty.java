package fleet.entities;

import io.avaje.json.JsonAdapter;
import io.avaje.json.JsonReader;
import io.avaje.json.JsonWriter;

/** Leaves out the fields of objects that have an empty value. */
record WithoutEmpty<T>(JsonAdapter<T> adapter, T empty) implements JsonAdapter<T> {

  @Override
  public void toJson(JsonWriter writer, T value) {
    if (empty.equals(value)) {
      writer.nullValue();
    } else {
      adapter.toJson(writer, value);
    }
  }

  @Override
  public T fromJson(JsonReader reader) {
    return adapter.fromJson(reader);
  }
}
