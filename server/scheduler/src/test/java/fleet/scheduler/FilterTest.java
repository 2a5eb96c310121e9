package fleet.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.unit.UnitName;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each rule by itself, on one machine {@code m} that keeps other units or has metadata. */
final class FilterTest {

  private static final String ID = "0123456789abcdef0123456789abcdef";

  private static String verdict(Filter filter, Layouts layouts, String unit, String... lines) {
    MachineInfo machine = layouts.layout().machine("m").orElseThrow();
    return filter.check(Layouts.demand(unit, lines), machine).map(Rejection::text).orElse("");
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          MachineID=0123456789abcdef0123456789abcdef, ''
          MachineID=01234567,  ''
          MachineID=0123456,   is not 0123456
          MachineID=012345678, is not 012345678
          MachineID=89abcdef,  is not 89abcdef
          Unknown=x,           ''
          """)
  void machineIdIsTheFullIdOrItsFirstEightDigits(String line, String rejection) {
    ClusterLayout layout = new Layouts().machine(ID).layout();
    Demand demand = Layouts.demand("web.service", line);

    assertThat(
            new MachineIdFilter()
                .check(demand, layout.machine(ID).orElseThrow())
                .map(Rejection::text)
                .orElse(""))
        .isEqualTo(rejection);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          region=eu,                          ''
          "region=us" "region=eu",            ''
          "region=eu" "disk=ssd",             ''
          region=us,                          lacks region=us
          "region=us" "region=asia",          lacks region=asia|us
          "region=eu" "disk=hdd",             lacks disk=hdd
          "region=us" "zone=a",               lacks region=us and zone=a
          Region=eu,                          lacks Region=eu
          region=EU,                          lacks region=EU
          zone,                               ''
          """)
  void metadataHoldsForEveryKeyWithOneOfItsValues(String value, String rejection) {
    Layouts layouts = new Layouts().machine("m", "region=eu", "disk=ssd");

    assertThat(verdict(new MetadataFilter(), layouts, "web.service", "MachineMetadata=" + value))
        .isEqualTo(rejection);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          db.service,                  ''
          "db.service" "log.service",  ''
          web.service,                 ''
          cache.service,               is without cache.service
          gone.service,                is without gone.service
          "db.service" "x" "y.timer",  is without x and y.timer
          eu.service,                  is without eu.service
          """)
  void everyPeerIsOnTheMachineAndStays(String peers, String rejection) {
    Layouts layouts =
        new Layouts()
            .machine("m", "region=us")
            .machine("n")
            .unit("m", "db.service")
            .unit("m", "gone.service")
            .leaving("gone.service")
            .unit("n", "cache.service")
            .global("log.service")
            .global("eu.service", "MachineMetadata=region=eu");

    assertThat(verdict(new MachineOfFilter(), layouts, "web.service", "MachineOf=" + peers))
        .isEqualTo(rejection);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          web@1.service, Conflicts=web@*.service,    conflicts with web@2.service
          web@2.service, Conflicts=web@*.service,    ''
          api.service,   Unknown=x,                  ''
          db.service,    Unknown=x,                  conflicts with shy.service
          api.service,   Conflicts=x.* log.service,  conflicts with log.service
          noisy.service, Unknown=x,                  conflicts with log.service
          api.service,   Conflicts=eu.service,       ''
          api.service,   Conflicts=gone.service,     conflicts with gone.service
          api.service,   Conflicts=[broken,          ''
          """)
  void conflictsCountBothWaysButNeverWithItself(String unit, String line, String rejection) {
    Layouts layouts =
        new Layouts()
            .machine("m", "region=us")
            .unit("m", "web@2.service")
            .unit("m", "shy.service", "Conflicts=db.service")
            .unit("m", "gone.service")
            .leaving("gone.service")
            .global("log.service", "Conflicts=noisy.service")
            .global("eu.service", "MachineMetadata=region=eu", "Conflicts=*");

    assertThat(verdict(new ConflictsFilter(), layouts, unit, line)).isEqualTo(rejection);
  }

  @Test
  void aUnitThatIsThereDoesNotWaitForWhatIsLeaving() {
    Layouts layouts =
        new Layouts()
            .machine("m")
            .unit("m", "a.service", "Conflicts=b.service")
            .unit("m", "b.service")
            .leaving("b.service");

    assertThat(verdict(new ConflictsFilter(), layouts, "a.service", "Conflicts=b.service"))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          old.service,   Unknown=x,             has its replacement new.service
          new.service,   Replaces=old.service,  ''
          old.service,   Replaces=new.*,        ''
          other.service, Replaces=*,            ''
          past.service,  Unknown=x,             ''
          """)
  void aUnitDoesNotComeToWhereItsReplacementIs(String unit, String line, String rejection) {
    Layouts layouts =
        new Layouts()
            .machine("m")
            .unit("m", "new.service", "Replaces=old.service")
            .unit("m", "gone.service", "Replaces=past.service")
            .leaving("gone.service");

    assertThat(verdict(new ReplacesFilter(), layouts, unit, line)).isEqualTo(rejection);
  }

  @Test
  void aNameThatTheMachineRefusesIsTakenElsewhere() {
    Layouts layouts = new Layouts().machine("m").machine("n");
    UnitName web = UnitName.of("web.service");
    String why = "systemd knows web.service from /etc/systemd/system/web.service";

    layouts.layout().refuse("m", web, why);

    assertThat(verdict(new NameFilter(), layouts, "web.service"))
        .isEqualTo("refuses the name: " + why);
    assertThat(verdict(new NameFilter(), layouts, "api.service")).isEmpty();
    layouts.layout().free("m", web);
    assertThat(verdict(new NameFilter(), layouts, "web.service")).isEmpty();
  }

  @Test
  void refusalsAreVoidWhenTheMachineComesAgain() {
    Layouts layouts = new Layouts().machine("m").unit("m", "db.service");
    layouts.layout().refuse("m", UnitName.of("web.service"), "taken");

    layouts.layout().removeMachine("m");
    layouts.machine("m");

    assertThat(verdict(new NameFilter(), layouts, "web.service")).isEmpty();
    assertThat(List.copyOf(layouts.layout().machines())).hasSize(1);
  }
}
