package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.unit.UnitName;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Slices hold units that are not fleet's, and those are not fleet's to stop. */
class SlicesTest extends AgentOnSystemd {

  private static final UnitName ADMINS = UnitName.of("admins.service");

  private ScheduleEntry startSlice(String limit) throws Exception {
    ScheduleEntry slice = launched("tenant.slice", "[Slice]\nTasksMax=" + limit + "\n");
    engine.schedule(List.of(slice));
    engine.awaitState(slice.unit(), AgentOnSystemd::isRunning);
    return slice;
  }

  private static String startAdmins() {
    MANAGER.link(MANAGER.write(ADMINS.value(), SLEEP + "Slice=tenant.slice\n"));
    systemctl("start", ADMINS.value());
    return shown(ADMINS, "InvocationID");
  }

  private static void endAdmins() {
    systemctl("stop", ADMINS.value());
    MANAGER.unlink(ADMINS.value());
    systemctl("daemon-reload");
  }

  private static void assertRunsAs(String invocation) {
    assertThat(shown(ADMINS, "ActiveState")).isEqualTo("active");
    assertThat(shown(ADMINS, "InvocationID")).isEqualTo(invocation);
  }

  @Test
  void removingASliceLeavesWhatRunsInIt() throws Exception {
    ScheduleEntry slice = startSlice("50");
    String invocation = startAdmins();

    engine.change(slice.withTarget(TargetState.STOPPING));
    engine.awaitGone(slice.unit());

    assertRunsAs(invocation);
    assertThat(shown(slice, "FragmentPath")).isEmpty();
    endAdmins();
  }

  @Test
  void replacingOneChangesItsLimitsAndStopsNothing() throws Exception {
    ScheduleEntry slice = startSlice("50");
    String invocation = startAdmins();

    ScheduleEntry replaced = launched("tenant.slice", "[Slice]\nTasksMax=70\n", "i2", 1);
    engine.change(replaced);
    engine.awaitState(
        slice.unit(),
        state -> isRunning(state) && state.incarnation().equals(replaced.incarnation()));

    assertRunsAs(invocation);
    assertThat(shown(replaced, "TasksMax")).isEqualTo("70");
    endAdmins();
    forget(replaced);
  }

  @Test
  void restartingOneStopsNothing() throws Exception {
    ScheduleEntry slice = startSlice("50");
    String invocation = startAdmins();

    engine.change(launched("tenant.slice", "[Slice]\nTasksMax=50\n", "i1", 2));
    engine.awaitState(slice.unit(), state -> isRunning(state) && state.restartCounter() == 2);

    assertRunsAs(invocation);
    endAdmins();
    forget(slice);
  }

  @Test
  void oneStopsOnceItIsEmpty() throws Exception {
    ScheduleEntry slice = startSlice("50");
    String invocation = startAdmins();

    engine.change(slice.withTarget(TargetState.LOADED));
    engine.awaitState(slice.unit(), state -> state.problem().contains(ADMINS.value()));
    assertRunsAs(invocation);
    endAdmins();
    time.skip(BackgroundWork.RETRY);

    engine.awaitState(slice.unit(), state -> state.systemd().active().equals("inactive"));
    forget(slice);
  }

  @Test
  void releasingTheMachineLeavesThemToo() throws Exception {
    startSlice("50");
    String invocation = startAdmins();

    agent.release((_, _) -> {});

    assertThat(agent.states().performed()).isEmpty();
    assertRunsAs(invocation);
    endAdmins();
  }
}
