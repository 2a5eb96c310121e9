package fleet.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** An authority of this test, and what it signs for 127.0.0.1. */
record OpensslCertificates(Path directory) {

  static OpensslCertificates make(Path directory) throws Exception {
    OpensslCertificates made = new OpensslCertificates(Files.createDirectories(directory));
    made.openssl(
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=ca"
            + " -keyout ca.key -out ca.pem");
    Files.writeString(directory.resolve("names"), "subjectAltName=IP:127.0.0.1\n");
    made.sign("server", 2);
    made.sign("client", 2);
    return made;
  }

  /** Makes a key and its certificate, which ends after some days from now, or before it. */
  void sign(String name, int days) throws Exception {
    openssl(
        "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=%1$s".formatted(name)
            + " -keyout %1$s.key -out %1$s.csr".formatted(name));
    openssl(
        "x509 -req -in %1$s.csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile names"
                .formatted(name)
            + " -days %d -out %s.pem".formatted(days, name));
  }

  void openssl(String arguments) throws Exception {
    Process process =
        new ProcessBuilder(("openssl " + arguments).split(" "))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(told).isZero();
  }

  Path file(String name) {
    return directory.resolve(name);
  }

  /** The options of an etcd that lets in only those who show a certificate. */
  List<String> forServer() {
    return List.of(
        "--client-cert-auth",
        "--trusted-ca-file",
        "" + file("ca.pem"),
        "--cert-file",
        "" + file("server.pem"),
        "--key-file",
        "" + file("server.key"));
  }

  EtcdOptions.Tls.Client client() {
    return new EtcdOptions.Tls.Client(file("client.pem"), file("client.key"));
  }
}
