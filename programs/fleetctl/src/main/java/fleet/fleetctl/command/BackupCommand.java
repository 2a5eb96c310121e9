package fleet.fleetctl.command;

import fleet.core.backup.BackupSeal;
import fleet.core.backup.InvalidBackupException;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.output.FileErrors;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes a backup of the registry while the cluster runs. */
@Command(
    name = "backup",
    header = "Back up the registry while the cluster runs",
    customSynopsis = {"FILE", "-"},
    description = {
      "Writes all units, desired states, placements, settings, grants and machines, as they are at",
      "one moment, into a file for its owner alone. An existing file is replaced once the new one",
      "is complete. With - the backup goes to standard output. \"fleetd restore FILE\" restores it.",
      "",
      "The file has the text of all units, with the secrets in them. The key that opens the",
      "authority of the cluster is not in it: keep a copy of server.key from the data directory of",
      "a server elsewhere. Needs the role admin."
    },
    exitCodeList = {"0:the backup is complete", "1:fleetd could not be asked, or FILE not written"},
    footer = {"fleetctl backup /backup/fleet.txt", "fleetctl backup - | gpg -e >fleet.gpg"})
final class BackupCommand extends FleetCommand {

  private static final String OUTPUT = "-";

  @Parameters(paramLabel = "FILE", arity = "0..1", hidden = true)
  String file = "";

  @Override
  int run() throws CommandException, FleetException {
    if (file.isEmpty()) {
      throw CommandException.usage("Error: expect fleetctl backup FILE");
    }
    try {
      if (file.equals(OUTPUT)) {
        try (HttpAnswer answer = client().streams().backup()) {
          toOutput(answer);
        }
      } else {
        Path target = target(session().directory().resolve(file).toAbsolutePath());
        try (HttpAnswer answer = client().streams().backup()) {
          toFile(answer, target);
        }
      }
      return ExitCode.OK;
    } catch (InvalidBackupException e) {
      throw CommandException.failed("Error: the backup is not complete: " + e.getMessage());
    } catch (NoSuchFileException e) {
      throw CommandException.failed("Error: cannot write " + file + ": there is no such directory");
    } catch (IOException e) {
      throw CommandException.failed("Error: cannot write " + file + ": " + FileErrors.reason(e));
    }
  }

  /**
   * Nothing but a file is replaced, least of all a device; a link stays, and leads to the new one.
   */
  private Path target(Path path) throws IOException, CommandException {
    if (!Files.exists(path)) {
      return path;
    }
    if (!Files.isRegularFile(path)) {
      throw CommandException.failed(
          "Error: %s is there and no regular file: name a file, or - for standard output"
              .formatted(file));
    }
    return path.toRealPath();
  }

  private void toOutput(HttpAnswer answer) throws IOException, InvalidBackupException {
    copy(answer, line -> output().screen(line));
  }

  private void toFile(HttpAnswer answer, Path target) throws IOException, InvalidBackupException {
    Path part = target.resolveSibling(target.getFileName() + ".part");
    Files.deleteIfExists(part);
    try {
      long entries = write(answer, part);
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
      force(part.toAbsolutePath().resolveSibling(""));
      output().line("%d keys, %d bytes: %s".formatted(entries, Files.size(target), target));
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static long write(HttpAnswer answer, Path part)
      throws IOException, InvalidBackupException {
    try (FileChannel channel =
            FileChannel.open(
                part,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rw-------")));
        OutputStream out = Channels.newOutputStream(channel)) {
      long entries = copy(answer, line -> out.write(line.getBytes(StandardCharsets.UTF_8)));
      channel.force(true);
      return entries;
    }
  }

  /** Makes the new name durable. */
  private static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Takes a line with its end. */
  private interface Lines {
    void take(String line) throws IOException;
  }

  /** Copies all lines, and checks the sum at their end; returns how many entries there are. */
  private static long copy(HttpAnswer answer, Lines to) throws IOException, InvalidBackupException {
    BackupSeal seal = new BackupSeal();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(answer.stream(), StandardCharsets.UTF_8));
    long entries = 0;
    for (String line = next(lines); line != null; line = next(lines)) {
      entries += seal.read(line) ? 1 : 0;
      to.take(line + "\n");
    }
    seal.expectWhole();
    return entries;
  }

  /** A connection that breaks is no fault of the file. */
  private static @Nullable String next(BufferedReader lines) throws InvalidBackupException {
    try {
      return lines.readLine();
    } catch (IOException e) {
      throw new InvalidBackupException("the connection to fleetd broke: " + e.getMessage());
    }
  }
}
