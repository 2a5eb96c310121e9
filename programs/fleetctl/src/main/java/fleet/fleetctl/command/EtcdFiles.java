package fleet.fleetctl.command;

import fleet.entities.EtcdCertificatesEntity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** The files of a member of etcd, in a directory of its own; keys are for their owner alone. */
record EtcdFiles(Path directory) {

  void write(EtcdCertificatesEntity made) throws IOException {
    Files.createDirectories(directory);
    write("ca.crt", "rw-r--r--", made.authority());
    write("server.crt", "rw-r--r--", made.certificate());
    write("server.key", "rw-------", made.key());
    write("fleetd.crt", "rw-r--r--", made.clientCertificate());
    write("fleetd.key", "rw-------", made.clientKey());
  }

  private void write(String name, String mode, String text) throws IOException {
    Path next =
        Files.createTempFile(
            directory,
            name,
            ".new",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(next, text);
    Files.setPosixFilePermissions(next, PosixFilePermissions.fromString(mode));
    Files.move(next, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }
}
