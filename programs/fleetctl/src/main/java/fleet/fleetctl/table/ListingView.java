package fleet.fleetctl.table;

import fleet.entities.EntityJson;
import fleet.entities.InvalidJsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The user's choice of how a list is printed, checked before anything is asked of fleetd. */
public final class ListingView {

  private final Format format;
  private final List<String> columns;
  private final List<String> sort;
  private final boolean legend;
  private final int width;
  private final @Nullable JsonPath path;

  private ListingView(
      Format format,
      List<String> columns,
      List<String> sort,
      boolean legend,
      int width,
      @Nullable JsonPath path) {
    this.format = format;
    this.columns = columns;
    this.sort = sort;
    this.legend = legend;
    this.width = width;
    this.path = path;
  }

  /**
   * Checks a choice.
   *
   * @param listing with the fields there are
   * @param fields of a table, with commas between; null for the usual ones
   * @param sort fields with commas between, each with a minus for the reverse order; empty for none
   * @param legend whether a table has a header
   * @param width of the lines of a table for people; 0 for one that looks as in fleet 1.0
   */
  public static <T> ListingView of(
      Listing<T> listing,
      Format format,
      @Nullable String fields,
      String sort,
      boolean legend,
      int width)
      throws InvalidFieldsException, InvalidExpressionException {
    if (fields != null && !format.isTable()) {
      throw new InvalidExpressionException("--fields chooses the columns of tables, see -o");
    }
    List<String> columns =
        fields == null ? listing.columns(format, width > 0) : listing.names(fields);
    List<String> order = sort.isEmpty() ? List.of() : List.of(sort.split(",", -1));
    for (String field : order) {
      var _ = listing.order(fieldOf(field));
    }
    JsonPath path =
        format.kind() == Format.Kind.JSONPATH ? JsonPath.parse(format.expression()) : null;
    return new ListingView(
        format, format.isTable() ? columns : List.of(), order, legend, width, path);
  }

  private static String fieldOf(String sort) {
    return sort.startsWith("-") ? sort.substring(1) : sort;
  }

  /** Whether it has columns, and people read it. */
  public boolean isTable() {
    return format.isTable();
  }

  /** Whether a table is for people, and may look better than that of fleet 1.0. */
  public boolean isForPeople() {
    return format.isTable() && width > 0;
  }

  /** Whether a field is printed, or decides the order. */
  public boolean needs(String field) {
    return columns.contains(field) || sort.contains(field) || sort.contains("-" + field);
  }

  /** The text for these things, which are in their usual order. */
  public <T> String text(Listing<T> listing, List<T> things) throws InvalidExpressionException {
    List<T> sorted = sorted(listing, things);
    return switch (format.kind()) {
      case TABLE, WIDE ->
          width == 0
              ? listing.render(sorted, columns, legend)
              : fitted(listing.rows(sorted, columns, legend));
      case NAME -> names(listing, sorted);
      case JSON -> json(listing, sorted);
      case YAML -> Yaml.of(tree(listing, sorted));
      case JSONPATH -> endingInNewline(path == null ? "" : path.apply(tree(listing, sorted)));
    };
  }

  private String fitted(List<List<String>> rows) {
    FittedTable table = new FittedTable(rows, width);
    return table.isShortened()
        ? table.render() + "Columns are shortened to fit. All of them: -o wide\n"
        : table.render();
  }

  /**
   * The text for some things of a stream, each in lines of its own.
   *
   * @param first whether a table begins here
   */
  public <T> String streamed(Listing<T> listing, List<T> things, boolean first)
      throws InvalidExpressionException {
    List<T> sorted = sorted(listing, things);
    EntityJson writer = new EntityJson();
    return switch (format.kind()) {
      case TABLE, WIDE -> listing.render(sorted, columns, legend && first);
      case NAME -> names(listing, sorted);
      case JSON ->
          sorted.stream()
              .map(thing -> listing.json(thing, writer) + "\n")
              .collect(Collectors.joining());
      case YAML, JSONPATH ->
          throw new InvalidExpressionException("--watch needs -o table, wide, name or json");
    };
  }

  /** Whether things can be printed as they come. */
  public boolean isStreamable() {
    return format.kind() != Format.Kind.YAML && format.kind() != Format.Kind.JSONPATH;
  }

  private <T> List<T> sorted(Listing<T> listing, List<T> things) throws InvalidExpressionException {
    if (sort.isEmpty()) {
      return things;
    }
    List<T> sorted = new ArrayList<>(things);
    for (String field : sort.reversed()) {
      Comparator<T> order = listing.order(fieldOf(field));
      sorted.sort(field.startsWith("-") ? order.reversed() : order);
    }
    return sorted;
  }

  private static <T> String names(Listing<T> listing, List<T> things) {
    Set<String> names = new LinkedHashSet<>();
    things.forEach(thing -> names.add(listing.name(thing)));
    return names.stream().map(name -> name + "\n").collect(Collectors.joining());
  }

  /** An array with a line for each thing. */
  private static <T> String json(Listing<T> listing, List<T> things) {
    EntityJson writer = new EntityJson();
    return things.isEmpty()
        ? "[]\n"
        : things.stream()
            .map(thing -> listing.json(thing, writer))
            .collect(Collectors.joining(",\n", "[\n", "\n]\n"));
  }

  private static <T> Object tree(Listing<T> listing, List<T> things)
      throws InvalidExpressionException {
    try {
      return EntityJson.tree(json(listing, things).getBytes(StandardCharsets.UTF_8));
    } catch (InvalidJsonException e) {
      throw new InvalidExpressionException("fleetd's answer cannot be read: " + e.getMessage());
    }
  }

  private static String endingInNewline(String text) {
    return text.isEmpty() || text.endsWith("\n") ? text : text + "\n";
  }
}
