package fleet.agent.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.agent.FakeSystemd;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstallLinksTest {

  private static final UnitName WEB = UnitName.of("web@1.service");

  @TempDir Path directory;
  private Path runtime;
  private UnitDirectory units;
  private InstallLinks links;

  @BeforeEach
  void wire() throws IOException {
    runtime = Files.createDirectory(directory.resolve("system"));
    units = new UnitDirectory(directory.resolve("units"));
    links = new InstallLinks(new FakeSystemd(runtime), units);
  }

  private static UnitFile installed(String... lines) {
    try {
      return UnitFile.parse("[Install]\n" + String.join("\n", lines) + "\n");
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static final UnitFile FILE =
      installed(
          "WantedBy=multi-user.target other.target",
          "RequiredBy=app-%i.service",
          "UpheldBy=up.target",
          "Alias=site@.service first@%i.service",
          "DefaultInstance=7",
          "Also=admin.socket");

  @Test
  void areMadeForWhatTheSectionNamesAndNothingElse() throws IOException {
    links.make(WEB, FILE);
    links.make(WEB, FILE);

    assertThat(
            new String[] {
              "multi-user.target.wants/web@1.service",
              "other.target.wants/web@1.service",
              "app-1.service.requires/web@1.service",
              "up.target.upholds/web@1.service"
            })
        .allSatisfy(link ->
            assertThat(Files.readSymbolicLink(runtime.resolve(link))).isEqualTo(units.file(WEB)));
    assertThat(new String[] {"site@1.service", "first@1.service"})
        .allSatisfy(link ->
            assertThat(Files.readSymbolicLink(runtime.resolve(link)))
                .isEqualTo(runtime.resolve("web@1.service")));
    assertThat(runtime.toFile().list()).hasSize(6);
  }

  @Test
  void areNotMadeForWhatAnEmptyAssignmentTakesBack() throws IOException {
    links.make(WEB, installed("WantedBy=a.target", "WantedBy=", "WantedBy=\"b.target\"", "Alias="));

    assertThat(runtime.toFile().list()).containsExactly("b.target.wants");
  }

  @Test
  void areRemovedWithTheirEmptyDirectories() throws IOException {
    links.make(WEB, FILE);
    Path others = runtime.resolve("other.target.wants/admin.service");
    Files.createSymbolicLink(others, Path.of("/opt/admin.service"));

    Path own = Files.createSymbolicLink(runtime.resolve("web@1.service"), units.file(WEB));

    links.remove(List.of(WEB));
    links.remove(List.of(WEB));

    assertThat(runtime.toFile().list())
        .containsExactlyInAnyOrder("other.target.wants", own.toFile().getName());
    assertThat(Files.isSymbolicLink(others)).isTrue();
  }

  @Test
  void ofAnotherUnitAreLeftAlone() throws IOException {
    Path foreign = runtime.resolve("site@1.service");
    Files.createSymbolicLink(foreign, Path.of("/opt/site.service"));

    assertThatThrownBy(() -> links.make(WEB, FILE)).hasMessageContaining(foreign + " is there");
    links.remove(List.of(WEB));

    assertThat(Files.isSymbolicLink(foreign)).isTrue();
  }

  @Test
  void ofAnotherUnitOfFleetsAreLeftAloneAndNamed() throws IOException {
    UnitName other = UnitName.of("other@1.service");
    Files.createSymbolicLink(runtime.resolve("other@1.service"), units.file(other));
    links.make(other, installed("Alias=site@.service"));

    assertThatThrownBy(() -> links.make(WEB, FILE))
        .hasMessageContaining("site@1.service is there already, as a name of other@1.service");
    links.remove(List.of(WEB));

    assertThat(Files.readSymbolicLink(runtime.resolve("site@1.service")))
        .isEqualTo(runtime.resolve("other@1.service"));
  }

  @Test
  void areNotMadeForAnAliasOfAUnitThatCanHaveNone() throws IOException {
    links.make(UnitName.of("web.slice"), installed("Alias=other.slice"));

    assertThat(runtime).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WantedBy=nothing",
        "Alias=web.socket",
        "Alias=site-%i.service",
        "Alias=site@2.service",
        "RequiredBy=../x.service"
      })
  void areNotMadeForWhatIsNoUnit(String line) {
    assertThatThrownBy(() -> links.make(WEB, installed(line)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(line);
    assertThat(runtime).isEmptyDirectory();
  }
}
