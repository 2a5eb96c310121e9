package fleet.core.access;

import fleet.core.text.EnumText;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A name that a grant is given to.
 *
 * @param name without spaces, slashes and control characters
 */
public record GrantHolder(Kind kind, String name) implements Comparable<GrantHolder> {

  private static final int LONGEST = 128;

  /** Common names are no longer, and none of these has a meaning in the name of a subject. */
  private static final Pattern LOGIN_NAME = Pattern.compile("[0-9A-Za-z._@-]{1,64}");

  /** The kind of a name. */
  public enum Kind implements EnumText {
    /** The common name of a certificate. */
    PERSON,
    /** A user of the machines that have the registry. */
    USER,
    /** A group of users there. */
    GROUP,
    /** A machine that has joined, by its id. */
    MACHINE,
    /** The other end of a plain TCP connection. Nobody can grant anything to one. */
    ADDRESS;
  }

  /**
   * Reads {@code user:alice} or {@code machine:<id>}; a name alone is a person's.
   *
   * @return empty if the text names nobody
   */
  public static Optional<GrantHolder> parse(String text) {
    int colon = text.indexOf(':');
    String name = text.substring(colon + 1);
    if (!isName(name)) {
      return Optional.empty();
    }
    return colon < 0
        ? Optional.of(new GrantHolder(Kind.PERSON, name))
        : Stream.of(Kind.values())
            .filter(kind -> kind != Kind.ADDRESS && kind.text().equals(text.substring(0, colon)))
            .findFirst()
            .map(kind -> new GrantHolder(kind, name));
  }

  private static boolean isName(String name) {
    return !name.isEmpty()
        && name.length() <= LONGEST
        && name.chars().allMatch(c -> c > ' ' && c != '/' && c != ':' && c != 0x7f && c < 0x80);
  }

  /** Whether it is a person who can get a certificate of the cluster. */
  public boolean canLogIn() {
    return kind == Kind.PERSON && LOGIN_NAME.matcher(name).matches();
  }

  /** Whether a subject has this name. */
  boolean isOf(Subject subject) {
    return switch (subject) {
      case Subject.User user ->
          switch (kind) {
            case USER -> name.equals(user.name());
            case GROUP -> user.groups().contains(name);
            case PERSON, MACHINE, ADDRESS -> false;
          };
      case Subject.Person person -> kind == Kind.PERSON && name.equals(person.name());
      case Subject.Joined machine -> kind == Kind.MACHINE && name.equals(machine.id());
      case Subject.Anybody _, Subject.Stranger _, Subject.Fleetd _ -> false;
    };
  }

  @Override
  public int compareTo(GrantHolder other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public String toString() {
    return kind.text() + ":" + name;
  }
}
