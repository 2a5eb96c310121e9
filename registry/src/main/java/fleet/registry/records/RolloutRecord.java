package fleet.registry.records;

import fleet.core.operation.Rollout;
import fleet.core.operation.Rollout.Stage;
import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The value of {@code operation/rollout/<name>}. It is there until all of its units are gone, or
 * another rollout of the same name begins; while it is not over, it keeps the files that it names.
 *
 * @param sha256 names the {@link FileRecord} of the new content
 * @param before names the file that each of its units had when it began
 * @param proven the units that have done well with the new content for as long as they have to
 */
public record RolloutRecord(
    Rollout rollout,
    String sha256,
    Map<UnitName, String> before,
    Set<UnitName> proven,
    UnknownFields unknown) {

  public RolloutRecord {
    before = Collections.unmodifiableMap(new TreeMap<>(before));
    proven = Collections.unmodifiableSet(new TreeSet<>(proven));
  }

  /** One that begins. */
  public RolloutRecord(Rollout rollout, String sha256, Map<UnitName, String> before) {
    this(rollout, sha256, before, Set.of(), UnknownFields.NONE);
  }

  /**
   * Reads a stored value.
   *
   * @throws fleet.registry.RegistryException where the value is not one of these
   */
  public static RolloutRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new RolloutRecord(
        rollout(Keys.unitOf(entry.key()), fields),
        fields.text("sha256"),
        before(entry, fields),
        fields.texts("proven").stream().map(name -> unit(entry, name)).collect(Collectors.toSet()),
        fields.rest());
  }

  private static Map<UnitName, String> before(Entry entry, FieldReader fields) {
    Map<UnitName, String> before = new TreeMap<>();
    fields.textsByName("before").forEach((name, file) -> before.put(unit(entry, name), file));
    return before;
  }

  private static UnitName unit(Entry entry, String name) {
    try {
      return UnitName.of(name);
    } catch (InvalidUnitNameException e) {
      throw new RegistryException(
          "value of key %s in the registry names no unit: %s"
              .formatted(entry.key(), e.getMessage()),
          e);
    }
  }

  private static Rollout rollout(UnitName name, FieldReader fields) {
    return new Rollout(
        name,
        fields.text("hash"),
        Math.max(1, fields.count("maxUnavailable")),
        Duration.ofSeconds(fields.count("healthySeconds")),
        fields.meaning("stage", Stage::ofText),
        fields.truth("paused"),
        fields.text("by"),
        fields.text("why"),
        fields.instant("started"));
  }

  /** The value to store. */
  public String json() {
    Map<String, String> files = new TreeMap<>();
    before.forEach((unit, file) -> files.put(unit.value(), file));
    return new FieldWriter()
        .put("sha256", sha256)
        .put("hash", rollout.hash())
        .put("before", files)
        .put("proven", proven.stream().map(UnitName::value).toList())
        .put("maxUnavailable", rollout.maxUnavailable())
        .put("healthySeconds", rollout.healthy().toSeconds())
        .put("stage", rollout.stage().text())
        .put("paused", rollout.paused())
        .put("by", rollout.by())
        .put("why", rollout.why())
        .put("started", rollout.started().toString())
        .render(unknown);
  }

  /** The files that it may still need. */
  public Set<String> files() {
    if (rollout.stage().isOver()) {
      return Set.of();
    }
    Set<String> files = new TreeSet<>(before.values());
    files.add(sha256);
    return files;
  }

  public RolloutRecord with(Rollout other) {
    return new RolloutRecord(other, sha256, before, proven, unknown);
  }

  /** These have done well with the new content, too. */
  public RolloutRecord withProven(Set<UnitName> more) {
    Set<UnitName> all = new TreeSet<>(proven);
    all.addAll(more);
    return new RolloutRecord(rollout, sha256, before, all, unknown);
  }
}
