package fleet.fleetctl.client;

import fleet.core.requirements.Requirements;
import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitOption;
import fleet.entities.UnitEntity;
import fleet.entities.UnitOptionEntity;
import java.util.ArrayList;
import java.util.List;

/** Reads unit entities, those of fleet 1.0 included. */
public final class UnitReader {

  private UnitReader() {}

  /** Its text. */
  public static UnitFile file(UnitEntity unit) {
    return file(unit.options());
  }

  public static UnitFile file(List<UnitOptionEntity> options) {
    List<UnitOption> read = new ArrayList<>();
    for (UnitOptionEntity option : options) {
      read.add(new UnitOption(option.section(), option.name(), option.value()));
    }
    return new UnitFile(read);
  }

  public static List<UnitOptionEntity> options(UnitFile file) {
    List<UnitOptionEntity> written = new ArrayList<>();
    for (UnitOption option : file.options()) {
      written.add(new UnitOptionEntity(option.name(), option.section(), option.value()));
    }
    return written;
  }

  /** Whether it runs on every machine that fits; fleet 1.0 says it only in the text. */
  public static boolean isGlobal(UnitEntity unit) {
    Boolean global = unit.global();
    if (global != null) {
      return global;
    }
    UnitFile file = file(unit);
    try {
      return file.hasSection("X-Fleet") && Requirements.of(UnitName.of(unit.name()), file).global();
    } catch (InvalidUnitNameException e) {
      return false;
    }
  }

  /** A request to set the desired state alone. */
  public static UnitEntity desiring(String name, String state) {
    return UnitEntity.of(name, state, List.of());
  }

  /** A request to create or replace a unit. */
  public static UnitEntity creating(String name, UnitFile file, String state) {
    return UnitEntity.of(name, state, options(file));
  }
}
