package fleet.coordination.rpc;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.machine.Machine;
import fleet.core.state.AgentReport;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.rpc.message.MalformedMessageException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MemberTest {

  private static final int MOST = 50_000;

  private final Member member =
      new Member(
          new Machine("evil01", "boot", "", Map.of(), "test"), "s", Duration.ofSeconds(6), 0);

  @Test
  void aMachineReportsNoMoreUnitsThanAnyHas() throws Exception {
    member.note(refusals(0, MOST));
    member.note(refusals(0, MOST));

    assertThatThrownBy(() -> member.note(refusals(MOST, MOST + 1)))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage("it reports more than 50000 units");
  }

  @Test
  void thoseThatAreGoneDoNotCount() throws Exception {
    member.note(refusals(0, MOST));
    member.note(List.of(new AgentReport.Freed(unit(7))));

    assertThatCode(() -> member.note(refusals(MOST, MOST + 1))).doesNotThrowAnyException();
  }

  private static List<AgentReport> refusals(int from, int to) {
    return IntStream.range(from, to)
        .<AgentReport>mapToObj(
            i -> new AgentReport.Refused(unit(i), new Incarnation("i"), 1, "why"))
        .toList();
  }

  private static UnitName unit(int number) {
    return UnitName.of("flood-" + number + ".service");
  }
}
