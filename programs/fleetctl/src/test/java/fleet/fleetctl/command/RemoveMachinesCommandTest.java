package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import fleet.fleetctl.output.LocalTimes;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RemoveMachinesCommandTest extends ServedCommandTest {

  private static final String MACHINE = "113f16a7b2c34d5e";

  private String states = "";
  private final List<String> posted = Collections.synchronizedList(new ArrayList<>());

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    if (request.method().equals("GET") && request.path().endsWith("/machines")) {
      return FakeHttpServer.reply(out, 200, "{\"machines\":[{\"id\":\"" + MACHINE + "\"}]}");
    }
    if (request.path().endsWith("/rescheduling")) {
      return FakeHttpServer.reply(out, 200, "{}");
    }
    if (request.path().contains("/state")) {
      return FakeHttpServer.reply(out, 200, "{\"states\":[" + states + "]}");
    }
    posted.add(request.method() + " " + request.path() + request.body());
    if (request.method().equals("PATCH")) {
      return FakeHttpServer.reply(out, 204, "");
    }
    if (!request.path().contains(MACHINE)) {
      return FakeHttpServer.reply(
          out, 404, "{\"error\":{\"code\":404,\"message\":\"no machine has the id nosuch\"}}");
    }
    return request.path().endsWith("/readmit")
        ? FakeHttpServer.reply(out, 200, "{\"until\":\"2026-03-02T10:00:00Z\"}")
        : FakeHttpServer.reply(out, posted.size() > 1 ? 200 : 204, "");
  }

  @Test
  void aMachineIsNamedByTheBeginningOfItsIdAndTheWayBackIsTold() {
    Ran ran = run("machines", "remove", "113f");

    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .startsWith("Machine 113f16a7... is removed: ")
        .contains("fleetctl machines readmit " + MACHINE)
        .hasLineCount(1);
    assertThat(posted).containsExactly("POST /fleet/v1/machines/" + MACHINE + "/remove");
    assertThat(run("machines", "remove", MACHINE).out())
        .isEqualTo("Machine 113f16a7... is already removed.\n");
  }

  @Test
  void whatRunsOnThereIsNamed() {
    String one = "{'name':'%s','machineID':'" + MACHINE + "','systemdActiveState':'%s'}";
    states =
        String.join(
                ",",
                one.formatted("web.service", "active"),
                one.formatted("db.service", "activating"),
                one.formatted("job.service", "failed"))
            .replace('\'', '"');

    assertThat(run("machines", "remove", MACHINE).out().lines().toList())
        .hasSize(2)
        .last()
        .asString()
        .endsWith("systemctl stop db.service web.service");
    assertThat(run("machines", "remove", MACHINE).out()).hasLineCount(1);
  }

  @Test
  void oneThatNobodyKnowsFails() {
    assertThat(run("machines", "remove", "nosuch"))
        .isEqualTo(
            new Ran(1, "", "Error: no machine is called \"nosuch\": there is 113f16a7...\n"));
    assertThat(run("machines", "readmit", "nosuch").code()).isEqualTo(1);
    assertThat(posted).isEmpty();
  }

  @Test
  void oneThatIsForgottenIsNamedByItsWholeId() {
    String id = "0123456789abcdef0123456789abcdef";
    assertThat(run("machines", "remove", id))
        .isEqualTo(
            new Ran(
                1, "", "Error: no machine has the id " + id + "; see: fleetctl list-machines\n"));
    assertThat(posted).containsExactly("POST /fleet/v1/machines/" + id + "/remove");
  }

  @Test
  void labelsAreSetAndRemovedInOneRequest() {
    assertThat(run("machines", "label", "113f", "region=eu", "url=a=b", "old-"))
        .isEqualTo(
            new Ran(0, "Machine 113f16a7... is labelled: old removed, region=eu, url=a=b.\n", ""));
    assertThat(posted)
        .containsExactly(
            "PATCH /fleet/v1/machines[{'op':'remove','path':'/%s/metadata/old'},{'op':'add','path':'/%s/metadata/region','value':{'value':'eu'}},{'op':'add','path':'/%s/metadata/url','value':{'value':'a=b'}}]"
                .replace('\'', '"')
                .replace("%s", MACHINE));
  }

  @Test
  void untilWhenAMachineMayComeBackIsTold() {
    assertThat(run("machines", "readmit", MACHINE).out())
        .contains("may join once, until " + LocalTimes.of("2026-03-02T10:00:00Z"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "machines throw 113f|unknown action \"throw\": expect list, label, remove or readmit",
        "machines remove|expect fleetctl machines remove MACHINE...",
        "machines list all|unexpected argument: all",
        "machines label 113f|expect fleetctl machines label MACHINE... KEY=VALUE... KEY-...",
        "machines label region=eu disk=ssd|expect fleetctl machines label",
        "machines label 113f 113f|expect fleetctl machines label",
        "machines label 113f region=|to remove the key: region-",
        "machines label 113f region=eu region-|region is given twice",
        "machines label 113f re/gion=eu|invalid key",
        "machines label 113f =eu|invalid key",
        "machines label 113f region=eu 2222|machines come first",
      })
  void aWrongCallSaysWhatIsExpected(String command, String text) {
    Ran ran = run(command.split(" ", -1));
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains(text);
    assertThat(posted).isEmpty();
  }
}
