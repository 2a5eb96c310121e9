package fleet.entities;

import io.avaje.jsonb.Json;

/**
 * A setting of the whole cluster.
 *
 * @param value in force; or to be, in a request
 * @param usual in force if nobody sets another
 * @param by who set it; absent if nobody did
 */
@Json
public record SettingEntity(String name, String value, String usual, String by) implements Entity {

  public SettingEntity {
    name = Empty.ifAbsent(name);
    value = Empty.ifAbsent(value);
    usual = Empty.ifAbsent(usual);
    by = Empty.ifAbsent(by);
  }

  /** A request for a value. */
  public static SettingEntity wanted(String value) {
    return new SettingEntity("", value, "", "");
  }
}
