package fleet.fleetctl.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.entities.MachineEntity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MachineSelectorTest {

  private static final MachineEntity ONE =
      machine("113f16a7b2c34d5e8f90a1b2c3d4e5f6", "node1.example", "10.0.0.1");
  private static final MachineEntity TWO =
      machine("2222aaaab2c34d5e8f90a1b2c3d4e5f6", "node2", "10.0.0.2");
  private static final MachineEntity TWIN = machine("113faaaab2c34d5e8f90a1b2c3d4e5f6", "", "");

  private final MachineSelector selector = new MachineSelector(List.of(ONE, TWO, TWIN));

  private static MachineEntity machine(String id, String hostname, String address) {
    return new MachineEntity(
        id, Map.of(), address, null, null, null, null, null, hostname, "", "", "", null, "", null,
        "", null);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "113f16a7b2c34d5e8f90a1b2c3d4e5f6",
        "node1.example",
        "Node1.Example",
        "10.0.0.1",
        "113f16a7...",
        "113f16a7.../10.0.0.1",
        "113f16a7b2c34d5e8f90a1b2c3d4e5f6/10.0.0.1",
        "113f16a7",
        "113f1",
        "node1"
      })
  void aMachineIsFoundByAllThatPeopleCallIt(String word) throws Exception {
    assertThat(selector.id(word)).isEqualTo(ONE.id());
  }

  @ParameterizedTest
  @CsvSource({"2,2222aaaa", "node2.example,2222aaaa", "113fa,113faaaa"})
  void aBeginningMayBeShortAndADomainMayBeTooMuch(String word, String meant) throws Exception {
    assertThat(selector.id(word)).startsWith(meant);
  }

  @ParameterizedTest
  @ValueSource(strings = {"node3", "node1.other", "10.0.0.9", "113f16a7.../10.0.0.2", "x", ""})
  void aWordThatFitsNoMachineIsRefusedWithThoseThatThereAre(String word) {
    assertThatThrownBy(() -> selector.id(word))
        .isInstanceOf(UnknownMachineException.class)
        .hasMessage(
            "no machine is called \"%s\": there are node1.example (113f16a7...), node2 (2222aaaa...), 113faaaa..."
                .formatted(word));
  }

  @Test
  void aWordThatFitsSeveralIsRefusedWithTheirWholeIds() {
    assertThatThrownBy(() -> selector.id("113f"))
        .hasMessage(
            "several machines are called \"113f\": node1.example (%s), %s"
                .formatted(ONE.id(), TWIN.id()));
  }

  /** A machine that takes another's name must not get the other's commands. */
  @Test
  void aNameThatTwoMachinesGiveThemselvesMeansNeither() {
    for (String name : List.of("node2", "2222aaaa")) {
      var impostor = machine("9999aaaab2c34d5e8f90a1b2c3d4e5f6", name, "10.0.0.66");
      var deceived = new MachineSelector(List.of(ONE, TWO, impostor));

      assertThatThrownBy(() -> deceived.id(name)).hasMessageContaining(TWO.id());
      assertThat(deceived.name(TWO.id()))
          .isEqualTo(name.equals("node2") ? "2222aaaa.../10.0.0.2" : "node2");
    }
  }

  /** After a machine was reinstalled, its hostname belongs to two ids for a day. */
  @Test
  void aNameMeansTheMachineThatIsThereAndNotALostOneUnlessACommandIsStrict() throws Exception {
    var gone =
        new MachineEntity(
            "9999aaaab2c34d5e8f90a1b2c3d4e5f6",
            Map.of(),
            "10.0.0.66",
            null,
            null,
            null,
            null,
            null,
            "node2",
            "",
            "",
            "",
            null,
            "lost",
            null,
            "2026-01-01T00:00:00Z",
            null);
    var both = new MachineSelector(List.of(ONE, gone, TWO));

    assertThat(both.id("node2")).isEqualTo(TWO.id());
    assertThat(both.id("10.0.0.66")).isEqualTo(gone.id());
    assertThat(new MachineSelector(List.of(ONE, gone)).id("node2")).isEqualTo(gone.id());
    assertThatThrownBy(() -> both.strict().id("node2"))
        .hasMessageContainingAll("several machines", TWO.id(), gone.id());
  }

  @Test
  void aWholeIdThatNobodyHasIsLeftToFleetd() throws Exception {
    String forgotten = "0123456789abcdef0123456789abcdef";
    assertThat(selector.id(forgotten)).isEqualTo(forgotten);
    assertThat(selector.knows(forgotten)).isFalse();
  }

  @Test
  void ofManyMachinesSomeAreNamed() {
    List<MachineEntity> many = new ArrayList<>();
    for (int i = 10; i < 40; i++) {
      many.add(machine("id" + i, "node" + i, ""));
    }
    assertThatThrownBy(() -> new MachineSelector(many).id("x"))
        .hasMessageEndingWith("node17 (id17) and 22 more, see: fleetctl list-machines");
  }
}
