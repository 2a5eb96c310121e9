package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import fleet.fleetctl.output.LocalTimes;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The commands history and diff, and the way back. */
final class HistoryCommandTest extends ServedCommandTest {

  private static final String NEWEST = revision(7, "rollout", ",\"current\":true");
  private static final String OLDER = revision(4, "submit", "");
  private static final String FIRST = revision(2, "", "");

  private final List<String> rollouts = new CopyOnWriteArrayList<>();
  private String list = NEWEST + "," + OLDER + "," + FIRST;
  private String command = "/bin/echo new";
  private String missing = "unit does not exist";

  private static String revision(int number, String cause, String more) {
    return ("{\"revision\":%d,\"hash\":\"%d23456789abc\",\"created\":\"2026-01-0%dT00:00:00Z\","
            + "\"by\":\"user a\",\"cause\":\"%s\"%s}")
        .formatted(number, number, number, cause, more);
  }

  private static String text(String revision, String command) {
    String options =
        "{\"section\":\"Service\",\"name\":\"ExecStart\",\"value\":\"%s\"}".formatted(command);
    return revision.substring(0, revision.length() - 1) + ",\"options\":[" + options + "]}";
  }

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    String path = request.target().replaceFirst("[?&]stale=1", "");
    if (request.method().equals("PUT")) {
      rollouts.add(path.substring("/fleet/v1/".length()) + " " + request.body());
      return FakeHttpServer.reply(out, 201, "");
    }
    if (request.method().equals("POST")
        || !path.matches(".*/web(@1)?[.]service/history.*")
        || missing.isEmpty()) {
      return FakeHttpServer.reply(
          out, 404, "{\"error\":{\"code\":404,\"message\":\"" + missing + "\"}}");
    }
    String found =
        switch (path.substring(path.indexOf("history"))) {
          case "history" -> list;
          case "history?revision=7" -> text(NEWEST, command);
          case "history?revision=4" -> text(OLDER, "/bin/echo old");
          default -> FIRST;
        };
    return FakeHttpServer.reply(out, 200, "{\"revisions\":[" + found + "]}");
  }

  @Test
  void theContentsAreListedNewestFirst() {
    Ran ran = run("history", "web", "--fields=revision,hash,by,cause");
    assertThat(ran.out())
        .isEqualTo(
            """
            REVISION\tHASH\tBY\tCAUSE
            7\t\t7234567\tuser a\trollout
            4\t\t4234567\tuser a\tsubmit
            2\t\t2234567\tuser a\t-
            """);
    assertThat(ran.code()).isZero();
    assertThat(run("history", "web", "--no-legend").out()).contains("7\t7234567\t");
    assertThat(run("history", "-o", "name", "web").out()).isEqualTo("7\n4\n2\n");
    assertThat(run("history", "-o", "json", "web").out())
        .contains("\"revision\":7", "\"current\":true");
  }

  @Test
  void theContentNowIsComparedWithTheOneBefore() {
    assertThat(run("diff", "web"))
        .isEqualTo(
            new Ran(
                0,
                """
                --- web.service\trevision 4, %s, user a
                +++ web.service\trevision 7, %s, user a
                @@ -1,2 +1,2 @@
                 [Service]
                -ExecStart=/bin/echo old
                +ExecStart=/bin/echo new
                """
                    .formatted(
                        LocalTimes.of("2026-01-04T00:00:00Z"),
                        LocalTimes.of("2026-01-07T00:00:00Z")),
                ""));
    assertThat(run("diff", "web", "4")).isEqualTo(run("diff", "web"));
    assertThat(run("diff", "web", "7")).isEqualTo(new Ran(0, "", ""));
  }

  @Test
  void controlCharactersAreMadeVisibleOnATerminal() {
    command = "/bin/echo \\u001b[31mred";
    assertThat(run("diff", "web").out()).contains("+ExecStart=/bin/echo \u001b[31mred\n");
    assertThat(terminal().forPeople().run("diff", "web").out())
        .contains("+ExecStart=/bin/echo \\x1b[31mred\n");
  }

  @Test
  void aUnitWithOneContentHasNothingToCompare() {
    list = NEWEST;
    assertThat(run("diff", "web"))
        .isEqualTo(
            new Ran(0, "", "web.service has had one content only: there is nothing to compare.\n"));
  }

  @Test
  void whatIsNotThereIsSaid() {
    assertThat(run("diff", "web", "5"))
        .isEqualTo(
            new Ran(
                1,
                "",
                "Error: web.service has no revision \"5\": it has 2, 4, 7; see"
                    + " \"fleetctl history web.service\"\n"));
    assertThat(run("diff", "web", "2").err())
        .isEqualTo(
            "Error: the text of revision 2 of web.service is not in the registry any more\n");
    assertThat(run("history", "no"))
        .isEqualTo(new Ran(1, "", "Error: unit no.service does not exist\n"));
    assertThat(run("history", "no@").err())
        .isEqualTo(
            "Error: unit no@.service does not exist: name one of its instances, if the template"
                + " itself is not in the cluster\n");
    assertThat(run("history").code()).isEqualTo(2);
    assertThat(run("history", "web", "db").code()).isEqualTo(2);
    assertThat(run("diff").code()).isEqualTo(2);
    assertThat(run("diff", "web", "1", "2").code()).isEqualTo(2);
  }

  // ---- other versions

  @Test
  void anOlderFleetdKeepsNoContentsAndThatIsSaid() {
    missing = "";
    for (String line : List.of("history web", "diff web", "rollout undo web --to=4 --no-block")) {
      Ran ran = run(line.split(" ", -1));
      assertThat(ran.code()).as(line).isEqualTo(1);
      assertThat(ran.err()).contains("is too old to keep the contents of units: upgrade it");
    }
    assertThat(rollouts).isEmpty();
  }

  @Test
  void whatANewerFleetdTellsBesidesIsPassedOver() {
    list = revision(7, "healing", ",\"newer\":{\"a\":[1]}") + "],\"more\":[" + OLDER;
    assertThat(run("history", "web", "--fields=revision,cause").out())
        .isEqualTo("REVISION\tCAUSE\n7\t\thealing\n");
  }

  // ---- the way back

  @Test
  void aFormerContentIsRolledOut() {
    assertThat(run("rollout", "undo", "web", "--to=4", "--no-block", "--canary=1"))
        .isEqualTo(new Ran(0, "Rollout of web.service has begun.\n", ""));
    assertThat(rollouts).hasSize(1);
    assertThat(rollouts.getFirst())
        .startsWith("rollouts/web.service ")
        .contains("/bin/echo old", "\"canaries\":1");
  }

  @Test
  void theContentOfAnInstanceGoesToAllOfItsTemplate() {
    assertThat(run("rollout", "undo", "--to=4", "--no-block", "web@1").out())
        .isEqualTo("Rollout of web@.service has begun.\n");
    assertThat(rollouts.getFirst()).startsWith("rollouts/web@.service ");
  }

  @Test
  void theWayBackIsNamedIfNoRolloutIsUnderWay() {
    assertThat(run("rollout", "undo", "web"))
        .isEqualTo(
            new Ran(
                1,
                "",
                "Error: no rollout of web.service is under way: go back to a former content with"
                    + " --to, see \"fleetctl history web.service\"\n"));
    assertThat(run("rollout", "undo", "web", "--to=9").err())
        .startsWith("Error: web.service has no revision \"9\"");
    Ran wrong = run("rollout", "web", "--to=4");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err())
        .startsWith("Error: --to is for undo: fleetctl rollout undo --to=REV UNIT\n");
    assertThat(rollouts).isEmpty();
  }
}
