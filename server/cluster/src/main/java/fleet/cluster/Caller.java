package fleet.cluster;

import fleet.core.text.SingleLine;

/**
 * The origin of a request, such as {@code user root}, {@code certificate CN=ops}, {@code 10.0.0.7}.
 */
public record Caller(String name) {

  private static final int LONGEST = 500;

  /** Subjects of certificates are free text, and this goes into logs and events. */
  public Caller {
    name = SingleLine.of(name, LONGEST);
  }

  @Override
  public String toString() {
    return name;
  }
}
