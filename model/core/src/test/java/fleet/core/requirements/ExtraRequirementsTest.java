package fleet.core.requirements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import fleet.core.machine.Resources;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requirements given when a unit is started stand beside those of its file. */
final class ExtraRequirementsTest {

  private static final UnitName UNIT = UnitName.of("web@1.service");

  private static UnitFile file(String lines) throws Exception {
    return UnitFile.parse(
        "[Service]\nMemoryMax=512M\n[X-Fleet]\n" + lines.replace(" | ", "\n") + "\n");
  }

  private static Requirements with(String lines, String... require) throws Exception {
    return Requirements.of(UNIT, file(lines), List.of(require));
  }

  @Test
  void theyAreReadAsIfTheyStoodInTheFile() throws Exception {
    Requirements asked =
        with(
            "MachineMetadata=disk=ssd | Conflicts=a.*",
            "MachineMetadata=region=eu",
            "MachineMetadata=shard=%i",
            "Conflicts=b.*",
            "MachineOf = db.service");

    assertThat(asked)
        .isEqualTo(
            Requirements.of(
                UNIT,
                file(
                    "MachineMetadata=disk=ssd | Conflicts=a.* | MachineMetadata=region=eu"
                        + " | MachineMetadata=shard=%i | Conflicts=b.* | MachineOf=db.service")));
    assertThat(asked.metadata())
        .containsOnly(
            entry("disk", Set.of("ssd")),
            entry("region", Set.of("eu")),
            entry("shard", Set.of("1")));
  }

  @Test
  void theLastOneCountsOfWhatHasButOneValue() throws Exception {
    Requirements asked =
        with(
            "Memory=1G | MaxPerMachine=3 | Strategy=spread",
            "Memory=2G",
            "MaxPerMachine=1",
            "Strategy=binpack");

    assertThat(asked.reservation().on(Resources.UNKNOWN).memory()).isEqualTo(2L << 30);
    assertThat(asked.maxPerMachine()).isEqualTo(1);
    assertThat(asked.strategy()).contains("binpack");
    assertThat(with("", "Memory=1G").reservation().on(Resources.UNKNOWN).memory())
        .isEqualTo(1L << 30);
  }

  @Test
  void aUnitWithoutAnyAsksWhatItsFileDoes() throws Exception {
    UnitFile plain = UnitFile.parse("[Service]\nExecStart=/bin/true\n");
    assertThat(Requirements.of(UNIT, plain, List.of())).isSameAs(Requirements.NONE);
    assertThat(Requirements.of(UNIT, plain, List.of("no option"))).isSameAs(Requirements.NONE);
    assertThat(Requirements.of(UNIT, plain, List.of("Ports=80")).ports()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MachineMetadata=region=eu",
        "MachineMetadata=disk=ssd",
        "Memory=1G",
        "Memory=infinity",
        "Affinity=zone!=b",
        "Conflicts=%p@*.service",
        "X-Conflicts=b.*"
      })
  void whatGoesWithTheFileIsTaken(String require) throws Exception {
    UnitFile file = file("MachineMetadata=disk=ssd | Affinity=zone==a");
    assertThatCode(() -> Requirements.validate(UNIT, file, List.of(require)))
        .doesNotThrowAnyException();
  }

  @Test
  void aMachineMayBeNamedShort() throws Exception {
    assertThatCode(() ->
            Requirements.validate(
                UNIT,
                file("MachineID=113f16a7b2c34d5e8f90a1b2c3d4e5f6"),
                List.of("MachineID=113f16a7")))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Memory        | expect OPTION=VALUE, such as MachineMetadata=region=eu",
        "=1G           | expect OPTION=VALUE, such as MachineMetadata=region=eu",
        "Memry=1G      | [X-Fleet] has no option \"Memry\": did you mean Memory?",
        "ExecStart=/x  | [X-Fleet] has no option \"ExecStart\"",
        "Global=true   | whether a unit is global stands in its file and nowhere else",
        "Memory=       | there is nothing behind the \"=\"",
      })
  void whatIsNoneIsRefusedByItself(String require, String why) throws Exception {
    UnitFile file = file("");
    assertThatThrownBy(() -> Requirements.validate(UNIT, file, List.of("Disk=1G", require)))
        .isInstanceOf(InvalidRequirementsException.class)
        .hasMessage("extra requirement \"" + require + "\": " + why);
  }

  @Test
  void whatNoFileCouldHoldIsRefused() throws Exception {
    UnitFile file = file("");
    assertThatThrownBy(() -> Requirements.validate(UNIT, file, List.of("Conflicts=a\nGlobal=true")))
        .isInstanceOf(InvalidRequirementsException.class)
        .hasMessageContaining("cannot be written to a unit file");
  }

  static List<Arguments> contradictions() {
    return List.of(
        Arguments.of(
            "",
            "Memory=much",
            "Memory \"much\" of section [X-Fleet] is not an amount: write bytes such as 512M or"
                + " 1.5G, a share of the machine such as 20%, or infinity for none"),
        Arguments.of(
            "",
            "Ports=http",
            "Ports \"http\": it is no port: write such as 80, 127.0.0.1:80 or"
                + " 53/udp, with blanks or commas between several"),
        Arguments.of(
            "Conflicts=db.*",
            "MachineOf=db.service",
            "unresolvable requirements: peer \"db.service\" matches conflict \"db.*\""),
        Arguments.of("Global=true", "MachineOf=db.service", "Global cannot be used with Peers"),
        Arguments.of(
            "MachineMetadata=region=us",
            "Affinity=region==eu",
            "unresolvable requirements: MachineMetadata \"region=us\" and Affinity \"region==eu\""
                + " exclude each other"),
        Arguments.of(
            "MachineID=a",
            "MachineID=b",
            "unresolvable requirements: MachineID \"a\" and \"b\" exclude each other"),
        Arguments.of(
            "MachineMetadata=region=us",
            "MachineMetadata=region=eu",
            "MachineMetadata \"region=eu\" would not narrow what the file asks, which is"
                + " \"region=us\": values of one key are alternatives; write Affinity=region==eu"));
  }

  @ParameterizedTest
  @MethodSource("contradictions")
  void whatDoesNotGoWithTheFileIsRefusedAndTold(String lines, String require, String why)
      throws Exception {
    UnitFile file = file(lines);
    assertThatThrownBy(() -> Requirements.validate(UNIT, file, List.of(require)))
        .isInstanceOf(InvalidRequirementsException.class)
        .hasMessage("with the extra requirements " + require + ": " + why);
  }

  @Test
  void theyMustGoWithEachOther() throws Exception {
    UnitFile file = file("");
    assertThatThrownBy(() ->
            Requirements.validate(UNIT, file, List.of("Affinity=zone==a", "Affinity=zone==b")))
        .isInstanceOf(InvalidRequirementsException.class)
        .hasMessage(
            "with the extra requirements Affinity=zone==a, Affinity=zone==b: unresolvable"
                + " requirements: Affinity \"zone==a\" and \"zone==b\" exclude each other");
  }
}
