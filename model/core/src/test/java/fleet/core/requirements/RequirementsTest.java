package fleet.core.requirements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.entry;

import fleet.core.unit.Corpus;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequirementsTest {

  private static final UnitName UNIT = UnitName.of("web@1.service");

  private static Requirements read(String... lines) throws UnitFileSyntaxException {
    return Requirements.of(UNIT, UnitFile.parse("[X-Fleet]\n" + String.join("\n", lines)));
  }

  @Test
  void aUnitWithoutTheSectionRunsAnywhere() throws Exception {
    assertThat(Requirements.of(UNIT, UnitFile.parse("[Unit]\nMachineOf=x.service\n")))
        .isSameAs(Requirements.NONE);
  }

  @Test
  void specifiersAreExpandedInEveryValue() throws Exception {
    Requirements asked =
        read("MachineOf=db-%i.service", "MachineMetadata=shard=%i", "Conflicts=%p@*.service");

    assertThat(asked.machineOf()).containsExactly("db-1.service");
    assertThat(asked.metadata()).containsOnly(entry("shard", Set.of("1")));
    assertThat(asked.conflicts()).containsExactly(new Glob("web@*.service"));
  }

  @Test
  void quotedValuesShareALine() throws Exception {
    Requirements asked =
        read(
            "MachineMetadata=\"region=eu\"   \"region=us\" \\",
            "   disk=\"ssd\"",
            "MachineMetadata=\"zone=a\" disk=nvme\"\"",
            "MachineOf=\"a.service\" \"b c.service\"");

    assertThat(asked.metadata())
        .containsOnly(
            entry("region", Set.of("eu", "us")),
            entry("disk", Set.of("nvme", "ssd")),
            entry("zone", Set.of("a")));
    assertThat(asked.machineOf()).containsExactly("a.service", "b c.service");
  }

  @Test
  void onlyConflictsAreCutAtBlanks() throws Exception {
    assertThat(read("Conflicts=a.* b.*\tc.*", "Conflicts=\"d.* e.*\"").conflicts())
        .extracting(Glob::pattern)
        .containsExactly("a.*", "b.*", "c.*", "d.*", "e.*");
    assertThat(read("Replaces=a.* b.*").replaces())
        .extracting(Glob::pattern)
        .containsExactly("a.* b.*");
    assertThat(read("MachineOf=a b").machineOf()).containsExactly("a b");
  }

  @Test
  void olderKeysAreStillRead() throws Exception {
    Requirements asked =
        read(
            "X-ConditionMachineOf=a.service",
            "MachineOf=b.service",
            "X-Conflicts=c.*",
            "Conflicts=d.*",
            "X-ConditionMachineMetadata=x=1",
            "MachineMetadata=x=2");

    assertThat(asked.machineOf()).containsExactly("b.service", "a.service");
    assertThat(asked.conflicts()).extracting(Glob::pattern).containsExactly("d.*", "c.*");
    assertThat(asked.metadata()).isEqualTo(Map.of("x", Set.of("1", "2")));
  }

  @Test
  void theFirstMachineIdOfTheNewestKeyCounts() throws Exception {
    assertThat(
            read(
                    "X-ConditionMachineBootID=c",
                    "X-ConditionMachineID=b",
                    "MachineID=a",
                    "MachineID=z")
                .machineId())
        .contains("a");
    assertThat(read("X-ConditionMachineBootID=c", "X-ConditionMachineID=b").machineId())
        .contains("b");
    assertThat(read("X-ConditionMachineBootID=c").machineId()).contains("c");
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "TRUE", "Yes", "1", "on", "T"})
  void manyWordsMeanGlobal(String word) throws Exception {
    assertThat(read("Global=false", "Global=" + word).global()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "y", "0", "off", "2", "truee"})
  void allOtherWordsDoNot(String word) throws Exception {
    assertThat(read("Global=true", "Global=" + word).global()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"region", "=eu", "region=", "a=b=c", "\"a\" \"=\""})
  void metadataThatIsNoPairIsPassedOver(String value) throws Exception {
    assertThat(read("MachineMetadata=" + value).metadata()).isEmpty();
  }

  @Test
  void emptyValuesAskNothing() throws Exception {
    assertThat(read("MachineID=", "MachineOf=", "Conflicts=", "Replaces=", "MachineMetadata="))
        .isEqualTo(Requirements.NONE);
  }

  @Test
  void keysWithoutAMeaningAreNamedOnce() throws Exception {
    UnitFile file =
        UnitFile.parse(
            "[X-Fleet]\nMachineof=a\nGlobal=1\nX-Conflicts=b\nmemory=1\nMachineof=c\n[Unit]\nA=1\n");

    assertThat(Requirements.warnings(UnitName.of("router.service"), file))
        .containsExactly(
            "unrecognized requirement in [X-Fleet] section: \"Machineof\"; did you mean MachineOf?",
            "unrecognized requirement in [X-Fleet] section: \"memory\"; did you mean Memory?");
  }

  @Test
  void theContainerUnitOfTheCorpusIsUnderstood() throws Exception {
    UnitFile file = Corpus.file("router.service");
    Requirements.validate(file);

    Requirements asked = Requirements.of(UnitName.of("router.service"), file);

    assertThat(asked.global()).isTrue();
    assertThat(asked.metadata()).containsOnly(entry("routerMesh", Set.of("true", "yes")));
    assertThat(asked.conflicts()).containsExactly(new Glob("legacy-router@*.service"));
    assertThat(Requirements.warnings(UnitName.of("router.service"), file)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"web@2.service, true", "api.service, false"})
  void conflictsAndReplacesAreAskedByName(String other, boolean matches) throws Exception {
    assertThat(read("Conflicts=db.* %p@*").conflictsWith(UnitName.of(other))).isEqualTo(matches);
    assertThat(read("Replaces=db.*", "Replaces=%p@*").replaces(UnitName.of(other)))
        .isEqualTo(matches);
  }

  /** The leader and each agent read what others have stored, and nobody is there to tell. */
  @ParameterizedTest
  @MethodSource("nonsense")
  void nonsenseAsksForNothingAndHurtsNobody(String value) {
    List<UnitOption> options =
        OptionNames.KNOWN.stream().map(name -> new UnitOption("X-Fleet", name, value)).toList();
    UnitFile file = new UnitFile(options);
    assertThatCode(() -> Requirements.of(UNIT, file, List.of("Affinity=" + value, value)))
        .doesNotThrowAnyException();
    for (String option : List.of("MemoryMax", "MemoryHigh", "CPUQuota", "TasksMax")) {
      var limited = new UnitFile(List.of(new UnitOption("Service", option, value)));
      assertThatCode(() -> Requirements.of(UNIT, limited)).doesNotThrowAnyException();
    }
    for (String option : List.of("ListenStream", "ListenDatagram")) {
      var listening = new UnitFile(List.of(new UnitOption("Socket", option, value)));
      assertThatCode(() -> Requirements.of(UNIT, listening)).doesNotThrowAnyException();
    }
  }

  static List<String> nonsense() {
    String many = "9".repeat(100_000);
    return List.of(
        "",
        " ",
        "\"",
        "\"\"",
        "\\",
        "%",
        "%i%",
        "=",
        "a=b=c",
        "[",
        "[^]",
        "[a-",
        "*".repeat(10_000),
        "[a".repeat(10_000),
        ":",
        "unit==",
        "unit==~",
        "unit in ,",
        "unit==/(/",
        "unit==/(?<a>b)(?<a>c)/",
        "unit==/a{1001}/",
        "unit==/" + "(".repeat(100_000) + ")".repeat(100_000) + "/",
        "unit==/((a{90}){90}){90}/",
        "999999999:unit==~a",
        "rack<" + many,
        "rack<1." + many,
        many,
        many + "%",
        many + "G",
        "1." + many + "G",
        "1G ".repeat(10_000),
        "-1",
        "1e400",
        "0",
        "65536",
        "[::1]:" + many,
        ",".repeat(10_000));
  }

  @Test
  void metadataIsSortedForItsReaders() throws Exception {
    Requirements asked = read("MachineMetadata=\"z=2\" \"b=1\" \"z=1\" \"a=1\"");

    assertThat(asked.metadata().keySet()).isEqualTo(Set.copyOf(List.of("a", "b", "z")));
    assertThat(asked.metadata().toString()).isEqualTo("{a=[1], b=[1], z=[1, 2]}");
  }
}
