package fleet.engine.picture;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.records.Keys;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultsTest {

  private static final String KEY = Keys.unit(UnitName.of("web.service"));

  private final ClusterPicture picture = new ClusterPicture();

  private void write(String value) {
    var _ = picture.written(new Entry(KEY, value, 1, 2));
  }

  @Test
  void whatCannotBeReadIsToldOnceAndOnceMoreToSomebodyElse() {
    write("garbage");
    List<String> told = picture.takeFaults();
    assertThat(told).singleElement().asString().contains(KEY, "left alone until");
    assertThat(picture.takeFaults()).isEmpty();

    picture.tellFaultsAgain();
    assertThat(picture.takeFaults()).isEqualTo(told);
    assertThat(picture.takeFaults()).isEmpty();
  }

  @Test
  void whatIsMendedIsNotToldAgain() {
    write("garbage");
    var _ = picture.deleted(KEY);
    picture.tellFaultsAgain();
    assertThat(picture.takeFaults()).isEmpty();
  }
}
