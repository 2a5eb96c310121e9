package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The plan of an apply is shown, and nothing changes unless somebody agrees. */
final class ApplyPlanShownTest extends ApplyFixture {

  @Test
  void aDryRunChangesNothingAndSaysWhetherItWould() throws Exception {
    write("web.service", NEW);
    assertThat(apply("--dry-run").code()).isEqualTo(3);
    assertThat(changes()).isEmpty();
    daemon.add("web.service", NEW, "launched");
    assertThat(apply("--dry-run")).isEqualTo(new Ran(0, "1 unit: 1 the same\n", ""));
    assertThat(apply()).isEqualTo(new Ran(0, "1 unit: 1 the same\n", ""));
  }

  @Test
  void nothingChangesUnlessSomebodyAgrees() throws Exception {
    write("web.service", NEW);
    assertThat(apply().err())
        .isEqualTo("Error: this would change 1 unit: add --yes if that is meant\n");
    Ran no = terminal().typing("n\n").run("apply", "shop/");
    assertThat(no.code()).isEqualTo(1);
    assertThat(no.err()).isEqualTo("Change 1 unit? [y/N] Nothing was changed.\n");
    assertThat(changes()).isEmpty();
    assertThat(terminal().typing("y\n").run("apply", "shop/").code()).isZero();
    assertThat(desired("web.service")).isEqualTo("launched");
  }

  @Test
  void nothingIsHiddenInWhatIsShown() throws Exception {
    daemon.add("web.service", OLD, "launched");
    write("web.service", "[Service]\nExecStart=/bin/evil #\033[2K\u202e\u200b\n");
    Ran ran = terminal().typing("n\n").run("apply", "shop/");
    assertThat(ran.out())
        .contains("+ExecStart=/bin/evil #\\x1b[2K\\u202e\\u200b\n")
        .doesNotContain("\033", "\u202e");
  }

  @Test
  void aLongListHasAnEnd() throws Exception {
    for (int i : IntStream.rangeClosed(1, 400).toArray()) {
      write("u%03d.service".formatted(i), "[Service]\nExecStart=/bin/sleep %d\n".formatted(i));
    }
    assertThat(apply().out().lines().count()).isLessThan(1200);
    assertThat(apply().out())
        .contains("\n1000 more lines: --dry-run shows them all\n")
        .contains("\n300 more units: --dry-run shows them all\n400 units: 400 new\n");
    assertThat(apply("--dry-run").out()).contains("u400.service  new", "shop/u400.service\n");
  }

  @Test
  void whatIsChangedMeanwhileIsShownFirst() throws Exception {
    daemon.add("web.service", OLD, "launched");
    write("web.service", NEW);
    Terminal terminal = terminal().typing("y\n");
    terminal.beforeAnswer(() -> {
      try {
        daemon.add("web.service", OWN, "launched");
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    });
    Ran ran = terminal.run("apply", "shop/");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("somebody has changed one of the units meanwhile");
    assertThat(stored("web.service")).isEqualTo(OWN);
  }
}
