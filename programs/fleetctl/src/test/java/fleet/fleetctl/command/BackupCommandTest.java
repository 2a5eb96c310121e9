package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.backup.BackupHeader;
import fleet.core.backup.BackupSeal;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class BackupCommandTest extends ServedCommandTest {

  private String whole = "";
  private boolean broken;
  private String sent = "";
  private Path file;

  @BeforeEach
  void backup() {
    BackupSeal seal = new BackupSeal();
    StringBuilder text = new StringBuilder();
    for (String line :
        List.of(new BackupHeader("s", 7, Instant.EPOCH).line(), "unit/a\t{}", "unit/ä\t{}")) {
      seal.add(line);
      text.append(line).append('\n');
    }
    whole = text.append(seal.line()).append('\n').toString();
    sent = whole;
    file = directory.resolve("backup.txt");
  }

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    if (broken) {
      FakeHttpServer.beginChunks(out);
      FakeHttpServer.chunk(out, whole.substring(0, 10));
      return false;
    }
    return (request.target().equals("/fleet/v1/backup") && !sent.isEmpty())
        ? FakeHttpServer.reply(out, 200, sent)
        : FakeHttpServer.reply(out, 404, "{\"error\":{\"code\":404,\"message\":\"\"}}");
  }

  @Test
  void theFileIsForItsOwnerAloneAndReplacesTheOneBefore() throws Exception {
    Files.writeString(file, "older");
    Ran ran = run("backup", "backup.txt");
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).startsWith("2 keys, ").endsWith(": " + file + "\n");
    assertThat(Files.readString(file)).isEqualTo(whole);
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void aBackupThatIsNotWholeLeavesTheOneBefore() throws Exception {
    Files.writeString(file, "older");
    for (String text :
        List.of(whole.substring(0, whole.length() - 4), whole.replace("{}", "{ }"))) {
      sent = text;
      Ran ran = run("backup", "backup.txt");
      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err()).startsWith("Error: the backup is not complete: ");
      assertThat(Files.readString(file)).isEqualTo("older");
      assertThat(directory.resolve("backup.txt.part")).doesNotExist();
    }
  }

  @Test
  void aConnectionThatBreaksIsNoFaultOfTheFile() throws Exception {
    Files.writeString(file, "older");
    broken = true;
    Ran ran = run("backup", "backup.txt");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).startsWith("Error: the backup is not complete: the connection to fleetd");
    assertThat(Files.readString(file)).isEqualTo("older");
  }

  @Test
  void nothingButAFileIsReplaced() throws Exception {
    Files.createDirectory(file);
    Ran ran = run("backup", "backup.txt");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .isEqualTo(
            "Error: backup.txt is there and no regular file: name a file, or - for standard output\n");
    assertThat(run("backup", "/dev/null").err()).contains("/dev/null is there and no regular file");
    assertThat(file).isDirectory();
  }

  @Test
  void aLinkStaysAndLeadsToTheNewBackup() throws Exception {
    Path target = Files.writeString(directory.resolve("target"), "older");
    Files.createSymbolicLink(file, target);
    assertThat(run("backup", "backup.txt").code()).isZero();
    assertThat(file).isSymbolicLink();
    assertThat(Files.readString(target)).isEqualTo(whole);
  }

  @Test
  void itGoesToStandardOutputAsItIs() {
    assertThat(run("backup", "-")).isEqualTo(new Ran(0, whole, ""));
  }

  @Test
  void whatKeepsItFromBeingMadeIsSaid() {
    assertThat(run("backup").code()).isEqualTo(2);
    assertThat(run("backup", "no/such/folder").err())
        .startsWith("Error: cannot write no/such/folder");
    sent = "";
    assertThat(run("backup", "backup.txt").err())
        .contains("is too old to make backups: upgrade it");
  }
}
