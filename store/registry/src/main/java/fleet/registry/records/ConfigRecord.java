package fleet.registry.records;

import fleet.registry.Entry;

/**
 * The value of {@code config/<name>}: a setting of the whole cluster that somebody has set.
 *
 * @param by who set it
 */
public record ConfigRecord(String value, String by, UnknownFields unknown) {

  public ConfigRecord(String value, String by) {
    this(value, by, UnknownFields.NONE);
  }

  public static ConfigRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new ConfigRecord(fields.text("value"), fields.text("by"), fields.rest());
  }

  public String json() {
    return new FieldWriter().put("value", value).put("by", by).render(unknown);
  }
}
