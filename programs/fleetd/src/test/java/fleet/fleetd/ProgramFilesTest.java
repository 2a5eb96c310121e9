package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As root, since it is about files of others. */
class ProgramFilesTest {

  private static final int ALICE = 4711;

  @TempDir Path home;
  private Path program;

  @BeforeEach
  void install() throws IOException {
    assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).isEqualTo(0);
    program = Files.writeString(Files.createDirectory(home.resolve("lib")).resolve("a.jar"), "");
    mode(program, "rw-r--r--");
    mode(home.resolve("lib"), "rwxr-xr-x");
    assertThat(objection()).isEmpty();
  }

  /** The finding: "cp -a target/fleet /opt/" by root keeps the uid of whoever built it. */
  @Test
  void aProgramOfSomebodyElseIsRefusedWithTheCommandThatMendsIt() throws IOException {
    Files.setAttribute(program, "unix:uid", ALICE);

    assertThat(objection())
        .isEqualTo(
            "%1$s belongs to uid 4711, who could have root run anything by it: run \"chown -R root:root %1$s\", and copy fleet with cp -a --no-preserve=ownership"
                .formatted(program.toRealPath()));
    assertThat(new ProgramFiles(Set.of(0, ALICE)).objection(program)).isEmpty();
  }

  @Test
  void theFoldersAboveCountAsWell() throws IOException {
    Files.setAttribute(home.resolve("lib"), "unix:uid", ALICE);

    assertThat(objection()).startsWith(home.resolve("lib").toRealPath() + " belongs to uid 4711");
    Files.setAttribute(program, "unix:uid", ALICE);
    assertThat(objection()).startsWith(home.resolve("lib").toRealPath() + " belongs to uid 4711");
  }

  @Test
  void nobodyElseMayWrite() throws IOException {
    mode(program, "rw-r--rw-");
    assertThat(objection()).contains("run \"chmod go-w " + program.toRealPath() + "\"");

    mode(program, "rw-rw-r--");
    Files.setAttribute(program, "unix:gid", ALICE);
    assertThat(objection()).contains("can be written to by others");
    // The group of root and the own group of a trusted user may write.
    assertThat(new ProgramFiles(Set.of(0, ALICE)).objection(program)).isEmpty();
    Files.setAttribute(program, "unix:gid", 0);
    assertThat(objection()).isEmpty();
  }

  @Test
  void inAStickyFolderEverybodyMayWriteButNotReplace() throws IOException {
    Files.setAttribute(home.resolve("lib"), "unix:mode", 01777);
    assertThat(objection()).isEmpty();
    Files.setAttribute(home.resolve("lib"), "unix:mode", 0777);
    assertThat(objection()).contains("can be written to by others");
  }

  @Test
  void thisVeryProcessIsCheckedAndWhoeverCalledSudoIsTrusted() throws Exception {
    String owner = Files.getAttribute(Path.of("pom.xml"), "unix:uid").toString();
    ProgramFiles.check(Map.of("SUDO_UID", owner));
  }

  private String objection() throws IOException {
    return new ProgramFiles(Set.of(0)).objection(program).orElse("");
  }

  private static void mode(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }
}
