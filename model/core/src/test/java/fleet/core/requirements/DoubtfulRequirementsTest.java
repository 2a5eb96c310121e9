package fleet.core.requirements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requirements that are nearly right: refused if they could only be a mistake, else named. */
class DoubtfulRequirementsTest {

  private static final UnitName INSTANCE = UnitName.of("web@1.service");
  private static final UnitName TEMPLATE = UnitName.of("web@.service");
  private static final UnitName PLAIN = UnitName.of("web.service");

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
    assertNamed(INSTANCE, lines, warnings);
  }

  private static void assertNamed(UnitName unit, String lines, String... warnings)
      throws Exception {
    UnitFile file = file(lines);
    Requirements.validate(unit, file);
    assertThat(Requirements.warnings(unit, file)).containsExactly(warnings);
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
        "MachineOf=a.servic; MachineOf \"a.servic\" can match no unit: no unit is named so: did you mean a.service?",
        "MachineOf=a.servce; MachineOf \"a.servce\" can match no unit: no unit is named so: did you mean a.service?",
        "MachineOf=a.Socket; MachineOf \"a.Socket\" can match no unit: no unit is named so: did you mean a.socket?",
        "MachineOf=a.1; MachineOf \"a.1\" can match no unit: no unit is named so: did you mean a.1.service?",
        "MachineOf=a@.service; MachineOf \"a@.service\" can match no unit: a template runs nowhere: name an instance of it, such as a@1.service",
        "MachineOf=a@; MachineOf \"a@\" can match no unit: a template runs nowhere: name an instance of it, such as a@1.service",
        "MachineOf=/etc/a.service; MachineOf \"/etc/a.service\" can match no unit: invalid character '/' in unit name: expect the name of one unit, such as web.service",
        "Conflicts=a@; Conflicts \"a@\" can match no unit: a template runs nowhere: did you mean its instances, a@*.service?",
        "Conflicts=a@.servce; Conflicts \"a@.servce\" can match no unit: a template runs nowhere: did you mean its instances, a@*.service?",
        "Conflicts=a@[12]; Conflicts \"a@[12]\" can match no unit: each name of a unit ends in its type: did you mean a@[12].service?",
        "Conflicts=a@?; Conflicts \"a@?\" can match no unit: each name of a unit ends in its type: did you mean a@?.service?",
        "Conflicts=a@[!1].service; Conflicts \"a@[!1].service\" can match no unit: a set of all but some characters begins with \"[^\"",
        "Conflicts=/a.*/; Conflicts \"/a.*/\" can match no unit: no name of a unit has a '/' in it",
        "Conflicts=^a*$; Conflicts \"^a*$\" can match no unit: no name of a unit has a '^' in it",
        "Conflicts=a-%H*; Conflicts \"a-%H*\" can match no unit: no name of a unit has a '%' in it",
        "Conflicts=a\\x2db*; Conflicts \"a\\x2db*\" can match no unit: a backslash takes the next character as it is: write two before each \"x\"",
        "Affinity=unit!=a@[12]; Affinity \"unit!=a@[12]\" can match no unit: each name of a unit ends in its type: did you mean a@[12].service?",
        "MachineOf=a@*.service; MachineOf \"a@*.service\" can match no unit: invalid character '*' in unit name: expect the name of one unit, such as web.service",
        "Conflicts=a; Conflicts \"a\" can match no unit: no unit is named so: did you mean a.service?",
        "Conflicts=b.service a; Conflicts \"a\" can match no unit: no unit is named so: did you mean a.service?",
        "Conflicts=a@.service; Conflicts \"a@.service\" can match no unit: a template runs nowhere: did you mean its instances, a@*.service?",
        "Conflicts=a*.servic; Conflicts \"a*.servic\" can match no unit: no unit is of the type \"servic\": did you mean a*.service?",
        "Conflicts=a*.conf; Conflicts \"a*.conf\" can match no unit: no unit is of the type \"conf\"",
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
        "MachineOf=%n",
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
        "Conflicts=a-\\\\x2db*",
        "Conflicts=web?service",
        "Conflicts=web@[1-3].s*",
        "Conflicts=web@[^1]*",
        "Conflicts=*",
        "MachineID=0123abcd0123abcd0123abcd0123abcd",
        "MachineMetadata=zone=%i",
        "MachineMetadata=\"a=b\" \"c=d\"",
        "MachineMetadata=url=kubernetes.io/a-b_c:1+2",
        "Spread=zone",
        "MaxPerMachine=2",
        "Memory=20%",
        "Memory=2M",
        "Cores=100%",
        "Strategy=spread",
      })
  void aNameThatAUnitMayHaveIsAccepted(String line) throws Exception {
    assertNamed("[X-Fleet]|" + line);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "MachineID=%m| \"%m\" of MachineID= stays as it is: [X-Fleet] knows %n, %N, %p and %i",
        "MachineMetadata=host=%H| \"%H\" of MachineMetadata= stays as it is: [X-Fleet] knows %n, %N, %p and %i",
        "MachineMetadata=a=b;| MachineMetadata \"a=b;\" is one value with a semicolon in it; for any of several, give each a line",
        "MachineMetadata=a=b c| MachineMetadata \"a=b c\" is one value with a blank in it; for any of several, give each a line",
        "MachineMetadata=a=b // c| MachineMetadata \"a=b // c\" is one value with a blank in it; for any of several, give each a line",
        "MachineMetadata=a='1'| MachineMetadata \"a='1'\" has a quote in it, which counts as it is: quotes stand around a whole \"key=value\"",
        "MachineMetadata='a=1'| MachineMetadata \"'a=1'\" has a quote in it, which counts as it is: quotes stand around a whole \"key=value\"",
        "MachineMetadata=a=\"1\"| MachineMetadata \"a=\"1\"\" has a quote in it, which counts as it is: quotes stand around a whole \"key=value\"",
        "MachineMetadata=\u201ca=1\u201d| MachineMetadata \"\u201ca=1\u201d\" has a quote in it, which counts as it is: quotes stand around a whole \"key=value\"",
        "MachineMetadata=a!=1| MachineMetadata \"a!=1\" is compared by \"=\" alone; Affinity= compares by !=, < and > as well",
        "MachineMetadata=a>=1| MachineMetadata \"a>=1\" is compared by \"=\" alone; Affinity= compares by !=, < and > as well",
        "MachineMetadata=a=<1| MachineMetadata \"a=<1\" is compared by \"=\" alone; Affinity= compares by !=, < and > as well",
        "MachineMetadata=a=[12]| MachineMetadata \"a=[12]\" is no pattern and counts as it is; Affinity= takes patterns, and for any of several values, give each a line",
        "MachineMetadata=a=b*| MachineMetadata \"a=b*\" is no pattern and counts as it is; Affinity= takes patterns, and for any of several values, give each a line",
        "MachineMetadata=a=${B}| MachineMetadata \"a=${B}\" is no pattern and counts as it is; Affinity= takes patterns, and for any of several values, give each a line",
        "Cores=500%| Cores \"500%\" of section [X-Fleet] is more than all that a machine has; did you mean 5, a number of processors?",
        "Memory=150%| Memory \"150%\" of section [X-Fleet] is more than all that a machine has",
        "Disk=512| Disk \"512\" of section [X-Fleet] is so many bytes; did you mean 512M?",
        "Strategy=binpakc| Strategy \"binpakc\" is none of fleet's: there are least-loaded, spread, binpack, random, bid",
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
  void severalValuesWithBarsBetweenAreNamed() throws Exception {
    UnitFile file = UnitFile.parse("[X-Fleet]\nMachineMetadata=a=1|2\n");
    assertThat(Requirements.warnings(PLAIN, file))
        .containsExactly(
            "MachineMetadata \"a=1|2\" is no pattern and counts as it is; Affinity= takes patterns,"
                + " and for any of several values, give each a line");
  }

  @ParameterizedTest
  @CsvSource({
    "MachineID, MachineID=0123abcd|MachineID=4567abcd, first",
    "Strategy, Strategy=spread|Strategy=binpack, last",
    "Memory, Memory=1G|Memory=2G, last",
    "Global, Global=true|Global=false, last",
  })
  void anOptionOfWhichOneCountsIsNamed(String option, String lines, String which) throws Exception {
    assertNamed(
        "[X-Fleet]|" + lines,
        option + "= is given several times, and the " + which + " alone counts");
    assertNamed("[X-Fleet]|" + lines.replaceFirst("\\|.*", ""));
  }

  @ParameterizedTest
  @CsvSource({
    "Service, MachineMetdata, MachineMetadata",
    "Unit, Machine-Of, MachineOf",
    "Service, Affinty, Affinity",
    "Socket, Port, Ports",
    "Service, Memry, Memory",
  })
  void anOptionThatIsNearlyFleetsInASectionOfSystemdsIsNamed(
      String section, String option, String meant) throws Exception {
    assertNamed(
        "[" + section + "]|" + option + "=1",
        "%s= has no effect in section [%s]; did you mean %s= below [X-Fleet]?"
            .formatted(option, section, meant));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "MachineOf=db@%i; MachineOf \"db@1\" can match no unit: no unit is named so: did you mean db@1.service?",
        "MachineOf=db@%i.servce; MachineOf \"db@1.servce\" can match no unit: no unit is named so: did you mean db@1.service?",
        "MachineOf=%p; MachineOf \"web\" can match no unit: no unit is named so: did you mean web.service?",
        "Conflicts=db@%i; Conflicts \"db@1\" can match no unit: no unit is named so: did you mean db@1.service?",
        "Replaces=db@%i; Replaces \"db@1\" can match no unit: no unit is named so: did you mean db@1.service?",
        "Conflicts=%p@[%i]; Conflicts \"web@[1]\" can match no unit: each name of a unit ends in its type: did you mean web@[1].service?",
        "Affinity=unit==db@%i; Affinity \"unit==db@1\" can match no unit: no unit is named so: did you mean db@1.service?",
      })
  void specifiersAreReplacedBeforeNamesAreJudged(String line, String message) throws Exception {
    UnitFile file = file("[X-Fleet]|" + line);
    String told = "with the specifiers of web@1.service replaced: " + message;
    assertThatThrownBy(() -> Requirements.validate(INSTANCE, file)).hasMessage(told);
    UnitFile none = file("[Unit]|Description=x");
    assertThatThrownBy(() -> Requirements.validate(INSTANCE, none, List.of(line)))
        .hasMessageEndingWith(told);
    assertNamed(TEMPLATE, "[X-Fleet]|" + line, told);
  }

  @Test
  void aTemplateOfWhichSomeInstancesMayBeMeantIsLeftAlone() throws Exception {
    assertNamed(TEMPLATE, "[X-Fleet]|Ports=%i");
    assertNamed(TEMPLATE, "[X-Fleet]|Strategy=%i");
    assertNamed(TEMPLATE, "[X-Fleet]|MachineOf=db@%i.service|Spread=zone|MaxPerMachine=1");
  }

  @Test
  void aSpecifierThatIsEmptyIsNamedOrRefused() throws Exception {
    UnitFile file = file("[X-Fleet]|MachineMetadata=zone=%i");
    assertThatThrownBy(() -> Requirements.validate(PLAIN, file))
        .hasMessageStartingWith(
            "with the specifiers of web.service replaced: MachineMetadata \"zone=\" is not");
    assertNamed(
        PLAIN,
        "[X-Fleet]|MachineID=%i",
        "\"%i\" of MachineID= is empty, as web.service is no instance of a template");
  }

  @Test
  void anOptionForInstancesIsNamedInAnotherUnit() throws Exception {
    assertNamed(
        PLAIN,
        "[X-Fleet]|MaxPerMachine=1",
        "MaxPerMachine= has no effect: it is about the instances of a template, and web.service is"
            + " none");
  }

  @Test
  void extraRequirementsAreNamedAsWell() {
    assertThat(Requirements.warnings(INSTANCE, List.of("MachineID=nosuch", "Memory=1G")))
        .containsExactly(
            "MachineID \"nosuch\" is no id of a machine: expect 32 digits from 0 to f, or the first"
                + " 8");
    assertThat(Requirements.warnings(INSTANCE, List.of("MachineMetadata=a=1,2"))).hasSize(1);
    assertThat(Requirements.warnings(INSTANCE, List.of())).isEmpty();
  }

  @Test
  void aSocketThatNeedsATemplateIsNamed() throws Exception {
    assertNamed(
        "[Socket]|ListenStream=80|Accept=yes",
        "Accept=yes needs its template on the machine, and fleet places no templates: unless the"
            + " machine has the template already, the first connection ends the socket");
  }
}
