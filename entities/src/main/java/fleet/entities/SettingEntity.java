package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * A setting of the whole cluster.
 *
 * @param value in force; or to be, in a request
 * @param usual in force where nobody sets another
 * @param by who set it; absent where nobody did
 */
@Json
public record SettingEntity(
    @Nullable String name, @Nullable String value, @Nullable String usual, @Nullable String by)
    implements Entity {

  public SettingEntity {
    name = Absent.ifEmpty(name);
    value = Absent.ifEmpty(value);
    usual = Absent.ifEmpty(usual);
    by = Absent.ifEmpty(by);
  }

  /** A request for a value. */
  public static SettingEntity wanted(String value) {
    return new SettingEntity(null, value, null, null);
  }
}
