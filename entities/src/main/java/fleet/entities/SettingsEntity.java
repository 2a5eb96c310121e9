package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settings of the whole cluster. */
@Json
public record SettingsEntity(@Nullable List<SettingEntity> settings) implements Entity {

  public SettingsEntity {
    settings = Absent.ifEmpty(settings);
  }
}
