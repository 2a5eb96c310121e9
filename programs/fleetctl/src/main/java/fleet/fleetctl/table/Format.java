package fleet.fleetctl.table;

/**
 * The form in which a listing is printed.
 *
 * @param expression of {@link Kind#JSONPATH}; empty otherwise
 */
public record Format(Kind kind, String expression) {

  /** The forms there are. */
  public enum Kind {
    TABLE,
    WIDE,
    NAME,
    JSON,
    YAML,
    JSONPATH
  }

  private static final String JSONPATH = "jsonpath=";

  /**
   * Reads what was given with {@code -o}.
   *
   * @throws InvalidExpressionException if it is no form
   */
  public static Format of(String text) throws InvalidExpressionException {
    return switch (text) {
      case "table" -> new Format(Kind.TABLE, "");
      case "wide" -> new Format(Kind.WIDE, "");
      case "name" -> new Format(Kind.NAME, "");
      case "json" -> new Format(Kind.JSON, "");
      case "yaml" -> new Format(Kind.YAML, "");
      default -> {
        if (!text.startsWith(JSONPATH)) {
          throw new InvalidExpressionException(
              "unknown format \"%s\": expect table, wide, name, json, yaml or jsonpath=EXPRESSION"
                  .formatted(text));
        }
        yield new Format(Kind.JSONPATH, text.substring(JSONPATH.length()));
      }
    };
  }

  /** Whether it has columns. */
  public boolean isTable() {
    return kind == Kind.TABLE || kind == Kind.WIDE;
  }
}
