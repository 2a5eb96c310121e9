package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;

/** The settings of the whole cluster. */
@Json
public record SettingsEntity(List<SettingEntity> settings) implements Entity {

  public SettingsEntity {
    settings = Empty.ifAbsent(settings);
  }
}
