package fleet.core.unit;

import java.util.List;
import java.util.Optional;

/**
 * The parsed text of a unit: its options in the order of the file, repeated and empty ones kept.
 *
 * <p>Immutable. Two files are equal when their options are, whatever their comments and blanks.
 */
public record UnitFile(List<UnitOption> options) {

  public UnitFile {
    options = List.copyOf(options);
  }

  /**
   * Reads a unit file as fleet 1.0 does.
   *
   * @throws UnitFileSyntaxException where the text is not a unit file
   */
  public static UnitFile parse(String text) throws UnitFileSyntaxException {
    throw new UnsupportedOperationException(text);
  }

  /** The canonical text: what {@code cat} prints, agents write to disk and hashes are made of. */
  public String render() {
    throw new UnsupportedOperationException();
  }

  /** SHA-1 of {@link #render()} in 40 lower-case hex digits: the name of the text for people. */
  public String hash() {
    throw new UnsupportedOperationException();
  }

  /**
   * SHA-256 of {@link #render()} in 64 lower-case hex digits: the name of the text in the store.
   */
  public String sha256() {
    throw new UnsupportedOperationException();
  }

  /** All values of an option, in the order of the file; empty where it does not occur. */
  public List<String> values(String section, String name) {
    return options.stream()
        .filter(option -> option.section().equals(section) && option.name().equals(name))
        .map(UnitOption::value)
        .toList();
  }

  public boolean hasSection(String section) {
    return options.stream().anyMatch(option -> option.section().equals(section));
  }

  /** The first {@code Description=} of {@code [Unit]}. */
  public Optional<String> description() {
    return values("Unit", "Description").stream().findFirst();
  }
}
