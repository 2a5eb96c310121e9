package fleet.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.bench.figure.Figure;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GrowthPlotTest {

  private static String svg(Map<Integer, List<Figure>> bySize) {
    return GrowthPlot.svg(new TreeMap<>(bySize));
  }

  @Test
  void aFigureIsALineWithAPointForEachSize() {
    String svg =
        svg(
            Map.of(
                500, List.of(new Figure("all_running", 5.25, "s")),
                5000, List.of(new Figure("all_running", 52, "s"))));
    assertThat(svg.split("<circle", -1)).hasSize(3);
    assertThat(svg).contains(">5.3<").contains(">52.0<").contains(">500<").contains(">5000<");
  }

  @Test
  void moreIsHigher() {
    String svg =
        svg(
            Map.of(
                1000, List.of(new Figure("leader_memory", 100, "MB")),
                2000, List.of(new Figure("leader_memory", 200, "MB"))));
    assertThat(svg).contains("points=\"165.0,120.9 278.0,61.7\"");
  }

  @Test
  void whatWasNotMeasuredIsNotShown() {
    assertThat(svg(Map.of(500, List.of(new Figure("all_running", 5, "s")))))
        .doesNotContain("leader memory");
  }
}
