package fleet.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each promise is broken once, in a made-up history in seconds. */
class JudgeTest {

  private static final String WEB = "svc@1.service";
  private static final String JOB = "job@1.service";

  private final History history = new History();
  private final List<UnitRun> runs = new ArrayList<>();

  private static Span seconds(double from, double to) {
    return new Span((long) (from * 1e6), (long) (to * 1e6));
  }

  private void asked(String verb, String unit, double from, double to) {
    history.add(new Request(verb, unit, seconds(from, to), true, ""));
  }

  private void askedInVain(String verb, String unit, double from, double to) {
    history.add(new Request(verb, unit, seconds(from, to), false, "no answer"));
  }

  private void lost(String machine, double from, double to) {
    history.add(new Disturbance("the power is off", machine, seconds(from, to), true));
  }

  private void ran(String unit, String machine, double from, double to) {
    Span span = seconds(from, to);
    runs.add(new UnitRun(unit, machine, span.fromMicros(), span.toMicros(), end(span)));
  }

  private static UnitRun.End end(Span span) {
    return span.fromMicros() == span.toMicros() ? UnitRun.End.UNKNOWN : UnitRun.End.STOPPED;
  }

  private void runs(String unit, String machine, double from) {
    Span span = seconds(from, from);
    runs.add(new UnitRun(unit, machine, span.fromMicros(), 0, UnitRun.End.NONE));
  }

  private void assertTold(String... texts) {
    List<Breach> violations = new HistoryChecker(history, runs, true).violations();
    assertThat(violations).extracting(Breach::text).hasSize(texts.length);
    for (int i = 0; i < texts.length; i++) {
      assertThat(violations.get(i).text()).contains(texts[i]);
    }
  }

  @Test
  void allIsWell() {
    asked("start", WEB, 1, 3);
    asked("restart", WEB, 4, 6);
    asked("start", WEB, 7, 8);
    asked("stop", WEB, 10, 11);
    askedInVain("start", WEB, 12, 13);
    asked("start", WEB, 14, 15);
    ran(WEB, "a", 2, 4.5);
    ran(WEB, "a", 5, 10.5);
    runs(WEB, "b", 13.5);
    asked("start", JOB, 1, 3);
    ran(JOB, "a", 2, 2);
    assertTold();
  }

  @Test
  void aUnitThatMovesFromALostMachineIsWell() {
    asked("start", WEB, 1, 3);
    lost("a", 10, 20);
    ran(WEB, "a", 2, 2);
    runs(WEB, "b", 25);
    assertTold();
  }

  @Test
  void aUnitOnTwoMachinesIsTold() {
    asked("start", WEB, 1, 3);
    lost("a", 10, 20);
    ran(WEB, "a", 2, 26);
    runs(WEB, "b", 25);
    assertTold("ran on a and b at once, 1000 ms");
    assertThat(new HistoryChecker(history, runs, false).violations()).isEmpty();
  }

  @Test
  void aRestartThatWasNotMadeIsTold() {
    asked("start", WEB, 1, 3);
    asked("restart", WEB, 4, 6);
    runs(WEB, "a", 2);
    assertTold("\"restart svc@1.service\" was acknowledged, and the unit was started 0 times");
  }

  @Test
  void aRestartThatWasMadeTwiceIsTold() {
    asked("start", WEB, 1, 3);
    asked("restart", WEB, 4, 6);
    ran(WEB, "a", 2, 4.2);
    ran(WEB, "a", 4.3, 4.5);
    runs(WEB, "a", 4.6);
    assertTold("was started 2 times");
  }

  @Test
  void aJobThatDidNotRunIsTold() {
    asked("start", JOB, 1, 3);
    asked("start", JOB, 5, 7);
    ran(JOB, "a", 2, 2);
    assertTold("\"start job@1.service\" was acknowledged, and the unit was started 0 times");
  }

  /** etcd had no leader for longer than the machine may go without an answer. */
  @Test
  void aUnitThatItsMachineStoppedAndStartedAgainIsWellThereAlone() {
    asked("start", WEB, 1, 3);
    history.add(
        new Disturbance("a member of etcd stands still", Disturbance.ETCD, seconds(8, 14), false));
    ran(WEB, "a", 2, 12);
    ran(WEB, "a", 13, 14);
    runs(WEB, "b", 15);
    assertTold("started on b, though nobody had asked");
  }

  @Test
  void aJobThatRanTwiceIsTold() {
    asked("start", JOB, 1, 3);
    ran(JOB, "a", 2, 2);
    ran(JOB, "b", 9, 9);
    assertTold("started on b, though nobody had asked");
  }

  @Test
  void aUnitThatComesBackAfterAStopIsTold() {
    asked("start", WEB, 1, 3);
    asked("stop", WEB, 4, 5);
    lost("a", 3, 4);
    ran(WEB, "a", 2, 4);
    ran(WEB, "b", 9, 10);
    assertTold("started on b after \"stop svc@1.service\"");
  }

  @Test
  void aUnitThatOutlivesItsStopIsTold() {
    asked("start", WEB, 1, 3);
    asked("destroy", WEB, 4, 5);
    ran(WEB, "a", 2, 9);
    assertTold("still ran on a when \"destroy svc@1.service\" was acknowledged");
  }

  @Test
  void aUnitThatIsGoneAtTheEndIsTold() {
    asked("start", WEB, 1, 3);
    lost("a", 5, 6);
    ran(WEB, "a", 2, 5);
    assertTold("runs on [] at the end");
    assertThat(new HistoryChecker(history, runs, true).isSettled()).isFalse();
  }
}
