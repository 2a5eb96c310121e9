package fleet.core.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.core.unit.Dependencies;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitType;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares how a real systemd reads unit files with how fleet does. Both must accept the same
 * files. systemd must read the same, option by option, in the text that fleet makes of a file as in
 * the file itself; and it must show the description, the identifier and the dependencies that fleet
 * reads. {@link Deviation} lists the differences on purpose.
 */
public final class ReadingComparison {

  private final Reader systemd;

  /** A real systemd. */
  public interface Reader {

    /**
     * Gives it these files in place of those before, and loads the units again.
     *
     * @return the output of {@code systemctl show}, the units in the order of their names
     */
    String show(SortedMap<String, byte[]> files);
  }

  public ReadingComparison(Reader systemd) {
    this.systemd = systemd;
  }

  /** The differences in words; empty if there are none. */
  public List<String> differences(SortedMap<String, byte[]> files) {
    List<String> differences = new ArrayList<>();
    List<Original> accepted = new ArrayList<>();
    SortedMap<String, byte[]> rendered = new TreeMap<>();
    Iterator<ShownUnit> shown = show(files).iterator();
    files.forEach((name, bytes) -> {
      Original original = Original.read(name, bytes, shown.next());
      original.faultOfOne().map(original::says).ifPresent(differences::add);
      original
          .file()
          .filter(_ -> original.isComparable())
          .ifPresent(file -> {
            accepted.add(original);
            rendered.put(name, file.render().getBytes(UTF_8));
          });
    });
    Iterator<ShownUnit> ours = show(rendered).iterator();
    for (Original original : accepted) {
      List<String> different = original.differencesTo(ours.next());
      if (!different.isEmpty()) {
        differences.add(original.says(String.join("\n", different)));
      }
    }
    return differences;
  }

  private List<ShownUnit> show(SortedMap<String, byte[]> files) {
    List<ShownUnit> units = ShownUnit.read(systemd.show(files));
    if (units.size() != files.size()) {
      throw new IllegalStateException(
          "systemd showed %d units, not %d".formatted(units.size(), files.size()));
    }
    long loaded = units.stream().filter(ShownUnit::isLoaded).count();
    if (loaded < files.size() / 2) {
      throw new IllegalStateException(
          "systemd loaded %d of %d units: too few to compare".formatted(loaded, files.size()));
    }
    return units;
  }

  /**
   * A file as it was written.
   *
   * @param shown the unit that systemd reads in it
   * @param file empty if fleet refuses it
   * @param fault why fleet refuses it
   */
  private record Original(
      String name, String text, ShownUnit shown, Optional<UnitFile> file, String fault) {

    static Original read(String name, byte[] bytes, ShownUnit shown) {
      String text = UnitFile.decode(bytes);
      try {
        return new Original(name, text, shown, Optional.of(UnitFile.parse(text)), "");
      } catch (UnitFileSyntaxException e) {
        return new Original(name, text, shown, Optional.empty(), String.valueOf(e.getMessage()));
      }
    }

    /** A file without an option masks its unit; fleet refuses it when it is submitted. */
    boolean isComparable() {
      return !shown.isRefused()
          && !Deviation.isIn(text, fault)
          && file.filter(read -> !read.options().isEmpty()).isPresent();
    }

    Optional<String> faultOfOne() {
      if (Deviation.isIn(text, fault) || shown.isRefused() == file.isEmpty()) {
        return Optional.empty();
      }
      if (shown.isRefused()) {
        return Optional.of("systemd alone refuses it");
      }
      // systemd stops at an option that makes no unit, and may not have seen the rest.
      return shown.isLoaded() ? Optional.of("fleet alone refuses it: " + fault) : Optional.empty();
    }

    List<String> differencesTo(ShownUnit ours) {
      if (!shown.isLoaded() && shown.property("LoadState").equals(ours.property("LoadState"))) {
        return List.of(); // systemd stopped in the middle: ours has sections in another order.
      }
      List<String> differences = new ArrayList<>(shown.differences(ours));
      if (UnitName.of(name).type() != UnitType.SLICE) {
        differences.addAll(ownDifferences(file.orElseThrow()));
      }
      return differences;
    }

    /** Not of slices, to which systemd gives descriptions and dependencies by their names. */
    private List<String> ownDifferences(UnitFile read) {
      List<String> differences = new ArrayList<>();
      differ("Description", read.description().orElse(name)).ifPresent(differences::add);
      List<String> identifiers = read.values("Service", "SyslogIdentifier");
      if (!identifiers.isEmpty()) {
        differ("SyslogIdentifier", identifiers.getLast()).ifPresent(differences::add);
      }
      Set<String> dependencies = dependencies(read);
      if (!dependencies.equals(shownDependencies())) {
        differences.add(shownDependencies() + "\n  but fleet reads " + dependencies);
      }
      return differences;
    }

    /** Specifiers are systemd's to expand. */
    private Optional<String> differ(String property, String read) {
      return read.contains("%") || read.equals(shown.property(property))
          ? Optional.empty()
          : Optional.of(property + "=" + shown.property(property) + "\n  but fleet reads " + read);
    }

    private Set<String> dependencies(UnitFile read) {
      Set<String> names = new TreeSet<>();
      for (UnitName dependency : Dependencies.of(UnitName.of(name), read)) {
        names.add(dependency.value());
      }
      return ofTexts(names);
    }

    private Set<String> shownDependencies() {
      Set<String> names = new TreeSet<>();
      for (String property : List.of("Requires", "Requisite", "BindsTo", "Slice", "Triggers")) {
        names.addAll(ShownUnit.words(shown.property(property)));
      }
      names.remove(name);
      return ofTexts(names);
    }

    /** Without the units that systemd adds by itself. */
    private static Set<String> ofTexts(Set<String> names) {
      names.removeIf(one -> !one.startsWith(UnitTexts.PREFIX));
      return names;
    }

    String says(String difference) {
      return "%s:\n%s\nfleet makes of it:\n%s\n%s\n"
          .formatted(name, text, file.map(UnitFile::render).orElse(""), difference);
    }
  }
}
