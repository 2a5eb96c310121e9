package fleet.agent.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.agent.FakeSystemd;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnitLinksTest {

  private static final UnitName WEB = UnitName.of("web.service");

  @TempDir Path directory;
  private Path link;
  private Path file;
  private UnitLinks links;

  @BeforeEach
  void wire() throws IOException {
    Path runtime = directory.resolve("system");
    var units = new UnitDirectory(directory.resolve("units"));
    links = new UnitLinks(new FakeSystemd(runtime), units);
    link = runtime.resolve("web.service");
    file = units.file(WEB);
  }

  @Test
  void areMadeWithTheirDirectoryAndRemoved() throws IOException {
    links.make(WEB);
    assertThat(Files.readSymbolicLink(link)).isEqualTo(file);

    links.remove(WEB);
    assertThat(link.getParent()).isEmptyDirectory();
  }

  @Test
  void areMadeAndRemovedOnceHoweverOftenThatIsAsked() throws IOException {
    links.make(WEB);
    FileTime made = Files.getLastModifiedTime(link, LinkOption.NOFOLLOW_LINKS);

    links.make(WEB);
    assertThat(Files.getLastModifiedTime(link, LinkOption.NOFOLLOW_LINKS)).isEqualTo(made);

    links.remove(WEB);
    links.remove(WEB);
    assertThat(Files.isSymbolicLink(link)).isFalse();
  }

  @Test
  void replaceAnAliasOfAnotherUnitOfFleets() throws IOException {
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, file.resolveSibling("other.service"));

    links.make(WEB);

    assertThat(Files.readSymbolicLink(link)).isEqualTo(file);
  }

  @Test
  void areNotRemovedIfTheyAreAnAliasOfAnotherUnit() throws IOException {
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, file.resolveSibling("other.service"));

    links.remove(WEB);

    assertThat(link).isSymbolicLink();
  }

  @Test
  void leaveAFileAlone() throws IOException {
    Files.createDirectories(link.getParent());
    Files.writeString(link, "somebody else's");

    assertThatThrownBy(() -> links.make(WEB))
        .isInstanceOf(IOException.class)
        .hasMessage(link + " is there and is not fleet's");
    links.remove(WEB);

    assertThat(link).hasContent("somebody else's");
  }

  @Test
  void leaveALinkToSomewhereElseAlone() throws IOException {
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, Path.of("/dev/null"));

    assertThatThrownBy(() -> links.make(WEB))
        .isInstanceOf(IOException.class)
        .hasMessage(link + " is there and is not fleet's");
    links.remove(WEB);

    assertThat(Files.readSymbolicLink(link)).isEqualTo(Path.of("/dev/null"));
  }

  @Test
  void areNotNeededInSystemdsOwnDirectory() throws IOException {
    Path both = directory.resolve("units").toRealPath();
    var own = new UnitLinks(new FakeSystemd(both), new UnitDirectory(both));
    Files.writeString(file, "a unit");

    own.make(WEB);
    own.remove(WEB);

    assertThat(file).hasContent("a unit");
  }
}
