package fleet.entities;

import io.avaje.json.JsonReader;
import io.avaje.json.PropertyNames;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;

/** Reads as another reader does, and puts other strings in the place of some. */
final class ReplacingReader implements JsonReader {

  private final JsonReader reader;
  private final Map<String, String> replacements;

  ReplacingReader(JsonReader reader, Map<String, String> replacements) {
    this.reader = reader;
    this.replacements = replacements;
  }

  @Override
  public String readString() {
    String text = reader.readString();
    return replacements.getOrDefault(text, text);
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return reader.unwrap(type);
  }

  @Override
  public void beginArray() {
    reader.beginArray();
  }

  @Override
  public void endArray() {
    reader.endArray();
  }

  @Override
  public boolean hasNextElement() {
    return reader.hasNextElement();
  }

  @Override
  public void beginObject(PropertyNames names) {
    reader.beginObject(names);
  }

  @Override
  public void beginObject() {
    reader.beginObject();
  }

  @Override
  public void endObject() {
    reader.endObject();
  }

  @Override
  public boolean hasNextField() {
    return reader.hasNextField();
  }

  @Override
  public String nextField() {
    return reader.nextField();
  }

  @Override
  public boolean isNullValue() {
    return reader.isNullValue();
  }

  @Override
  public boolean readBoolean() {
    return reader.readBoolean();
  }

  @Override
  public int readInt() {
    return reader.readInt();
  }

  @Override
  public long readLong() {
    return reader.readLong();
  }

  @Override
  public double readDouble() {
    return reader.readDouble();
  }

  @Override
  public BigDecimal readDecimal() {
    return reader.readDecimal();
  }

  @Override
  public BigInteger readBigInteger() {
    return reader.readBigInteger();
  }

  @Override
  public byte[] readBinary() {
    return reader.readBinary();
  }

  @Override
  public String readRaw() {
    return reader.readRaw();
  }

  @Override
  public String location() {
    return reader.location();
  }

  @Override
  public Token currentToken() {
    return reader.currentToken();
  }

  @Override
  public void close() {
    reader.close();
  }

  @Override
  public void skipValue() {
    reader.skipValue();
  }

  @Override
  public void unmappedField(String name) {
    reader.unmappedField(name);
  }
}
