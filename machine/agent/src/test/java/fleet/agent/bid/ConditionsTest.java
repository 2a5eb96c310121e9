package fleet.agent.bid;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against the systemd of the machine that the test runs on, which need not be booted by it. */
class ConditionsTest {

  private static final UnitName WEB = UnitName.of("web@7.service");

  @TempDir Path directory;

  private static List<String> of(String text) throws UnitFileSyntaxException {
    return Conditions.of(WEB, UnitFile.parse(text));
  }

  @Test
  void conditionsAndAssertionsAreReadWithTheNameOfTheUnit() throws Exception {
    assertThat(
            of(
                """
                [Unit]
                Description=x
                ConditionPathExists=/srv/%i
                AssertPathExists=/etc/%p
                [Service]
                ConditionPathExists=/no
                """))
        .containsExactly("ConditionPathExists=/srv/7", "AssertPathExists=/etc/web");
  }

  @Test
  void anEmptyOneResetsThoseOfItsKind() throws Exception {
    assertThat(
            of(
                """
                [Unit]
                ConditionPathExists=/a
                ConditionUser=root
                AssertPathExists=/b
                ConditionPathExists=
                ConditionPathExists=/c
                """))
        .containsExactly("AssertPathExists=/b", "ConditionPathExists=/c");
  }

  /** fleet.service is confined: its answer would be another than systemd's. */
  @Test
  void whatOnlySystemdCanJudgeIsLeftToIt() throws Exception {
    assertThat(
            of(
                "[Unit]\nConditionCapability=CAP_SYS_TIME\nAssertPathIsReadWrite=/etc\nConditionUser=root\n"))
        .containsExactly("ConditionUser=root");
    assertThat(
            of(
                "[Unit]\nConditionPathIsReadWrite=|/etc\nConditionPathExists=|/no\nConditionUser=root\n"))
        .containsExactly("ConditionUser=root");
  }

  @Test
  void whatDoesNotHoldIsNamed() throws Exception {
    String there = "ConditionPathExists=" + directory;
    String missing = "ConditionPathExists=" + directory.resolve("missing");
    var conditions = new Conditions(false);
    assertThat(conditions.unmet(List.of())).isEmpty();
    assertThat(conditions.unmet(List.of(there))).isEmpty();
    assertThat(conditions.unmet(List.of(there, missing))).contains(missing + " is");
    var _ = Files.createFile(directory.resolve("missing"));
    assertThat(conditions.unmet(List.of(there, missing))).isEmpty();
  }

  @Test
  void whereOneOfSeveralIsEnoughSystemdSaysSo() {
    assertThat(
            new Conditions(false)
                .unmet(
                    List.of(
                        "ConditionPathExists=|" + directory.resolve("missing"),
                        "ConditionPathExists=|" + directory)))
        .isEmpty();
    assertThat(
            new Conditions(false)
                .unmet(
                    List.of(
                        "ConditionPathExists=|" + directory.resolve("a"),
                        "ConditionPathExists=|" + directory.resolve("b"))))
        .hasValueSatisfying(text -> assertThat(text).contains("/a", " and ", "/b", " are"));
  }

  @Test
  void whatSystemdDoesNotKnowIsLeftToTheStart() {
    assertThat(new Conditions(false).unmet(List.of("ConditionWeather=fine"))).isEmpty();
  }
}
