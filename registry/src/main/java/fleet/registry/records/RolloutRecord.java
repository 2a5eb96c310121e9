package fleet.registry.records;

import fleet.core.operation.Rollout;
import fleet.core.operation.Rollout.Stage;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The value of {@code operation/rollout/<name>}. It is there until all of its units are gone, or
 * another rollout of the same name begins; while it is not over, it keeps the files that it names.
 *
 * @param sha256 names the {@link FileRecord} of the new content
 * @param before names the file that each of its units had when it began, by the unit's name
 * @param proven the units that have done well with the new content for as long as they have to
 */
public record RolloutRecord(
    Rollout rollout,
    String sha256,
    Map<String, String> before,
    Set<String> proven,
    UnknownFields unknown) {

  public RolloutRecord {
    before = Collections.unmodifiableMap(new TreeMap<>(before));
    proven = Collections.unmodifiableSet(new TreeSet<>(proven));
  }

  /** One that begins. */
  public RolloutRecord(Rollout rollout, String sha256, Map<String, String> before) {
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
        fields.textsByName("before"),
        Set.copyOf(fields.texts("proven")),
        fields.rest());
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
    return new FieldWriter()
        .put("sha256", sha256)
        .put("hash", rollout.hash())
        .put("before", before)
        .put("proven", List.copyOf(proven))
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
  public RolloutRecord withProven(Set<String> more) {
    Set<String> all = new TreeSet<>(proven);
    all.addAll(more);
    return new RolloutRecord(rollout, sha256, before, all, unknown);
  }
}
