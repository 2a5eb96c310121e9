package fleet.fleetctl.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TopCommandTest extends ServedCommandTest {

  private static final String FIRST =
      """
      {"machineID":"113f16a7b2c34d5e","nanos":1000000000,"cpuMillis":2000,"cpuNanos":500,\
      "cpuReserved":1500,"memory":8589934592,"memoryUsed":1610612736,"memoryReserved":536870912,\
      "disk":1099511627776,"diskUsed":5368709120,"diskReserved":1073741824,"unitCount":2,"units":[\
      {"name":"web.service","cpuNanos":100,"memoryUsed":1048576,"memoryReserved":536870912},\
      {"name":"batch.service","cpuNanos":100},{"name":"ended.service"}]}
      """;

  /** A second later. */
  private static final String SECOND =
      FIRST
          .replace("\"nanos\":1000000000", "\"nanos\":2000000000")
          .replace("\"cpuNanos\":500,", "\"cpuNanos\":500000500,")
          .replace(
              "\"batch.service\",\"cpuNanos\":100", "\"batch.service\",\"cpuNanos\":1500000100");

  private static final String LOST =
      "{\"machineID\":\"2222aaaab2c34d5e\",\"problem\":\"it is not there\"}\n";

  private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
  private List<String> lines = List.of(FIRST, SECOND);

  /** Whether one of the machines is not registered any more. */
  private volatile boolean gone;

  private final CountDownLatch named = new CountDownLatch(1);

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    asked.add(request.target());
    if (request.path().endsWith("/machines")) {
      String there = "{\"id\":\"113f16a7b2c34d5e\",\"primaryIP\":\"10.0.0.3\"}";
      String goes = gone ? "" : ",{\"id\":\"2222aaaab2c34d5e\",\"primaryIP\":\"10.0.0.4\"}";
      named.countDown();
      return FakeHttpServer.reply(out, 200, "{\"machines\":[" + there + goes + "]}");
    }
    if (lines.isEmpty() || request.path().endsWith("/rescheduling")) {
      return FakeHttpServer.reply(out, 404, "");
    }
    FakeHttpServer.beginChunks(out);
    if (lines.contains(LOST)) {
      // It goes before it is measured.
      awaitNames();
      gone = true;
    }
    for (String line : lines) {
      FakeHttpServer.chunk(out, line);
    }
    out.write("0\r\n\r\n".getBytes(UTF_8));
    return false;
  }

  private static List<List<String>> cells(String table) {
    return table.lines().map(line -> List.of(line.split("\t+"))).toList();
  }

  @Test
  void machinesShowWhatIsUsedReservedAndThere() {
    Ran ran = run("top");

    assertThat(ran.code()).isZero();
    assertThat(cells(ran.out()))
        .containsExactly(
            List.of(
                "MACHINE",
                "UNITS",
                "CPU",
                "RESERVED",
                "TOTAL",
                "MEMORY",
                "RESERVED",
                "TOTAL",
                "DISK",
                "RESERVED",
                "TOTAL"),
            List.of(
                "113f16a7.../10.0.0.3",
                "2",
                "25.0%",
                "1.50",
                "2",
                "1.5G",
                "512M",
                "8.0G",
                "5.0G",
                "1.0G",
                "1.0T"));
    assertThat(asked).first().isEqualTo("/fleet/v1/usage?interval=1000&samples=2");
  }

  @Test
  void unitsComeThoseFirstThatUseMost() {
    Ran ran = run("top", "--units", "--no-legend", "--machine=113f");

    assertThat(cells(ran.out()))
        .containsExactly(
            List.of("batch.service", "113f16a7.../10.0.0.3", "150.0%", "-", "-", "-"),
            List.of("web.service", "113f16a7.../10.0.0.3", "0.0%", "-", "1.0M", "512M"),
            List.of("ended.service", "113f16a7.../10.0.0.3", "-", "-", "-", "-"));
    assertThat(asked)
        .contains("/fleet/v1/usage?interval=1000&samples=2&units=1&machine=113f16a7b2c34d5e");
  }

  @ParameterizedTest
  @CsvSource({
    "cpu, batch.service web.service ended.service",
    "memory, web.service batch.service ended.service",
    "name, batch.service ended.service web.service"
  })
  void theOrderCanBeChosen(String order, String units) {
    String table = run("top", "--units", "--no-legend", "--sort=" + order).out();

    assertThat(cells(table)).extracting(List::getFirst).containsExactly(units.split(" "));
    assertThat(run("top", "--sort=luck").err())
        .contains("expected one of [name, cpu, memory, disk, units]");
  }

  @Test
  void onATerminalWhatIsReservedGivesWayIfLinesAreTooShort() {
    assertThat(terminal().ofSize(24, 80).run("top", "--once").out())
        .isEqualTo(
            """
            MACHINE               UNITS  CPU    MEMORY        DISK
            113f16a7.../10.0.0.3  2      25.0%  1.5G of 8.0G  5.0G of 1.0T
            """);
    assertThat(terminal().ofSize(24, 200).run("top", "--once").out()).contains("RESERVED");
  }

  @Test
  void aMachineThatDoesNotAnswerIsToldAndFails() {
    lines = List.of(FIRST, LOST, SECOND);

    Ran ran = run("top", "--once");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).contains("25.0%").endsWith("2222aaaa.../10.0.0.4: it is not there\n");
  }

  @Test
  void aMachineThatIsCutOffKeepsItsNameAndTheTableItsColumns() {
    lines = List.of(FIRST, LOST, SECOND);

    List<String> table = run("top", "--once").out().lines().toList();

    assertThat(table).hasSize(4);
    assertThat(table.get(2).split("\t+"))
        .containsExactly("2222aaaa.../10.0.0.4", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-");
    assertThat(columns(table.get(2))).isEqualTo(columns(table.getFirst()));
  }

  private void awaitNames() {
    try {
      named.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Where each cell begins. */
  private static List<Integer> columns(String line) {
    List<Integer> columns = new ArrayList<>();
    int column = 0;
    boolean blank = true;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c != '\t' && blank) {
        columns.add(column);
      }
      blank = c == '\t';
      column = blank ? (column / 8 + 1) * 8 : column + 1;
    }
    return columns;
  }

  @Test
  void jsonComesAsTheApiHasIt() {
    assertThat(run("top", "--json")).isEqualTo(new Ran(0, FIRST + SECOND, ""));
  }

  @Test
  void anEarlierDaemonIsTold() {
    lines = List.of();
    Ran ran = run("top");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("too old to tell what machines use");
    assertThat(run("top", "--interval=0").code()).isEqualTo(2);
  }
}
