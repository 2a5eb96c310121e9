package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Instances follow the file of their template, unless they have one of their own. */
final class ApplyInstancesTest extends ApplyFixture {

  @Test
  void theRolloutOfATemplateLeavesInstancesWithFilesOfTheirOwnAlone() throws Exception {
    daemon.add("web@.service", OLD, "inactive");
    for (String instance : List.of("1", "2", "4", "5")) {
      daemon.add("web@" + instance + ".service", OLD, "launched");
    }
    write("web@.service", NEW);
    write("web@2.service", OLD);
    write("web@3.service", OWN);
    write("web@4.service", OWN);
    write("web@5.service", NEW);
    Ran ran = apply("--yes");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(stored("web@.service")).isEqualTo(NEW);
    assertThat(stored("web@1.service")).isEqualTo(NEW);
    assertThat(stored("web@2.service")).isEqualTo(OLD);
    assertThat(stored("web@3.service")).isEqualTo(OWN);
    assertThat(stored("web@4.service")).isEqualTo(OWN);
    assertThat(stored("web@5.service")).isEqualTo(NEW);
    // The new one is safe from a fleetd that knows no exceptions.
    assertThat(changes())
        .containsExactly(
            "PUT rollouts/web@.service", "PUT units/web@3.service", "PUT units/web@4.service");
    expectNothingToDo();
  }

  /** As after {@code start web@1}, which stores the instance alone, or a rollout that was ended. */
  @ParameterizedTest
  @ValueSource(strings = {"none", OLD, NEW})
  void instancesGetTheContentOfTheirTemplatesFile(String template) throws Exception {
    if (!template.equals("none")) {
      daemon.add("web@.service", template, "inactive");
    }
    daemon.add("web@1.service", OLD, "launched");
    daemon.add("web@2.service", NEW, "launched");
    daemon.add("web@3.service", OLD, "loaded");
    daemon.add("other@1.service", OLD, "launched");
    write("web@.service", NEW);
    Ran ran = apply("--yes");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .contains("web@1.service  new content, by the rollout of its template\n")
        .contains("web@3.service  new content, by the rollout of its template\n")
        .doesNotContain("web@2.service  ");
    assertThat(stored("web@.service")).isEqualTo(NEW);
    assertThat(stored("web@1.service")).isEqualTo(NEW);
    assertThat(stored("web@3.service")).isEqualTo(NEW);
    assertThat(desired("web@3.service")).isEqualTo("loaded");
    assertThat(stored("other@1.service")).isEqualTo(OLD);
    assertThat(daemon.rolledOut()).containsExactly("web@.service");
    expectNothingToDo();
  }

  /** Each is a global unit of its own, and changes one machine after the other. */
  @ParameterizedTest
  @ValueSource(strings = {OLD, NEW})
  void instancesOfAGlobalTemplateFollowByRolloutsOfTheirOwn(String template) throws Exception {
    String global = "\n[X-Fleet]\nGlobal=true\n";
    daemon.add("log@.service", template + global, "inactive");
    daemon.add("log@1.service", OLD + global, "launched");
    daemon.add("log@2.service", OLD + global, "loaded");
    daemon.add("log@3.service", NEW + global, "launched");
    write("log@.service", NEW + global);
    Ran ran = apply("--yes");
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .contains("log@1.service  new content, by a rollout\n")
        .contains("log@2.service  new content\n")
        .doesNotContain("log@3.service  ");
    assertThat(stored("log@.service")).isEqualTo(NEW + global);
    assertThat(stored("log@1.service")).isEqualTo(NEW + global);
    assertThat(stored("log@2.service")).isEqualTo(NEW + global);
    assertThat(desired("log@2.service")).isEqualTo("loaded");
    assertThat(daemon.rolledOut()).containsExactly("log@1.service");
    expectNothingToDo();
  }

  /** The plan does not show it, and it would restart. */
  @Test
  void anInstanceThatDiffersInItsStateLineAloneStaysAsItIs() throws Exception {
    String stated = NEW + "\n[X-Fleet]\nState=loaded\n";
    daemon.add("web@.service", OLD, "inactive");
    daemon.add("web@1.service", stated, "launched");
    daemon.add("web@2.service", OLD, "launched");
    write("web@.service", NEW);
    Ran ran = apply("--yes");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("web@2.service").doesNotContain("web@1.service");
    assertThat(stored("web@1.service")).isEqualTo(stated);
    assertThat(stored("web@2.service")).isEqualTo(NEW);
    expectNothingToDo();
  }

  /** It would wait for a unit that comes later. */
  @Test
  void whatNeedsALateInstanceComesWithIt() throws Exception {
    daemon.add("web@.service", OLD, "inactive");
    write("web@.service", NEW);
    write("web@3.service", OWN);
    write("side.service", NEW + "\n[X-Fleet]\nMachineOf=web@3.service\n");
    write("top.service", "[Unit]\nRequires=side.service\n\n" + NEW);
    write("else.service", NEW);
    assertThat(apply("--yes").code()).isZero();
    assertThat(changes())
        .containsExactly("PUT units/else.service", "PUT rollouts/web@.service", "PUT units");
  }

  @Test
  void instancesOfAnUnchangedTemplateAreReplacedOneAfterTheOther() throws Exception {
    for (String instance : List.of("1", "2")) {
      daemon.add("web@" + instance + ".service", OLD, "launched");
      write("web@" + instance + ".service", NEW);
    }
    assertThat(apply("--yes").code()).isZero();
    assertThat(changes()).containsExactly("PUT units/web@1.service", "PUT units/web@2.service");
    assertThat(stored("web@2.service")).isEqualTo(NEW);
    assertThat(daemon.rolledOut()).isEmpty();
  }
}
