package fleet.ctl.client;

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
public final class Units {

  private Units() {}

  public static String name(UnitEntity unit) {
    String name = unit.name();
    return name == null ? "" : name;
  }

  /** The desired state; empty where there is none. */
  public static String desired(UnitEntity unit) {
    String desired = unit.desiredState();
    return desired == null ? "" : desired;
  }

  /** The current state; empty for global units. */
  public static String current(UnitEntity unit) {
    String current = unit.currentState();
    return current == null ? "" : current;
  }

  /** The id of its machine; empty where it has none. */
  public static String machine(UnitEntity unit) {
    String machine = unit.machineID();
    return machine == null ? "" : machine;
  }

  /** The machine that it stays with though that is not there; may be empty. */
  public static String keptOn(UnitEntity unit) {
    String machine = unit.keptOn();
    return machine == null ? "" : machine;
  }

  /** Its text. */
  public static UnitFile file(UnitEntity unit) {
    List<UnitOptionEntity> options = unit.options();
    List<UnitOption> read = new ArrayList<>();
    if (options != null) {
      for (UnitOptionEntity option : options) {
        read.add(new UnitOption(option.section(), option.name(), option.value()));
      }
    }
    return new UnitFile(read);
  }

  /** Requirements on machines beside those in the unit's file. */
  public static List<String> require(UnitEntity unit) {
    List<String> require = unit.require();
    return require == null ? List.of() : require;
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
      return file.hasSection("X-Fleet") && Requirements.of(UnitName.of(name(unit)), file).global();
    } catch (InvalidUnitNameException e) {
      return false;
    }
  }

  /** A request to set the desired state alone. */
  public static UnitEntity desiring(String name, String state) {
    return new UnitEntity(null, state, null, name, null, null, null, null, null, null, null);
  }

  /** A request to create or replace a unit. */
  public static UnitEntity creating(String name, UnitFile file, String state) {
    return new UnitEntity(
        null, state, null, name, options(file), null, null, null, null, null, null);
  }
}
