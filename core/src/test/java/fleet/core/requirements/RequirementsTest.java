package fleet.core.requirements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import fleet.core.unit.Corpus;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    assertThat(Requirements.warnings(file))
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
    assertThat(Requirements.warnings(file)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"web@2.service, true", "api.service, false"})
  void conflictsAndReplacesAreAskedByName(String other, boolean matches) throws Exception {
    assertThat(read("Conflicts=db.* %p@*").conflictsWith(UnitName.of(other))).isEqualTo(matches);
    assertThat(read("Replaces=db.*", "Replaces=%p@*").replaces(UnitName.of(other)))
        .isEqualTo(matches);
  }

  @Test
  void metadataIsSortedForItsReaders() throws Exception {
    Requirements asked = read("MachineMetadata=\"z=2\" \"b=1\" \"z=1\" \"a=1\"");

    assertThat(asked.metadata().keySet()).isEqualTo(Set.copyOf(List.of("a", "b", "z")));
    assertThat(asked.metadata().toString()).isEqualTo("{a=[1], b=[1], z=[1, 2]}");
  }
}
