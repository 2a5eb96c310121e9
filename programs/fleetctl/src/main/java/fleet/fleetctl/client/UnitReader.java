package fleet.fleetctl.client;

import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitOption;
import fleet.entities.RevisionEntity;
import fleet.entities.RolloutRequestEntity;
import fleet.entities.UnitEntity;
import fleet.entities.UnitOptionEntity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads unit entities, those of fleet 1.0 included. */
public final class UnitReader {

  private UnitReader() {}

  /** Its text, as it was typed if that is known. */
  public static UnitFile file(UnitEntity unit) {
    return file(unit.options(), unit.text());
  }

  /** A content of a unit, as it was typed if that is known. */
  public static UnitFile file(RevisionEntity revision) {
    return file(revision.options(), revision.text());
  }

  private static UnitFile file(List<UnitOptionEntity> options, String text) {
    UnitFile file = file(options);
    try {
      UnitFile typed = UnitFile.typed(text);
      return typed.equals(file) ? typed : file;
    } catch (UnitFileSyntaxException notOfThisVersion) {
      return file;
    }
  }

  private static UnitFile file(List<UnitOptionEntity> options) {
    return new UnitFile(
        options.stream()
            .map(option -> new UnitOption(option.section(), option.name(), option.value()))
            .toList());
  }

  private static List<UnitOptionEntity> options(UnitFile file) {
    return file.options().stream()
        .map(option -> new UnitOptionEntity(option.name(), option.section(), option.value()))
        .toList();
  }

  /** Whether it runs on every machine that fits; fleet 1.0 says it only in the text. */
  public static boolean isGlobal(UnitEntity unit) {
    Boolean global = unit.global();
    if (global != null) {
      return global;
    }
    return isGlobal(unit.name(), file(unit));
  }

  /** Whether a unit with this file runs on every machine that fits. */
  public static boolean isGlobal(String name, UnitFile file) {
    return file.hasSection("X-Fleet")
        && UnitName.parse(name).filter(unit -> Requirements.of(unit, file).global()).isPresent();
  }

  /** A request to set the desired state alone. */
  public static UnitEntity desiring(String name, String state) {
    return UnitEntity.of(name, state, List.of());
  }

  /** A request to create or replace a unit. */
  public static UnitEntity creating(String name, UnitFile file, String state) {
    return UnitEntity.of(name, state, options(file)).withText(text(file));
  }

  /**
   * A request to give a unit the comments of a file of the same content, or to remove its comments.
   *
   * @param state that it is to have; empty to leave it as it is
   */
  public static UnitEntity commenting(String name, UnitFile file, String state) {
    return UnitEntity.of(name, state, options(file)).withText(file.text());
  }

  /**
   * A request for a rollout of a file.
   *
   * @param canaries see {@link RolloutRequestEntity}
   */
  public static RolloutRequestEntity rollout(
      UnitFile file,
      int maxUnavailable,
      long healthySeconds,
      @Nullable Integer canaries,
      List<String> except) {
    return new RolloutRequestEntity(
        options(file), maxUnavailable, healthySeconds, canaries, text(file), except);
  }

  /** The text as it was typed; empty if the options make the same, or it is not known. */
  public static String text(UnitFile file) {
    return file.typedSha256().isEmpty() ? "" : file.text();
  }
}
