package fleet.cluster;

/** Who makes a request, such as {@code user root}, {@code certificate CN=ops}, {@code 10.0.0.7}. */
public record Caller(String name) {
  @Override
  public String toString() {
    return name;
  }
}
