package fleet.registry.records;

import fleet.core.operation.Operation;
import fleet.core.operation.Operation.Stage;
import fleet.core.operation.OperationChange;
import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The value of {@code operation/rollout-<name>}. It is there until all of its units are gone, or
 * another rollout of the same name begins; while it is not over, it keeps the files that it names.
 *
 * @param hash of the new content, SHA-1 in hex
 * @param sha256 names the {@link FileRecord} of the new content
 * @param healthy for how long a unit has to be active, without being started again by systemd,
 *     until the next one's turn comes
 * @param before names the file that each of its units had when it began
 * @param proven the units that have done well with the new content for as long as they have to
 * @param global the rest of the rollout of a global unit, of which {@code before} has just that
 *     unit
 * @param source names the {@link FileRecord} of the new content as it was typed; empty if that is
 *     the text that {@code sha256} names
 * @param canaries how many units get the new content before it pauses; 0 if all do
 */
public record RolloutRecord(
    Operation operation,
    String hash,
    String sha256,
    Duration healthy,
    Map<UnitName, String> before,
    Set<UnitName> proven,
    int canaries,
    Optional<GlobalRollout> global,
    String source,
    UnknownFields unknown)
    implements GlobalOperation {

  private static final String CANARIES = "canaries";
  private static final String SOURCE = "source";

  public RolloutRecord {
    before = Collections.unmodifiableMap(new TreeMap<>(before));
    proven = Collections.unmodifiableSet(new TreeSet<>(proven));
  }

  /** One that begins. */
  public RolloutRecord(
      Operation operation,
      String hash,
      String sha256,
      Duration healthy,
      Map<UnitName, String> before,
      int canaries) {
    this(
        operation,
        hash,
        sha256,
        healthy,
        before,
        Set.of(),
        canaries,
        Optional.empty(),
        "",
        UnknownFields.NONE);
  }

  public static RolloutRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new RolloutRecord(
        OperationRecord.read(entry, fields),
        fields.text("hash"),
        fields.text("sha256"),
        Duration.ofSeconds(fields.count("healthySeconds")),
        before(entry, fields),
        fields.texts("proven").stream().map(name -> unit(entry, name)).collect(Collectors.toSet()),
        fields.has(CANARIES) ? fields.count(CANARIES) : 0,
        GlobalRollout.read(fields),
        fields.text(SOURCE, ""),
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

  /** The template, or the single unit. */
  @Override
  public UnitName name() {
    return operation.id().unit();
  }

  @Override
  public String json() {
    Map<String, String> files = new TreeMap<>();
    before.forEach((unit, file) -> files.put(unit.value(), file));
    FieldWriter fields =
        OperationRecord.write(operation)
            .put("sha256", sha256)
            .put("hash", hash)
            .put("healthySeconds", healthy.toSeconds())
            .put("before", files)
            .put("proven", proven.stream().map(UnitName::value).toList());
    if (canaries > 0) {
      fields.put(CANARIES, canaries);
    }
    global.ifPresent(one -> one.write(fields));
    if (!source.isEmpty()) {
      fields.put(SOURCE, source);
    }
    return fields.render(unknown);
  }

  @Override
  public Set<String> files() {
    if (operation.stage().isOver()) {
      return Set.of();
    }
    Set<String> files = new TreeSet<>(before.values());
    files.add(sha256);
    if (!source.isEmpty()) {
      files.add(source);
    }
    return files;
  }

  @Override
  public RolloutRecord with(Operation now) {
    return with(now, proven, canaries, global);
  }

  private RolloutRecord with(
      Operation now, Set<UnitName> provenNow, int canariesNow, Optional<GlobalRollout> globalNow) {
    return new RolloutRecord(
        now, hash, sha256, healthy, before, provenNow, canariesNow, globalNow, source, unknown);
  }

  /** The same, whose new content was typed so. */
  public RolloutRecord withSource(String other) {
    return new RolloutRecord(
        operation, hash, sha256, healthy, before, proven, canaries, global, other, unknown);
  }

  /** The same for a global unit. */
  @Override
  public RolloutRecord withGlobal(GlobalRollout now) {
    return with(operation, proven, canaries, Optional.of(now));
  }

  @Override
  public Optional<GlobalRollout> globalRollout() {
    return global;
  }

  @Override
  public boolean acceptsFailureOn(String machine) {
    return false;
  }

  @Override
  public RolloutRecord failed(String machine, String why) {
    return with(operation.withStage(Stage.BACK, why));
  }

  @Override
  public RolloutRecord after(OperationChange change, String who) {
    // A global unit cannot keep two contents.
    boolean mustRevert = global.isPresent() && change == OperationChange.CANCEL;
    Operation now = operation.after(mustRevert ? OperationChange.REVERT : change, who);
    boolean goesOn = change == OperationChange.RESUME || change == OperationChange.PROMOTE;
    return with(
        goesOn && now.reason().equals(Operation.CANARIES_HEALTHY)
            ? now.withStage(now.stage(), "")
            : now,
        proven,
        change == OperationChange.PROMOTE ? 0 : canaries,
        global);
  }

  /** The same once its canaries have done well: people decide how it goes on. */
  public RolloutRecord withCanariesProven() {
    return with(
        operation.withPaused(true).withStage(operation.stage(), Operation.CANARIES_HEALTHY),
        proven,
        0,
        global);
  }

  /** These have done well with the new content, too. */
  public RolloutRecord withProven(Set<UnitName> more) {
    Set<UnitName> all = new TreeSet<>(proven);
    all.addAll(more);
    return with(operation, all, canaries, global);
  }
}
