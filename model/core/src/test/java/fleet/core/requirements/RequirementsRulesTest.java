package fleet.core.requirements;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.unit.UnitFile;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequirementsRulesTest {

  private static void validate(String lines) throws Exception {
    Requirements.validate(UnitFile.parse("[X-Fleet]\n" + lines.replace(" | ", "\n")));
  }

  static List<Arguments> brokenRules() {
    return List.of(
        Arguments.of(
            "MachineOf=b.service | MachineOf=a.service | Conflicts=x.* a.*",
            "unresolvable requirements: peer \"a.service\" matches conflict \"a.*\""),
        Arguments.of(
            "MachineOf=a.service | Replaces=a.*",
            "unresolvable requirements: peer \"a.service\" matches replace \"a.*\""),
        Arguments.of(
            "MachineOf=a.service | Conflicts=a.* | MachineID=x",
            "unresolvable requirements: peer \"a.service\" matches conflict \"a.*\""),
        Arguments.of("MachineID=x | MachineOf=a.service", "MachineID cannot be used with Peers"),
        Arguments.of("MachineID=x | Conflicts=a.*", "MachineID cannot be used with Conflicts"),
        Arguments.of("MachineID=x | Global=true", "MachineID cannot be used with Global"),
        Arguments.of("MachineID=x | Replaces=a.*", "MachineID cannot be used with Replaces"),
        Arguments.of("Global=true | MachineOf=a.service", "Global cannot be used with Peers"),
        Arguments.of("Global=true | Replaces=a.*", "Global cannot be used with Replaces"),
        Arguments.of("Conflicts=a.* | Replaces=b.*", "Conflicts cannot be used with Replaces"),
        Arguments.of(
            "MachineID=x | Global=1 | Conflicts=a | MachineOf=b",
            "MachineID cannot be used with Peers"),
        Arguments.of(
            "Conflicts=web@[1-.service",
            "Conflicts pattern \"web@[1-.service\" is malformed and would match nothing: close each"
                + " \"[\", and put a backslash before a \"[\", \"]\" or \"-\" that stands for itself"),
        Arguments.of(
            "Replaces=a[",
            "Replaces pattern \"a[\" is malformed and would match nothing: close each"
                + " \"[\", and put a backslash before a \"[\", \"]\" or \"-\" that stands for itself"),
        Arguments.of(
            "MachineMetadata=a=b c=d",
            "MachineMetadata \"a=b c=d\" is not key=value with one \"=\": several on a line are"
                + " written \"a=b\" \"c=d\", each in its quotes"),
        Arguments.of(
            "Affinity=zone==a | Affinity=zone!=a",
            "unresolvable requirements: Affinity \"zone==a\" and \"zone!=a\" exclude each other"),
        Arguments.of(
            "Affinity=zone==a | MachineMetadata=zone=b",
            "unresolvable requirements: MachineMetadata \"zone=b\" and Affinity \"zone==a\" exclude"
                + " each other"),
        Arguments.of(
            "Affinity=rack>5 | Affinity=rack<5",
            "unresolvable requirements: Affinity \"rack>5\" and \"rack<5\" exclude each other"),
        Arguments.of(
            "Affinity=zone in a,b | Affinity=zone in b,c | Affinity=zone!=b",
            "unresolvable requirements: no value of \"zone\" is all of \"zone in a,b\","
                + " \"zone in b,c\", \"zone!=b\""),
        Arguments.of(
            "Affinity=unit==db.service | Conflicts=db.*",
            "unresolvable requirements: Affinity \"unit==db.service\" wants what Conflicts keeps"
                + " away"),
        Arguments.of(
            "Affinity=unit==db.service | Affinity=unit!=db*",
            "unresolvable requirements: Affinity \"unit==db.service\" and \"unit!=db*\" exclude"
                + " each other"),
        Arguments.of(
            "Affinity=unit!=db* | MachineOf=db.service",
            "unresolvable requirements: MachineOf \"db.service\" and Affinity \"unit!=db*\" exclude"
                + " each other"),
        Arguments.of(
            "Global=true | Spread=zone",
            "Global cannot be used with Spread: a global unit runs on every machine that fits, so"
                + " none is chosen for it"),
        Arguments.of(
            "Ports=http",
            "Ports \"http\": it is no port: write such as 80, 127.0.0.1:80 or 53/udp, with blanks or"
                + " commas between several"),
        Arguments.of("MaxPerMachine=0", "MaxPerMachine \"0\": it is not a number from 1 to 999999"),
        Arguments.of(
            "Memory=much",
            "Memory \"much\" of section [X-Fleet] is not an amount: write bytes such as 512M or"
                + " 1.5G, a share of the machine such as 20%, or infinity for none"),
        Arguments.of(
            "Global=maybe",
            "Global \"maybe\" is neither true nor false: write Global=true or Global=false"),
        Arguments.of(
            "X-ConditionMachineMetadata=a=",
            "MachineMetadata \"a=\" is not key=value with one \"=\": several on a line are"
                + " written \"a=b\" \"c=d\", each in its quotes"));
  }

  @ParameterizedTest
  @MethodSource("brokenRules")
  void theFirstBrokenRuleIsNamed(String lines, String message) {
    assertThatThrownBy(() -> validate(lines))
        .isInstanceOf(InvalidRequirementsException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Unknown=x",
        "Global=true | MachineMetadata=a=b | Conflicts=a.*",
        "Global=false | MachineID=x",
        "Global=No",
        "MachineID=x | MachineMetadata=a=b",
        "MachineOf=a.service | MachineMetadata=a=%i | Conflicts=b.*",
        "MachineOf=a.service | Replaces=b.*",
        "MachineOf=%p.service | Conflicts=web.*",
        "Affinity=zone==a | Affinity=zone==~b | MachineMetadata=zone=a",
        "Affinity=unit==db@* | Affinity=unit!=db@1.service",
        "Global=true | Affinity=disk!=hdd",
        "Ports=80%i | Memory=20% | Cores=0.5 | Disk=infinity | Strategy=binpack | Spread=zone rack"
      })
  void whatCanBeMetIsAccepted(String lines) {
    assertThatCode(() -> validate(lines)).doesNotThrowAnyException();
  }
}
