package fleet.bench.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class MeasurementsTest {

  @Test
  void aTimingIsReadFromWhatBashWrote() {
    CommandTiming timing =
        CommandTiming.parse(
            """
            1700000000.000001 1700000001.250001
            0m0.002s 0m0.001s
            1m0.250s 0m0.500s
            """);
    assertThat(timing.seconds()).isEqualTo(1.25);
    assertThat(timing.cpuSeconds()).isEqualTo(60.75);
    assertThat(timing.millis()).isEqualTo(1250);
    assertThat(timing.lines()).isEmpty();
  }

  @Test
  void linesHaveTheMomentInWhichTheyCame() {
    CommandTiming timing =
        CommandTiming.parse(
            """
            1700000000.100000 Unit a.service inactive
            1700000000.200000 Unit a.service launched on 1234/10.0.0.1
            1700000000.000000 1700000000.300000
            0m0.002s 0m0.001s
            0m0.100s 0m0.020s
            """);
    CommandTiming.Line place = timing.first(line -> line.contains(" on ")).orElseThrow();
    assertThat(timing.secondsTo(place.micros())).isEqualTo(0.2);
    assertThat(timing.first(line -> line.contains("failed"))).isEmpty();
  }

  @Test
  void outputWithoutTimesIsAnError() {
    assertThatThrownBy(() -> CommandTiming.parse("")).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> CommandTiming.parse("oops")).isInstanceOf(AssertionError.class);
  }

  @Test
  void startsAreReadFromWhatSystemdShows() {
    StartTimes times =
        StartTimes.parse(
            """
            InactiveExitTimestamp=Fri 2026-11-20 18:00:00.500000 UTC
            ActiveEnterTimestamp=Fri 2026-11-20 18:00:00.600000 UTC

            InactiveExitTimestamp=Fri 2026-11-20 18:00:00.250000 UTC
            ActiveEnterTimestamp=Fri 2026-11-20 18:00:02.000000 UTC
            """);
    assertThat(times.seconds()).isEqualTo(1.75);
    assertThat(times.firstMicros()).isEqualTo(1_795_197_600_250_000L);
  }

  @Test
  void unitsWithoutAStartAreAnError() {
    assertThatThrownBy(() -> StartTimes.parse("")).isInstanceOf(AssertionError.class);
  }

  @Test
  void aProcessIsReadFromWhatTheKernelShows() {
    String stat = "42 (java (x) y) S 1 42 42 0 -1 4194560 1 0 0 0 150 25 7 8 20 0 31 0 9 1 1";
    String status =
        """
        Name:	java
        VmRSS:	  100000 kB
        RssAnon:	   50000 kB
        RssFile:	   50000 kB
        Threads:	31
        """;
    ProcessUsage usage = ProcessUsage.parse(stat, status);
    assertThat(usage.cpuSeconds()).isEqualTo(1.75);
    assertThat(usage.rssAnonMegabytes()).isCloseTo(51.2, within(1e-9));
    assertThat(usage.rssMegabytes()).isCloseTo(102.4, within(1e-9));
    assertThat(usage.threads()).isEqualTo(31);
  }

  @Test
  void aSetOfUnitsDiffersInNamesAlone() {
    UnitSet set = new UnitSet("web", 2, "/root/web");
    assertThat(set.units()).isEqualTo(List.of("web-001.service", "web-002.service"));
    assertThat(set.commandOnFiles("fleetctl", "start"))
        .containsExactly(
            "fleetctl", "start", "/root/web/web-001.service", "/root/web/web-002.service");
  }
}
