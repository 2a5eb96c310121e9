package fleet.core.requirements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.unit.UnitFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requirements that are nearly right: refused where they could only be a mistake, else named. */
class DoubtfulRequirementsTest {

  private static UnitFile file(String lines) throws Exception {
    return UnitFile.parse(lines.replace('|', '\n') + "\n");
  }

  private static void assertRefused(String lines, String message) throws Exception {
    UnitFile file = file(lines);
    assertThatThrownBy(() -> Requirements.validate(file))
        .isInstanceOf(InvalidRequirementsException.class)
        .hasMessage(message);
  }

  private static void assertNamed(String lines, String... warnings) throws Exception {
    UnitFile file = file(lines);
    Requirements.validate(file);
    assertThat(Requirements.warnings(file)).containsExactly(warnings);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"X-fleet", "x-fleet", "XFleet", "X_Fleet", "X-FLEET", "X Fleet", "X-Fleet "})
  void aSectionThatIsNearlyFleetsIsRefused(String section) throws Exception {
    assertRefused(
        "[" + section + "]|MachineMetadata=slot=none",
        "section [" + section + "] has no effect: did you mean [X-Fleet]?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Fleet", "X-Flee", "X-Feet", "X-Fleets"})
  void aSectionThatMayHaveBeenMeantIsNamed(String section) throws Exception {
    assertNamed(
        "[" + section + "]|MachineMetadata=slot=none",
        "section [" + section + "] has no effect; did you mean [X-Fleet]?");
  }

  @ParameterizedTest
  @CsvSource({
    "Service, MachineMetadata, MachineMetadata",
    "Unit, MachineOf, MachineOf",
    "Service, machineid, MachineID",
    "Socket, Ports, Ports",
    "Install, Global, Global",
    "Timer, X-ConditionMachineOf, X-ConditionMachineOf",
  })
  void aRequirementInASectionOfSystemdsIsRefused(String section, String option, String meant)
      throws Exception {
    assertRefused(
        "[" + section + "]|" + option + "=slot=none",
        "%s= has no effect in section [%s]: write %s= below [X-Fleet]"
            .formatted(option, section, meant));
  }

  @Test
  void sectionsOfOthersAndSystemdsOwnOptionsAreLeftAlone() throws Exception {
    assertNamed(
        "[Unit]|Conflicts=a.service|[X-Other]|MachineOf=a|[Container]|Memory=1G|[Service]|Type=exec");
  }

  @Test
  void systemdsConflictsStandInUnit() throws Exception {
    assertNamed(
        "[Service]|Conflicts=a.service",
        "Conflicts= has no effect in section [Service]; did you mean [X-Fleet]?");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "MachineOf=a.service b.service; MachineOf \"a.service b.service\" can match no unit: it is read as one name: give each unit a line MachineOf= of its own",
        "MachineOf=%p.service b.service; MachineOf \"%p.service b.service\" can match no unit: it is read as one name: give each unit a line MachineOf= of its own",
        "MachineOf=a; MachineOf \"a\" can match no unit: no unit is named so: did you mean a.service?",
        "MachineOf=a.servic; MachineOf \"a.servic\" can match no unit: no unit is named so: did you mean a.servic.service?",
        "MachineOf=a@.service; MachineOf \"a@.service\" can match no unit: a template runs nowhere: name an instance of it",
        "MachineOf=a@*.service; MachineOf \"a@*.service\" can match no unit: invalid character '*' in unit name: expect the name of one unit, such as web.service",
        "Conflicts=a; Conflicts \"a\" can match no unit: no unit is named so: did you mean a.service?",
        "Conflicts=b.service a; Conflicts \"a\" can match no unit: no unit is named so: did you mean a.service?",
        "Conflicts=a@.service; Conflicts \"a@.service\" can match no unit: a template runs nowhere: did you mean its instances, a@*.service?",
        "Conflicts=a*.servic; Conflicts \"a*.servic\" can match no unit: no unit is of the type \"servic\"",
        "Replaces=a.service b.service; Replaces \"a.service b.service\" can match no unit: it is read as one name: give each unit a line Replaces= of its own",
        "Replaces=a@* b@*; Replaces \"a@* b@*\" can match no unit: it is read as one pattern: give each a line Replaces= of its own",
        "Affinity=unit==a; Affinity \"unit==a\" can match no unit: no unit is named so: did you mean a.service?",
        "Affinity=unit in a.service,b; Affinity \"unit in a.service,b\" can match no unit: no unit is named so: did you mean b.service?",
        "Affinity=unit!=a@.service; Affinity \"unit!=a@.service\" can match no unit: a template runs nowhere: did you mean its instances, a@*.service?",
      })
  void aNameThatNoUnitHasIsRefused(String line, String message) throws Exception {
    assertRefused("[X-Fleet]|" + line, message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MachineOf=web@%i.service",
        "MachineOf=%p",
        "Conflicts=%p@*",
        "Conflicts=web*",
        "Conflicts=web?.service",
        "Conflicts=web.*",
        "Conflicts=web.[st]*",
        "Affinity=unit==/web/",
        "Affinity=unit!=web*",
        "Affinity=zone==a",
        "MachineID=%i",
        "MachineID=0123abcd",
        "MachineMetadata=a=b c",
      })
  void aNameThatAUnitMayHaveIsAccepted(String line) throws Exception {
    assertNamed("[X-Fleet]|" + line);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Affinty=a==b| unrecognized requirement in [X-Fleet] section: \"Affinty\"; did you mean Affinity?",
        "machineof=a| unrecognized requirement in [X-Fleet] section: \"machineof\"; did you mean MachineOf?",
        "Port=1| unrecognized requirement in [X-Fleet] section: \"Port\"; did you mean Ports?",
        "X-Conflict=a| unrecognized requirement in [X-Fleet] section: \"X-Conflict\"; did you mean X-Conflicts?",
        "Colour=red| unrecognized requirement in [X-Fleet] section: \"Colour\"",
        "MachineID=host1| MachineID \"host1\" is no id of a machine: expect 32 digits from 0 to f, or the first 8",
        "MachineMetadata=a=b,c| MachineMetadata \"a=b,c\" is one value with a comma in it; for any of several, give each a line",
        "MachineMetadata=a = b| MachineMetadata \"a = b\" has a blank beside the \"=\", and no machine's has",
      })
  void aValueThatCannotBeMeantIsNamed(String line, String warning) throws Exception {
    assertNamed("[X-Fleet]|" + line, warning);
  }

  @Test
  void aSocketThatNeedsATemplateIsNamed() throws Exception {
    assertNamed(
        "[Socket]|ListenStream=80|Accept=yes",
        "Accept=yes needs its template on the machine, and fleet places no templates: unless the"
            + " machine has the template already, the first connection ends the socket");
  }
}
