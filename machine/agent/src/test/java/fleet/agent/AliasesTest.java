package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.schedule.ScheduleEntry;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Units with other names beside their own, above a real systemd. */
class AliasesTest extends AgentOnSystemd {

  private static final UnitName ALIAS = UnitName.of("site.service");
  private static final String USER = "[Unit]\nRequires=site.service\n" + SLEEP;

  private static ScheduleEntry named(String unit, String alias, String id) {
    return launched(unit, SLEEP + "[Install]\nAlias=" + alias + "\n", id, 1);
  }

  @Test
  void anAliasIsTheSameUnitAndGoesWithIt() throws Exception {
    ScheduleEntry web = named("web.service", "site.service", "i1");
    ScheduleEntry user = launched("user.service", USER);
    engine.schedule(List.of(web, user));
    engine.awaitState(web.unit(), AgentOnSystemd::isRunning);
    engine.awaitState(user.unit(), AgentOnSystemd::isRunning);

    assertThat(shown(ALIAS, "Id")).isEqualTo("web.service");
    assertThat(shown(ALIAS, "MainPID")).isEqualTo(shown(web, "MainPID"));

    forget(user);
    forget(web);
    assertThat(shown(ALIAS, "LoadState")).isEqualTo("not-found");
    assertThat(shown(ALIAS, "ActiveState")).isEqualTo("inactive");
    assertThat(MANAGER.runtimeDirectory().resolve("systemd/user")).isEmptyDirectory();
  }

  @Test
  void anInstanceHasTheAliasOfItsTemplate() throws Exception {
    ScheduleEntry web = named("web@1.service", "site@.service", "i1");
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), AgentOnSystemd::isRunning);

    assertThat(shown(UnitName.of("site@1.service"), "Id")).isEqualTo("web@1.service");
    assertThat(shown(UnitName.of("site@2.service"), "LoadState")).isEqualTo("not-found");
    forget(web);
  }

  @Test
  void anotherContentHasItsOwnAliasesOnly() throws Exception {
    ScheduleEntry first = named("web.service", "site.service", "i1");
    engine.schedule(List.of(first));
    engine.awaitState(first.unit(), AgentOnSystemd::isRunning);

    ScheduleEntry second = named("web.service", "page.service", "i2");
    engine.change(second);
    engine.awaitState(
        second.unit(),
        state -> state.incarnation().equals(second.incarnation()) && isRunning(state));

    assertThat(shown(ALIAS, "LoadState")).isEqualTo("not-found");
    assertThat(shown(UnitName.of("page.service"), "Id")).isEqualTo("web.service");
    forget(second);
  }

  @Test
  void aUnitThatFailedWithoutAnAliasIsStartedWhenTheUnitComes() throws Exception {
    ScheduleEntry user = launched("user.service", USER);
    engine.schedule(List.of(user));
    engine.awaitState(user.unit(), state -> state.problem().contains("site.service not found"));

    ScheduleEntry web = named("web.service", "site.service", "i1");
    engine.change(web);

    engine.awaitState(user.unit(), AgentOnSystemd::isRunning);
    forget(user);
    forget(web);
  }

  @Test
  void anAliasThatAnotherUnitHasIsRefusedAndSaidSo() throws Exception {
    ScheduleEntry first = named("web.service", "site.service", "i1");
    engine.schedule(List.of(first));
    engine.awaitState(first.unit(), AgentOnSystemd::isRunning);

    ScheduleEntry second = named("other.service", "site.service", "i1");
    engine.change(second);

    engine.awaitState(
        second.unit(),
        state -> state.problem().contains("site.service is there already, as a name of web"));
    assertThat(shown(ALIAS, "Id")).isEqualTo("web.service");
    forget(second);
    assertThat(shown(ALIAS, "Id")).isEqualTo("web.service");
    forget(first);
  }

  @Test
  void aLinkThatAnAdministratorMadeToAUnitOfFleetsStays() throws Exception {
    ScheduleEntry web = launched("web.service", SLEEP);
    engine.schedule(List.of(web));
    engine.awaitState(web.unit(), AgentOnSystemd::isRunning);
    var link = MANAGER.foreignUnitFiles().resolve("admins.service");
    Files.createSymbolicLink(link, MANAGER.runtimeDirectory().resolve("systemd/user/web.service"));

    forget(web);

    assertThat(link).isSymbolicLink();
    Files.delete(link);
  }

  @Test
  void anAliasThatIsSomebodyElsesNameIsRefusedToo() throws Exception {
    Path foreign = MANAGER.runtimeDirectory().resolve("systemd/user/theirs.service");
    Files.createDirectories(foreign.getParent());
    Files.writeString(foreign, SLEEP);
    ScheduleEntry web =
        launched("alias.service", SLEEP + "[Install]\nAlias=theirs.service\n", "i1", 1);
    engine.schedule(List.of(web));
    assertThat(engine.awaitReport(web.unit(), AgentReport.Refused.class).why())
        .contains(foreign.toString(), "Alias=");
    assertThat(Files.isSymbolicLink(foreign)).isFalse();
    Files.delete(foreign);
    engine.change(launched("alias.service", SLEEP + "[Install]\nAlias=theirs.service\n", "i1", 2));
    engine.awaitState(web.unit(), AgentOnSystemd::isRunning);
    assertThat(foreign).isSymbolicLink();
    forget(web);
    assertThat(foreign).doesNotExist();
  }
}
