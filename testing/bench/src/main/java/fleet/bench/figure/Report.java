package fleet.bench.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The figures of one benchmark, each told as soon as it is known. For one thread. */
public final class Report {

  private final String benchmark;
  private final Consumer<String> lines;
  private final List<Figure> figures = new ArrayList<>();

  /**
   * An empty report.
   *
   * @param lines takes a line for each figure
   */
  public Report(String benchmark, Consumer<String> lines) {
    this.benchmark = benchmark;
    this.lines = lines;
  }

  /**
   * Adds a figure.
   *
   * @throws IllegalArgumentException if its name is taken already: whoever compares runs finds
   *     figures by their names
   */
  public void add(String name, double value, String unit) {
    if (figures.stream().anyMatch(figure -> figure.name().equals(name))) {
      throw new IllegalArgumentException("a second figure named " + name);
    }
    Figure figure = new Figure(name, value, unit);
    figures.add(figure);
    lines.accept(figure.toString());
  }

  public List<Figure> figures() {
    return List.copyOf(figures);
  }

  /** All figures as a JSON document. What a figure may contain needs no escaping. */
  public String json() {
    return figures.stream()
        .map(Report::json)
        .collect(
            Collectors.joining(
                ",\n    ",
                "{\n  \"benchmark\": \"" + benchmark + "\",\n  \"figures\": [\n    ",
                "\n  ]\n}\n"));
  }

  private static String json(Figure figure) {
    return "{\"name\": \"%s\", \"value\": %s, \"unit\": \"%s\"}"
        .formatted(figure.name(), figure.shownValue(), figure.unit());
  }
}
