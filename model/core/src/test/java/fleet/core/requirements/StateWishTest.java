package fleet.core.requirements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.state.DesiredState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A state in a file is a wish for those who apply it, and asks nothing of machines. */
final class StateWishTest {

  private static final UnitName UNIT = UnitName.of("web.service");

  private static UnitFile file(String lines) throws Exception {
    return UnitFile.parse("[Service]\nExecStart=/a\n[X-Fleet]\n" + lines.replace('|', '\n') + "\n");
  }

  @ParameterizedTest
  @CsvSource({
    "State=loaded, LOADED",
    "State=\"launched\", LAUNCHED",
    "State=loaded|State=inactive, INACTIVE",
    "Memory=1G, ",
    "State=%i, "
  })
  void theLastOneCounts(String lines, DesiredState state) throws Exception {
    assertThat(StateWish.of(file(lines)).orElse(null)).isEqualTo(state);
  }

  @Test
  void itIsNoRequirementAndNoDoubt() throws Exception {
    UnitFile file = file("State=loaded|Memory=1G");
    Requirements.validate(UNIT, file);
    assertThat(Requirements.warnings(UNIT, file)).isEmpty();
    assertThat(Requirements.of(UNIT, file)).isEqualTo(Requirements.of(UNIT, file("Memory=1G")));
    assertThat(StateWish.without(file)).isEqualTo(file("Memory=1G"));
    assertThat(StateWish.without(file("State=loaded")))
        .isEqualTo(UnitFile.parse("[Service]\nExecStart=/a\n"));
  }

  @Test
  void anotherWordIsRefusedAndSoIsOneBesideTheFile() throws Exception {
    UnitFile wrong = file("State=running");
    assertThatThrownBy(() -> Requirements.validate(UNIT, wrong))
        .hasMessageContaining("write launched, loaded or inactive");
    UnitFile plain = file("Memory=1G");
    assertThatThrownBy(() -> Requirements.validate(UNIT, plain, List.of("State=loaded")))
        .hasMessageContaining("the state is no requirement");
  }
}
