package fleet.engine.state;

import fleet.core.desired.Unit;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.registry.records.UnitRecord;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The units of the store, with their targets, by name. Owned by the state thread. */
public final class StoredUnits {

  private final StoredFiles files;
  private final Map<UnitName, KnownUnit> units = new HashMap<>();
  private final UnitIndex families = new UnitIndex();

  StoredUnits(StoredFiles files) {
    this.files = files;
  }

  void put(UnitName name, UnitRecord record, long revision, Interner interner) {
    Unit unit =
        new Unit(
            name,
            record.incarnation(),
            files.peek(record.sha256()),
            record.desired(),
            record.restartCounter(),
            interner.of(record.by()),
            record.created(),
            interner.of(record.require()));
    String sha256 = files.nameOf(record.sha256());
    // Reads the requirements first: if that throws, nothing has changed.
    KnownUnit known = known(unit, sha256, KnownUnit.Stored.of(record, revision));
    UnitFile _ = files.use(record.sha256(), name);
    files.keepNamed(record.source());
    forget(name);
    units.put(name, known);
    name.template().ifPresent(template -> families.note(template.value(), name));
  }

  void forget(UnitName name) {
    KnownUnit before = units.remove(name);
    if (before != null) {
      files.release(before.sha256());
      files.releaseNamed(before.stored().source());
    }
    name.template().ifPresent(template -> families.forget(template.value(), name));
  }

  /** Some units by name, without those that do not exist. */
  public Map<UnitName, Unit> of(Set<UnitName> names) {
    Map<UnitName, Unit> found = new HashMap<>();
    names.forEach(name -> of(name).ifPresent(known -> found.put(name, known.unit())));
    return found;
  }

  /** The instances of a unit's template, including itself; empty if it is not an instance. */
  public Set<UnitName> family(UnitName name) {
    return name.template().map(this::instances).orElse(Set.of());
  }

  /** The instances of a template, which itself may be missing. */
  public Set<UnitName> instances(UnitName template) {
    return families.of(template.value());
  }

  /** Takes over a file that the unit lacked. */
  void mend(UnitName name, String sha256) {
    units.computeIfPresent(
        name, (_, known) -> known.sha256().equals(sha256) ? withFile(known) : known);
  }

  private KnownUnit withFile(KnownUnit known) {
    Unit unit = known.unit().withFile(files.peek(known.sha256()));
    return known(unit, known.sha256(), known.stored());
  }

  private KnownUnit known(Unit unit, String sha256, KnownUnit.Stored stored) {
    return new KnownUnit(
        unit, sha256, files.requirements(sha256, unit.name(), unit.require()), stored);
  }

  public Optional<KnownUnit> of(UnitName name) {
    return Optional.ofNullable(units.get(name));
  }

  /** In no order. */
  public Collection<KnownUnit> all() {
    return Collections.unmodifiableCollection(units.values());
  }
}
